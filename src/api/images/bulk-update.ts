import { BulkChangeBody } from "../../contract/image-change.ts";
import { UpdatedSchema } from "../../contract/selection.ts";
import { chargeChanges } from "../../services/accounts/charge-changes.ts";
import { updateImages, updateMatches } from "../../services/images/update-images.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toMatchSelection } from "./to-match-selection.ts";

const route = guarded("images:write", {
  operationId: "updateImages",
  method: "post",
  path: "/images/bulk-update",
  tags: ["images"],
  summary: "Move, tag or mark many uploads",
  description:
    "By `ids`: all or none; ids that are unknown or another account's are skipped; trashed uploads change too. By `filter`: a " +
    "thousand at a time, until `nextCursor` is null, or an upload would have too many tags (400; `details.updated` changed before).",
  "x-confinable": true,
  request: { body: jsonBody(BulkChangeBody) },
  responses: {
    200: jsonResponse("Uploads that changed", UpdatedSchema),
    ...errorResponses(404),
  },
});

export const bulkUpdate = createRouter().openapi(route, async (c) => {
  const { ids, filter, exceptIds, cursor, ...change } = c.req.valid("json");
  const account = accountOf(c);
  if (ids !== undefined) {
    return c.json({ updated: await chargeChanges(account, await updateImages(account, ids, change)) }, 200);
  }
  const changed = await updateMatches(account, toMatchSelection({ filter, exceptIds, cursor }, "active"), change);
  await chargeChanges(account, changed.updated);
  return c.json(changed, 200);
});
