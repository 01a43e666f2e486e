import { SelectionBody, UpdatedSchema } from "../../contract/selection.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { changeStatus, changeStatusOfMatches, origin } from "../../services/images/change-status.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toMatchSelection } from "./to-match-selection.ts";

export const bulkTrash = changeEndpoint("trash", {
  operationId: "trashImages",
  path: "/images/bulk-trash",
  summary: "Move uploads to the trash",
});
export const bulkRestore = changeEndpoint("active", {
  operationId: "restoreImages",
  path: "/images/bulk-restore",
  summary: "Restore uploads from the trash",
});

/** The two mirror each other: the same body, the same count. */
function changeEndpoint(to: UploadStatus, names: { operationId: string; path: string; summary: string }) {
  const route = guarded("api", {
    ...names,
    method: "post",
    tags: ["images"],
    description:
      "By `ids`, all or none: those that are unknown, another account's or already there are passed over. By `filter`: a thousand at a " +
      "time, until `nextCursor` is null; without a `status` it means those that can be moved.",
    request: { body: jsonBody(SelectionBody) },
    responses: { 200: jsonResponse("How many moved", UpdatedSchema), ...errorResponses(404) },
  });
  return createRouter().openapi(route, async (c) => {
    const { ids, ...selection } = c.req.valid("json");
    const account = accountOf(c);
    if (ids !== undefined) return c.json({ updated: await changeStatus(account, ids, to) }, 200);
    return c.json(await changeStatusOfMatches(account, toMatchSelection(selection, origin(to)), to), 200);
  });
}
