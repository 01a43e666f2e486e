import type { z } from "@hono/zod-openapi";
import { IdParam } from "../../contract/common.ts";
import { DecidedSchema, DecisionBody, ReportedFileSchema, ReportsQuery, ReportsSchema } from "../../contract/report.ts";
import {
  RestoredSchema,
  TakedownBody,
  TakedownSchema,
  TakedownsQuery,
  TakedownsSchema,
} from "../../contract/takedown.ts";
import { fileNameOf, objectUrl } from "../../domain/object-key.ts";
import { getReportedFile, type ReportedFile } from "../../services/operator/reported-file.ts";
import { decideReport, listReports } from "../../services/operator/reports.ts";
import { listTakedowns, restoreTakedown, takeDownFile } from "../../services/operator/takedowns.ts";
import type { ListedTakedown, Report, TakedownRow } from "../../services/records.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toListedAccount, toSuspensionBody } from "./accounts.ts";
import { toPaging, withCursor } from "./operator-page.ts";

/** Takedowns of files, and reports about them. */
export const moderation = createRouter();

moderation.openapi(
  guarded("operator", {
    operationId: "listTakedowns",
    method: "get",
    path: "/admin/takedowns",
    tags: ["operator"],
    summary: "Files that were taken down",
    description: "Newest first, each with its account and its actor.",
    request: { query: TakedownsQuery },
    responses: { 200: jsonResponse("A page of takedowns", TakedownsSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listTakedowns(c.var.services, withCursor(c.req.valid("query")));
    const { cdnUrl } = c.var.services.config;
    return c.json({ takedowns: rows.map((row) => toListedTakedown(row, cdnUrl)), ...toPaging(nextCursor) }, 200);
  },
);

moderation.openapi(
  guarded("operator", {
    operationId: "takeDown",
    method: "post",
    path: "/admin/takedowns",
    tags: ["operator"],
    summary: "Take a file down",
    description:
      "The file, its thumbnail and its preview answer 451 at once. Uploads of the same bytes are 415 `content_blocked` within a minute.",
    request: { body: jsonBody(TakedownBody) },
    responses: { 200: jsonResponse("The takedown", TakedownSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { url, id, reason, keepDays } = c.req.valid("json");
    const { actor = "" } = c.var;
    const takedown = await takeDownFile(c.var.services, { file: url ?? id ?? "", reason, actor, keepDays });
    const state = takedown.keepUntil === null ? ("destroyed" as const) : ("kept" as const);
    const body = toTakedownBody({ ...takedown, createdAt: takedown.at, state }, c.var.services.config.cdnUrl);
    return c.json(body, 200);
  },
);

moderation.openapi(
  guarded("operator", {
    operationId: "restoreTakedown",
    method: "delete",
    path: "/admin/takedowns/{id}",
    tags: ["operator"],
    summary: "End a takedown",
    description: "The file is served again, and its bytes may be uploaded again within a minute.",
    request: { params: IdParam },
    responses: { 200: jsonResponse("Whether the file is served again", RestoredSchema), ...errorResponses(404, 409) },
  }),
  async (c) => c.json({ restored: await restoreTakedown(c.var.services, c.req.valid("param").id) }, 200),
);

moderation.openapi(
  guarded("operator", {
    operationId: "listReports",
    method: "get",
    path: "/admin/reports",
    tags: ["operator"],
    summary: "Reports of files",
    description: "Oldest first. Open ones unless `status` is `all`.",
    request: { query: ReportsQuery },
    responses: { 200: jsonResponse("A page of reports", ReportsSchema) },
  }),
  async (c) => {
    const { status, ...query } = withCursor(c.req.valid("query"));
    const { rows, nextCursor } = await listReports(c.var.services, { ...query, isOpen: status === "open" });
    return c.json({ reports: rows.map(toReportBody), ...toPaging(nextCursor) }, 200);
  },
);

moderation.openapi(
  guarded("operator", {
    operationId: "getReport",
    method: "get",
    path: "/admin/reports/{id}",
    tags: ["operator"],
    summary: "A report with its file",
    description:
      "The file's account, its facts, and URLs that show it and count no view. They open a private file, too. `file` is null if the upload is gone.",
    request: { params: IdParam },
    responses: { 200: jsonResponse("The report and its file", ReportedFileSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toReportedBody(await getReportedFile(c.var.services, c.req.valid("param").id)), 200),
);

moderation.openapi(
  guarded("operator", {
    operationId: "decideReport",
    method: "post",
    path: "/admin/reports/{id}",
    tags: ["operator"],
    summary: "Record the decision on a report",
    description: "A takedown and a suspension are requests of their own.",
    request: { params: IdParam, body: jsonBody(DecisionBody) },
    responses: { 200: jsonResponse("The report", DecidedSchema), ...errorResponses(404) },
  }),
  async (c) =>
    c.json(toReportBody(await decideReport(c.var.services, c.req.valid("param").id, c.req.valid("json"))), 200),
);

type ShownTakedown = Pick<
  TakedownRow,
  "id" | "accountId" | "uploadId" | "objectKey" | "reason" | "createdAt" | "keepUntil" | "state"
>;

function toTakedownBody(takedown: ShownTakedown, cdnUrl: string): z.infer<typeof TakedownSchema> {
  const { id, accountId, uploadId, objectKey, reason, createdAt, keepUntil, state } = takedown;
  return {
    id,
    accountId,
    uploadId,
    url: objectUrl(cdnUrl, objectKey),
    reason,
    createdAt: new Date(createdAt).toISOString(),
    keepUntil: keepUntil === null ? null : new Date(keepUntil).toISOString(),
    state,
  };
}

function toListedTakedown(
  takedown: ListedTakedown,
  cdnUrl: string,
): z.infer<typeof TakedownsSchema>["takedowns"][number] {
  const { fileName, objectKey, ownersEmail, actor, actorsEmail } = takedown;
  return {
    ...toTakedownBody(takedown, cdnUrl),
    originalFilename: fileName ?? fileNameOf(objectKey),
    email: ownersEmail,
    actor,
    actorEmail: actorsEmail,
  };
}

function toReportedBody({
  report,
  account,
  suspension,
  upload,
  urls,
}: ReportedFile): z.infer<typeof ReportedFileSchema> {
  const { previewUrl = null, viewUrl = null } = urls;
  return {
    report: toReportBody(report),
    account:
      account === undefined
        ? null
        : { ...toListedAccount(account), suspension: suspension === undefined ? null : toSuspensionBody(suspension) },
    file:
      upload === undefined
        ? null
        : {
            _id: upload.id,
            originalFilename: upload.originalFilename,
            mimeType: upload.mimeType,
            fileSize: upload.sizeBytes,
            size: { width: upload.width, height: upload.height },
            createdAt: new Date(upload.createdAt).toISOString(),
            visibility: upload.visibility,
            previewUrl,
            viewUrl,
            takedown:
              upload.takedown === null
                ? null
                : { at: new Date(upload.takedown.at).toISOString(), reason: upload.takedown.reason },
          },
  };
}

function toReportBody(report: Report): z.infer<typeof DecidedSchema> {
  const { createdAt, decidedAt } = report;
  return {
    ...report,
    createdAt: new Date(createdAt).toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
  };
}
