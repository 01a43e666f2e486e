import { z } from "@hono/zod-openapi";
import { MAX_RANGE_BYTES } from "../domain/backup.ts";
import { integer, operatorCursor, operatorPaging, parameter } from "./query-parameters.ts";

const MAX_NAME = 200;
const MAX_POSITION = 4000;
/** The keys of R2 and the metadata of an object are shorter. */
const MAX_KEY = 1024;
const MAX_FACTS = 8000;
const MAX_PARTS = 10_000;

const name = z.string().min(1).max(MAX_NAME);
const key = z.string().min(1).max(MAX_KEY).openapi({ description: "The key of the stored object" });
const database = name.openapi({ description: "`directory` or `library-NN`", example: "directory" });
const row = z.array(z.string().nullable()).openapi({
  description: "A text for each column: `i`, `r`, `t` or `x` (hexadecimal) and the value, or null",
});
const columns = z.array(name).min(1).max(100);

export const BackupSchema = z
  .object({
    databases: z.array(
      z.object({
        database: z.string(),
        migrations: z.array(z.string()),
        tables: z.array(z.string()).openapi({ description: "A table comes after the tables that it refers to" }),
      }),
    ),
  })
  .openapi("Backup");

export const RowsQuery = z.object({
  database,
  table: name.openapi({ description: "The table's name" }),
  ...operatorCursor(),
});

const pageFields = { columns: z.array(z.string()), rows: z.array(row), ...operatorPaging() };

export const RowPageSchema = z.object(pageFields).openapi("RowPage");

export const AccountParam = z.object({
  accountId: z.string().min(1).max(64).openapi({ description: "The account's id" }),
});
export const AccountAfterQuery = z.object(operatorCursor());
export const AccountPageSchema = z.object({ table: z.string(), ...pageFields }).openapi("AccountPage");

export const FilesQuery = z.object(operatorCursor());

const facts = {
  httpMetadata: z.record(z.string(), z.string()),
  customMetadata: z.record(z.string(), z.string()),
};
export const StoredFacts = z.object(facts);

export const FilePageSchema = z
  .object({
    files: z.array(z.object({ key: z.string(), size: z.number().int(), etag: z.string(), ...facts })),
    ...operatorPaging(),
  })
  .openapi("FilePage");

export const RangeQuery = z.object({
  key,
  etag: name.openapi({ description: "412 if the object has another ETag" }),
  offset: parameter(integer(0, Number.MAX_SAFE_INTEGER)).openapi({
    type: "integer",
    minimum: 0,
    description: "The first byte",
  }),
  length: parameter(integer(0, MAX_RANGE_BYTES)).openapi({
    type: "integer",
    minimum: 0,
    maximum: MAX_RANGE_BYTES,
    description: "The number of bytes",
  }),
});

export const RestoreBody = z.strictObject({ backup: name.openapi({ description: "The backup's name" }) });
export const RestoreStateSchema = z.object({ backup: z.string() }).openapi("Restore");

export const RestoreRowsBody = z.strictObject({
  database,
  table: name,
  columns,
  rows: z.array(row).max(200),
  withoutParents: z.boolean().openapi({ description: "Writes rows whose parent is missing without it" }),
});
export const RestoredRowsSchema = z
  .object({ waiting: z.array(z.number().int()).openapi({ description: "Indexes of rows whose parent is missing" }) })
  .openapi("RestoredRows");

export const RestoreAccountBody = z.strictObject({
  pages: z.array(z.strictObject({ table: name, columns, rows: z.array(row).max(200) })).max(50),
  isFirst: z.boolean(),
  isLast: z.boolean(),
});
export const RestoredSchema = z.object({ message: z.string() }).openapi("Restored");

const factsText = z.string().max(MAX_FACTS).openapi({ description: "JSON of `httpMetadata` and `customMetadata`" });
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .openapi({
    description: "The SHA-256 of the file, in hexadecimal",
    example: "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
  });

export const RestoreFileQuery = z.object({ key, facts: factsText, sha256 });
export const BeginPartsQuery = z.object({ key, facts: factsText });
export const BegunPartsSchema = z.object({ uploadId: z.string() }).openapi("BegunParts");
export const RestorePartQuery = z.object({
  key,
  uploadId: z
    .string()
    .min(1)
    .max(MAX_POSITION)
    .openapi({ description: "The id that `POST /admin/restore/parts` answered" }),
  number: parameter(integer(1, MAX_PARTS)).openapi({
    type: "integer",
    minimum: 1,
    maximum: MAX_PARTS,
    description: "The part's place, from 1",
  }),
});
export const RestoredPartSchema = z.object({ etag: z.string() }).openapi("RestoredPart");
export const EndPartsBody = z.strictObject({
  key,
  uploadId: z.string().min(1).max(MAX_POSITION),
  parts: z
    .array(z.strictObject({ partNumber: z.number().int().min(1).max(MAX_PARTS), etag: name }))
    .min(1)
    .max(MAX_PARTS),
});
