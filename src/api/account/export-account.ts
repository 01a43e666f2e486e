import { ExportLineSchema } from "../../contract/export.ts";
import { exportAccount as openExport } from "../../services/accounts/export-account.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses } from "../responses.ts";
import { createRouter } from "../router.ts";
import { streamLines } from "./stream-lines.ts";
import { toExportLine } from "./to-export-line.ts";

const route = guarded("session", {
  operationId: "exportAccount",
  method: "get",
  path: "/account/export",
  tags: ["accounts"],
  summary: "Everything that the account holds",
  description:
    "JSON lines: the account, its settings, keys (without their secrets), alerts, folders, uploads with their URLs, and the operations of the last 90 days. The last line is of type `end`; an export without it broke off. Ten an hour.",
  responses: {
    200: { description: "One object a line", content: { "application/x-ndjson": { schema: ExportLineSchema } } },
    ...errorResponses(404),
  },
});

export const exportAccount = createRouter().openapi(route, async (c) => {
  const account = accountOf(c);
  const records = await openExport(account);
  const day = new Date(account.now()).toISOString().slice(0, 10);
  const lines = streamLines(records, (record) => toExportLine(record, account.config.cdnUrl));
  const headers = {
    "Content-Type": "application/x-ndjson",
    "Content-Disposition": `attachment; filename="media-host-${day}.jsonl"`,
    "Cache-Control": "no-store",
  };
  // The router's types know no answer that is neither JSON nor text.
  return c.body(lines, 200, headers) as never;
});
