import { SelectionBody, UpdatedSchema } from "../../contract/selection.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { chargeChanges } from "../../services/accounts/charge-changes.ts";
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

/** Trash and restore mirror each other: the same body, the same count (DEL-1). */
function changeEndpoint(to: UploadStatus, names: { operationId: string; path: string; summary: string }) {
  const route = guarded("images:write", {
    ...names,
    method: "post",
    tags: ["images"],
    description:
      "By `ids`, all or none: ids that are unknown, another account's or already there are skipped. By `filter`: a thousand at a " +
      "time, until `nextCursor` is null; the default `status` selects uploads that can move.",
    "x-confinable": true,
    request: { body: jsonBody(SelectionBody) },
    responses: { 200: jsonResponse("Uploads that moved", UpdatedSchema), ...errorResponses(404) },
  });
  return createRouter().openapi(route, async (c) => {
    const { ids, ...selection } = c.req.valid("json");
    const account = accountOf(c);
    if (ids !== undefined) {
      return c.json({ updated: await chargeChanges(account, await changeStatus(account, ids, to)) }, 200);
    }
    const changed = await changeStatusOfMatches(account, toMatchSelection(selection, origin(to)), to);
    await chargeChanges(account, changed.updated);
    return c.json(changed, 200);
  });
}
