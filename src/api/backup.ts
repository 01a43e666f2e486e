import type { Context } from "hono";
import {
  AccountAfterQuery,
  AccountPageSchema,
  AccountParam,
  BackupSchema,
  BeginPartsQuery,
  BegunPartsSchema,
  EndPartsBody,
  FilePageSchema,
  FilesQuery,
  RangeQuery,
  RestoreAccountBody,
  RestoreBody,
  RestoredPartSchema,
  RestoredRowsSchema,
  RestoredSchema,
  RestoreFileQuery,
  RestorePartQuery,
  RestoreRowsBody,
  RestoreStateSchema,
  RowPageSchema,
  RowsQuery,
  StoredFacts,
} from "../contract/backup.ts";
import { MAX_RANGE_BYTES } from "../domain/backup.ts";
import { ERRORS } from "../domain/errors.ts";
import {
  describeBackup,
  listStoredFiles,
  readAccountPage,
  readFileRange,
  readTableRows,
} from "../services/backup/read-backup.ts";
import {
  beginParts,
  endParts,
  type FileFacts,
  restoreAccount,
  restoreFile,
  restorePart,
  restoreRows,
} from "../services/backup/restore.ts";
import { beginRestore, endRestore } from "../services/backup/restore-state.ts";
import { toPaging, withCursor } from "./admin/operator-page.ts";
import type { AppEnv } from "./app-env.ts";
import { guarded } from "./guarded.ts";
import { errorResponses, jsonBody, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

const CONTENT = { "application/octet-stream": { schema: { type: "string" as const, format: "binary" } } };

const BINARY = { description: "The bytes", content: CONTENT };

const BINARY_BODY = { required: true, content: CONTENT };

/** Backup and restore, for `npm run admin`. */
export const backup = createRouter();

backup.openapi(
  guarded("admin", {
    operationId: "describeBackup",
    method: "get",
    path: "/admin/backup",
    tags: ["operator"],
    summary: "The databases and tables of a backup",
    description: "A backup reads files, then the tables in this order, then accounts, then files that came since.",
    responses: { 200: jsonResponse("The databases", BackupSchema) },
  }),
  async (c) => c.json({ databases: await describeBackup(c.var.services) }, 200),
);

backup.openapi(
  guarded("admin", {
    operationId: "readBackupRows",
    method: "get",
    path: "/admin/backup/rows",
    tags: ["operator"],
    summary: "A page of a table",
    description: "Rows in the order of their key, at most 200 and about 64 KB.",
    request: { query: RowsQuery },
    responses: { 200: jsonResponse("The rows", RowPageSchema) },
  }),
  async (c) => {
    const query = withCursor(c.req.valid("query"));
    const { columns, rows, nextCursor } = await readTableRows(c.var.services, query);
    return c.json({ columns: [...columns], rows: rows.map((row) => [...row]), ...toPaging(nextCursor) }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "readBackupAccount",
    method: "get",
    path: "/admin/backup/accounts/{accountId}",
    tags: ["operator"],
    summary: "A page of an account's object",
    description: "Figures, log, credentials and open changes. Sessions and unfinished uploads are left out.",
    request: { params: AccountParam, query: AccountAfterQuery },
    responses: { 200: jsonResponse("The rows", AccountPageSchema), ...errorResponses(404) },
  }),
  async (c) => {
    const { accountId } = c.req.valid("param");
    const query = withCursor(c.req.valid("query"));
    const { table, columns, rows, nextCursor } = await readAccountPage(c.var.services, accountId, query);
    return c.json({ table, columns: [...columns], rows: rows.map((row) => [...row]), ...toPaging(nextCursor) }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "listBackupFiles",
    method: "get",
    path: "/admin/backup/files",
    tags: ["operator"],
    summary: "A page of the stored objects",
    description: "Every object but previews, in the order of their keys, at most 200.",
    request: { query: FilesQuery },
    responses: { 200: jsonResponse("The objects", FilePageSchema) },
  }),
  async (c) => {
    const { files, nextCursor } = await listStoredFiles(c.var.services, withCursor(c.req.valid("query")));
    return c.json({ files, ...toPaging(nextCursor) }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "readBackupFile",
    method: "get",
    path: "/admin/backup/file",
    tags: ["operator"],
    summary: "A range of a stored object",
    description: "At most 16 MB. It counts as no view.",
    request: { query: RangeQuery },
    responses: { 200: BINARY, ...errorResponses(404, 412) },
  }),
  async (c) => {
    const query = c.req.valid("query");
    const object = await readFileRange(c.var.services, query);
    const headers = {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(query.length),
      "Cache-Control": "no-store",
    };
    // The router's types know only JSON and text answers.
    return c.body(object.body, 200, headers) as never;
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "beginRestore",
    method: "post",
    path: "/admin/restore",
    tags: ["operator"],
    "x-unrecorded": true,
    summary: "Begin or continue a restore",
    description:
      "409 if the installation has accounts, or another restore is in progress. The other calls of a restore are refused before this one.",
    request: { body: jsonBody(RestoreBody) },
    responses: { 200: jsonResponse("The restore", RestoreStateSchema), ...errorResponses(409) },
  }),
  async (c) => {
    const { backup } = c.req.valid("json");
    await beginRestore(c.var.services, backup);
    return c.json({ backup }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "endRestore",
    method: "delete",
    path: "/admin/restore",
    tags: ["operator"],
    summary: "End a restore",
    description: "Nothing can be restored after this.",
    responses: { 200: jsonResponse("Done", RestoredSchema) },
  }),
  async (c) => {
    await endRestore(c.var.services);
    return c.json({ message: "Restored" }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "restoreRows",
    method: "post",
    path: "/admin/restore/rows",
    tags: ["operator"],
    "x-unrecorded": true,
    summary: "Restore rows of a table",
    description: "Rows may be there already.",
    request: { body: jsonBody(RestoreRowsBody) },
    responses: { 200: jsonResponse("Rows whose parent is missing", RestoredRowsSchema), ...errorResponses(409) },
  }),
  async (c) => c.json({ waiting: await restoreRows(c.var.services, c.req.valid("json")) }, 200),
);

backup.openapi(
  guarded("admin", {
    operationId: "restoreAccount",
    method: "post",
    path: "/admin/restore/accounts/{accountId}",
    tags: ["operator"],
    "x-unrecorded": true,
    summary: "Restore pages of an account's object",
    description: "The first call empties the object. After the last one the alarm finishes or undoes open changes.",
    request: { params: AccountParam, body: jsonBody(RestoreAccountBody) },
    responses: { 200: jsonResponse("Done", RestoredSchema), ...errorResponses(409) },
  }),
  async (c) => {
    const { pages, isFirst, isLast } = c.req.valid("json");
    await restoreAccount(c.var.services, c.req.valid("param").accountId, pages, { isFirst, isLast });
    return c.json({ message: "Restored" }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "restoreFile",
    method: "put",
    path: "/admin/restore/file",
    tags: ["operator"],
    "x-unrecorded": true,
    summary: "Restore a file of at most 16 MB",
    description: "R2 compares the bytes with the hash.",
    request: { query: RestoreFileQuery, body: BINARY_BODY },
    responses: { 200: jsonResponse("Done", RestoredSchema), ...errorResponses(409) },
  }),
  async (c) => {
    const { key, sha256, facts } = c.req.valid("query");
    await restoreFile(c.var.services, { key, sha256, facts: parseFacts(facts) }, bodyOf(c));
    return c.json({ message: "Restored" }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "beginRestoreParts",
    method: "post",
    path: "/admin/restore/parts",
    tags: ["operator"],
    "x-unrecorded": true,
    summary: "Begin a file of several parts",
    description: "Every part but the last has the same size, at most 16 MB.",
    request: { query: BeginPartsQuery },
    responses: { 200: jsonResponse("The upload", BegunPartsSchema), ...errorResponses(409) },
  }),
  async (c) => {
    const { key, facts } = c.req.valid("query");
    return c.json({ uploadId: await beginParts(c.var.services, key, parseFacts(facts)) }, 200);
  },
);

backup.openapi(
  guarded("admin", {
    operationId: "restorePart",
    method: "put",
    path: "/admin/restore/parts",
    tags: ["operator"],
    "x-unrecorded": true,
    summary: "Restore a part of a file",
    description: "At most 16 MB.",
    request: { query: RestorePartQuery, body: BINARY_BODY },
    responses: { 200: jsonResponse("The part", RestoredPartSchema), ...errorResponses(409) },
  }),
  async (c) => c.json({ etag: await restorePart(c.var.services, c.req.valid("query"), bodyOf(c)) }, 200),
);

backup.openapi(
  guarded("admin", {
    operationId: "endRestoreParts",
    method: "post",
    path: "/admin/restore/parts/end",
    tags: ["operator"],
    "x-unrecorded": true,
    summary: "Complete a file of several parts",
    description: "The file exists from here on.",
    request: { body: jsonBody(EndPartsBody) },
    responses: { 200: jsonResponse("Done", RestoredSchema), ...errorResponses(409) },
  }),
  async (c) => {
    await endParts(c.var.services, c.req.valid("json"));
    return c.json({ message: "Restored" }, 200);
  },
);

/** The body as a stream whose length is known. @throws ServiceError 400 without a length, 413 if it is too long */
function bodyOf(c: Context<AppEnv>): ReadableStream | ArrayBuffer {
  const length = Number(c.req.header("Content-Length") ?? Number.NaN);
  const { body } = c.req.raw;
  if (!Number.isSafeInteger(length) || (body === null && length > 0)) {
    throw ERRORS.InvalidRequest({ "Content-Length": "Required" });
  }
  if (length > MAX_RANGE_BYTES) throw ERRORS.BodyTooLarge(MAX_RANGE_BYTES);
  return body ?? new ArrayBuffer(0);
}

/** @throws ServiceError 400 if they are not the metadata of a stored object */
function parseFacts(text: string): FileFacts {
  try {
    return StoredFacts.parse(JSON.parse(text));
  } catch {
    throw ERRORS.InvalidQuery({ facts: "Must be JSON of httpMetadata and customMetadata" });
  }
}
