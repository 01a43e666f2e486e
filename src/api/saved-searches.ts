import type { z } from "@hono/zod-openapi";
import { IdParam, MessageSchema } from "../contract/common.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import {
  NewSavedSearchBody,
  SavedSearchChangeBody,
  SavedSearchListSchema,
  SavedSearchSchema,
} from "../contract/saved-search.ts";
import type { SavedSearch } from "../domain/saved-search.ts";
import {
  addSavedSearch,
  changeSavedSearch,
  listSavedSearches,
  removeSavedSearch,
} from "../services/accounts/saved-searches.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

/** Searches that the dashboard shows in its sidebar, on every device of the account. */
export const savedSearches = createRouter();

savedSearches.openapi(
  guarded("session", {
    operationId: "listSavedSearches",
    method: "get",
    path: "/searches",
    tags: ["settings"],
    summary: "The dashboard's saved searches, in the order in which they were made",
    description: "A saved search is a name and the address of a view of the library.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The searches", SavedSearchListSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listSavedSearches(accountOf(c), c.req.valid("query"));
    return c.json({ searches: rows.map(toSavedSearchBody), pagination: { nextCursor } }, 200);
  },
);

savedSearches.openapi(
  guarded("session", {
    operationId: "addSavedSearch",
    method: "post",
    path: "/searches",
    tags: ["settings"],
    summary: "Save a search of the dashboard",
    description: "A search with the same name and address is not stored twice: the answer is the first one.",
    request: { body: jsonBody(NewSavedSearchBody) },
    responses: { 201: jsonResponse("The search", SavedSearchSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toSavedSearchBody(await addSavedSearch(accountOf(c), c.req.valid("json"))), 201),
);

savedSearches.openapi(
  guarded("session", {
    operationId: "changeSavedSearch",
    method: "patch",
    path: "/searches/{id}",
    tags: ["settings"],
    summary: "Rename a saved search, or give it another address",
    description: "Absent fields stay.",
    request: { params: IdParam, body: jsonBody(SavedSearchChangeBody) },
    responses: { 200: jsonResponse("The search", SavedSearchSchema), ...errorResponses(404) },
  }),
  async (c) =>
    c.json(toSavedSearchBody(await changeSavedSearch(accountOf(c), c.req.valid("param").id, c.req.valid("json"))), 200),
);

savedSearches.openapi(
  guarded("session", {
    operationId: "removeSavedSearch",
    method: "delete",
    path: "/searches/{id}",
    tags: ["settings"],
    summary: "Delete a saved search",
    description: "Files stay as they are.",
    request: { params: IdParam },
    responses: { 200: jsonResponse("Deleted", MessageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    await removeSavedSearch(accountOf(c), c.req.valid("param").id);
    return c.json({ message: "The search was deleted" }, 200);
  },
);

export function toSavedSearchBody({ id, name, address }: SavedSearch): z.infer<typeof SavedSearchSchema> {
  return { _id: id, name, address };
}
