import type { z } from "@hono/zod-openapi";
import { IdParam } from "../contract/common.ts";
import {
  type ImportItemSchema,
  ImportPageSchema,
  ImportSchema,
  NewImportBody,
  NewImportSchema,
  ShownImportSchema,
} from "../contract/import.ts";
import { PageQuery } from "../contract/query-parameters.ts";
import { UploadHeaders } from "../contract/upload-result.ts";
import type { ImportItemFacts } from "../domain/imports.ts";
import { createImport } from "../services/imports/create-import.ts";
import { toImportFacts } from "../services/imports/import-facts.ts";
import { getImport, listImports, stopImport } from "../services/imports/read-imports.ts";
import type { StoredItem } from "../services/records.ts";
import { guarded } from "./guarded.ts";
import { accountOf } from "./middleware/access.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";
import { readIdempotency } from "./uploads/upload-request.ts";

/** Uploads whose bytes the service fetches itself. */
export const imports = createRouter();

imports.openapi(
  guarded("upload", {
    operationId: "createImport",
    method: "post",
    path: "/images/import",
    tags: ["images"],
    summary: "Import files from URLs",
    description:
      "The service fetches each file and stores it like any upload. `GET /imports/{id}` has each item's outcome. " +
      "Sources must be at public names.",
    "x-confinable": true,
    request: { headers: UploadHeaders, body: jsonBody(NewImportBody) },
    responses: { 202: jsonResponse("The import has begun", NewImportSchema), ...errorResponses(422) },
  }),
  async (c) => {
    const { items } = c.req.valid("json");
    const id = await createImport(accountOf(c), items.map(toItemFacts), readIdempotency(c.req.raw.headers));
    return c.json({ _id: id }, 202);
  },
);

imports.openapi(
  guarded("upload", {
    operationId: "listImports",
    method: "get",
    path: "/imports",
    tags: ["images"],
    summary: "List imports, newest first",
    description: "An ended import is kept for 30 days. A key that can only upload sees its own imports.",
    "x-confinable": true,
    request: { query: PageQuery },
    responses: { 200: jsonResponse("A page", ImportPageSchema) },
  }),
  async (c) => {
    const { rows, nextCursor } = await listImports(accountOf(c), c.req.valid("query"));
    return c.json({ imports: rows.map(toImportFacts), pagination: { nextCursor } }, 200);
  },
);

imports.openapi(
  guarded("upload", {
    operationId: "getImport",
    method: "get",
    path: "/imports/{id}",
    tags: ["images"],
    summary: "An import, and the outcome of each of its items",
    description: "The items are in the order of the request.",
    "x-confinable": true,
    request: { params: IdParam, query: PageQuery },
    responses: { 200: jsonResponse("The import with a page of its items", ShownImportSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { found, items } = await getImport(accountOf(c), c.req.valid("param").id, c.req.valid("query"));
    const { rows, nextCursor } = items;
    return c.json({ ...toImportFacts(found), items: rows.map(toItemBody), pagination: { nextCursor } }, 200);
  },
);

imports.openapi(
  guarded("upload", {
    operationId: "stopImport",
    method: "delete",
    path: "/imports/{id}",
    tags: ["images"],
    summary: "Stop an import",
    description: "Pending items are cancelled. Running items end within seconds. Stored files stay.",
    "x-confinable": true,
    request: { params: IdParam },
    responses: { 200: jsonResponse("The import", ImportSchema), ...errorResponses(404) },
  }),
  async (c) => c.json(toImportFacts(await stopImport(accountOf(c), c.req.valid("param").id)), 200),
);

/** Null and nothing mean the same, except for the folder. */
function toItemFacts(item: z.infer<typeof NewImportBody>["items"][number]): ImportItemFacts {
  const { url, filename, tags, folderId, visibility, ...given } = item;
  const facts = Object.entries(given).filter(([, fact]) => fact !== null && fact !== undefined);
  return {
    url,
    filename: filename === "" ? null : filename,
    tags,
    ...(folderId !== undefined && { folderId }),
    ...(visibility !== undefined && { visibility }),
    ...Object.fromEntries(facts),
  };
}

export function toItemBody({
  number,
  url,
  state,
  attempts,
  uploadId,
  error,
}: StoredItem): z.infer<typeof ImportItemSchema> {
  return { number, url, state, attempts, uploadId, error: error === null ? null : JSON.parse(error) };
}
