import { BulkChangeBody } from "../../contract/image-change.ts";
import { UpdatedSchema } from "../../contract/selection.ts";
import { updateImages, updateMatches } from "../../services/images/update-images.ts";
import { accountOf } from "../account-of.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { toMatchSelection } from "./to-match-selection.ts";

const route = guarded("api", {
  operationId: "updateImages",
  method: "post",
  path: "/images/bulk-update",
  tags: ["images"],
  summary: "Move, tag or mark many uploads",
  description:
    "By `ids`: all or none; ids that are unknown or another account's are passed over; trashed uploads change too. By `filter`: a " +
    "thousand at a time, until one would have too many tags (400; `details.updated` changed before it), or `nextCursor` is null.",
  request: { body: jsonBody(BulkChangeBody) },
  responses: {
    200: jsonResponse("How many really changed", UpdatedSchema),
    ...errorResponses(404),
  },
});

export const bulkUpdate = createRouter().openapi(route, async (c) => {
  const { ids, filter, exceptIds, cursor, ...change } = c.req.valid("json");
  const account = accountOf(c);
  if (ids !== undefined) return c.json({ updated: await updateImages(account, ids, change) }, 200);
  return c.json(await updateMatches(account, toMatchSelection({ filter, exceptIds, cursor }, "active"), change), 200);
});
