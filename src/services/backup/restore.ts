import { type Row, writeStatements } from "../../db/backup/rows.ts";
import { searchStatement } from "../../db/backup/search.ts";
import { findTable } from "../../db/backup/tables.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { RestoredPage } from "../../meter/account/backup.ts";
import type { Services } from "../context.ts";
import { isCarried, openDatabase } from "./open-database.ts";
import { requireRestore } from "./restore-state.ts";

/** The shard that a library has left keeps only the ids of its uploads. Triggers refuse rows of these tables. */
const ONLY_AT_HOME: readonly string[] = ["folders", "uploads"];

interface RowsToRestore {
  readonly database: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly withoutParents: boolean;
}

/**
 * Writes rows, some of which may exist already, and the name index of uploads.
 * @returns the indexes of rows whose parent is missing: it may arrive later
 * @throws ServiceError 400 for a table or column that this version does not have, 409 without a restore in progress
 */
export async function restoreRows(services: Services, given: RowsToRestore): Promise<number[]> {
  await requireRestore(services);
  const { database: name, columns, rows, table: tableName } = given;
  const database = openDatabase(services, name);
  const table = isCarried(database, tableName) ? await findTable(database.run, tableName) : undefined;
  if (table === undefined) throw ERRORS.InvalidRequest({ table: "Unknown" });
  const unknown = columns.find((column) => !table.columns.includes(column));
  if (unknown !== undefined) throw ERRORS.InvalidRequest({ columns: `Unknown: ${unknown}` });
  const isUploads = database.kind === "library" && tableName === "uploads";
  const account = columns.indexOf("account_id");
  const isHome =
    database.kind === "library" && ONLY_AT_HOME.includes(tableName) && account >= 0
      ? `NOT EXISTS (SELECT 1 FROM libraries WHERE id = substr(value ->> ${account}, 2) AND state <> 'here')`
      : "true";
  const { waiting, insert } = writeStatements(table, given, isHome);
  const text = JSON.stringify(rows);
  const prepare = (sql: string) => database.binding.prepare(sql).bind(text);
  const [waits] = await database.idempotent(() =>
    database.binding.batch<{ key: number }>([prepare(waiting), prepare(insert)]),
  );
  if (isUploads) await database.idempotent(() => searchStatement(database.binding, columns, rows).run());
  return (waits?.results ?? []).map(({ key }) => key);
}

/**
 * Writes pages of an account's object.
 * @throws ServiceError 400 for a table or column that this version does not have, 409 without a restore in progress
 */
export async function restoreAccount(
  services: Services,
  accountId: string,
  pages: readonly RestoredPage[],
  place: { readonly isFirst: boolean; readonly isLast: boolean },
): Promise<void> {
  await requireRestore(services);
  const restored = await services.meterOf(accountId).restoreBackup(pages, place);
  if (restored.outcome === "unknown") throw ERRORS.InvalidRequest({ pages: `Unknown: ${restored.name}` });
}

/** The metadata of a stored object. */
export interface FileFacts {
  readonly httpMetadata: Readonly<Record<string, string>>;
  readonly customMetadata: Readonly<Record<string, string>>;
}

/** Writes a file of one range. R2 compares the hash. @throws ServiceError 400 if the bytes are not those of the hash */
export async function restoreFile(
  services: Services,
  { key, facts, sha256 }: { readonly key: string; readonly facts: FileFacts; readonly sha256: string },
  body: ReadableStream | ArrayBuffer,
): Promise<void> {
  await requireRestore(services);
  try {
    await services.files.put(key, body, { ...toOptions(facts), sha256 });
  } catch (error) {
    // The message and the code of R2's "BadDigest".
    if (error instanceof Error && /\(10037\)|checksum/i.test(error.message))
      throw ERRORS.InvalidQuery({ sha256: "Differs" });
    throw error;
  }
}

/** Begins a file of several ranges. @returns R2's id of the upload */
export async function beginParts(services: Services, key: string, facts: FileFacts): Promise<string> {
  await requireRestore(services);
  return (await services.files.createMultipartUpload(key, toOptions(facts))).uploadId;
}

export async function restorePart(
  services: Services,
  { key, uploadId, number }: { readonly key: string; readonly uploadId: string; readonly number: number },
  body: ReadableStream | ArrayBuffer,
): Promise<string> {
  await requireRestore(services);
  return (await services.files.resumeMultipartUpload(key, uploadId).uploadPart(number, body)).etag;
}

export async function endParts(
  services: Services,
  { key, uploadId, parts }: { readonly key: string; readonly uploadId: string; readonly parts: R2UploadedPart[] },
): Promise<void> {
  await requireRestore(services);
  await services.files.resumeMultipartUpload(key, uploadId).complete(parts);
}

function toOptions({ httpMetadata: { cacheExpiry, ...http }, customMetadata }: FileFacts): R2PutOptions {
  const expiry = cacheExpiry === undefined ? {} : { cacheExpiry: new Date(cacheExpiry) };
  return { httpMetadata: { ...http, ...expiry }, customMetadata: { ...customMetadata } };
}
