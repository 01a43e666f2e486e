import { readRows } from "../../db/backup/rows.ts";
import { findTable, listTables } from "../../db/backup/tables.ts";
import { ERRORS } from "../../domain/errors.ts";
import { PREVIEWS_PREFIX } from "../../domain/object-key.ts";
import type { AccountPage } from "../../meter/account/backup.ts";
import type { Services } from "../context.ts";
import { type List, readCursor, toCursor } from "../paging.ts";
import { isCarried, listDatabases, openDatabase } from "./open-database.ts";
import { RESTORE_MARKER } from "./restore-state.ts";

const FILES_PAGE = 200;

/** Every database with its tables, in the order in which they are restored. */
export async function describeBackup(services: Services) {
  const databases = [];
  for (const name of listDatabases(services)) {
    const database = openDatabase(services, name);
    const tables = (await listTables(database.run)).map((table) => table.name);
    const migrations = await database.run("SELECT name FROM d1_migrations ORDER BY id");
    databases.push({
      database: name,
      migrations: migrations.map((migration) => String(migration.name)),
      tables: tables.filter((table) => isCarried(database, table)),
    });
  }
  return databases;
}

/** The list that a backup reads, and its place in it. */
interface Place {
  readonly cursor?: string | undefined;
}

/** Replaces the position of the next page by its cursor. */
function toPage<Found extends { readonly next: string | null }>(
  services: Pick<Services, "config">,
  list: List,
  found: Found,
) {
  const { next, ...page } = found;
  return { ...page, nextCursor: next === null ? null : toCursor(services, list, [next]) };
}

/** A page of a table's rows. @throws ServiceError 400 for an unknown database or table, or an invalid cursor */
export async function readTableRows(
  services: Services,
  { database: name, table: tableName, cursor }: Place & { readonly database: string; readonly table: string },
) {
  const database = openDatabase(services, name);
  const table = isCarried(database, tableName) ? await findTable(database.run, tableName) : undefined;
  if (table === undefined) throw ERRORS.InvalidQuery({ table: "Unknown" });
  const list = { name: "readBackupRows", filters: { database: name, table: tableName } };
  const [after] = readCursor<[place: string]>(services, list, cursor) ?? [];
  return toPage(services, list, await readRows(database.run, table, after));
}

/**
 * A page of an account's object. It holds figures, log, credentials and open changes; sessions and unfinished uploads are left out.
 * @throws ServiceError 404 if the account does not exist, 400 for an invalid cursor
 */
export async function readAccountPage(
  services: Pick<Services, "meterOf" | "config">,
  accountId: string,
  { cursor }: Place,
) {
  const list = { name: "readBackupAccount", accountId };
  const [after] = readCursor<[place: string]>(services, list, cursor) ?? [];
  const page = await services.meterOf(accountId).readBackup(after);
  if (page === undefined) throw ERRORS.AccountNotFound();
  return toPage(services, list, page as AccountPage);
}

/** A page of every object in R2 but previews, which are made again. */
export async function listStoredFiles(services: Pick<Services, "files" | "config">, { cursor }: Place) {
  const { files } = services;
  const list = { name: "listBackupFiles" };
  const [after] = readCursor<[key: string]>(services, list, cursor) ?? [];
  const found = await files.list({
    limit: FILES_PAGE,
    include: ["httpMetadata", "customMetadata"],
    ...(after === undefined ? {} : { startAfter: after }),
  });
  const last = found.objects.at(-1)?.key;
  return toPage(services, list, {
    files: found.objects
      .filter(({ key }) => !key.startsWith(PREVIEWS_PREFIX) && key !== RESTORE_MARKER)
      .map(({ key, size, etag, httpMetadata = {}, customMetadata = {} }) => ({
        key,
        size,
        etag,
        httpMetadata: toTexts(httpMetadata),
        customMetadata,
      })),
    next: found.truncated && last !== undefined ? last : null,
  });
}

function toTexts(metadata: R2HTTPMetadata): Record<string, string> {
  const entries = Object.entries(metadata).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)] as const],
  );
  return Object.fromEntries(entries);
}

export interface FileRange {
  readonly key: string;
  readonly etag: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * A range of a stored object. All ranges of a file are of one version of it.
 * @throws ServiceError 404 if it is gone, 412 if it is another version, 416 for a range beyond its end
 */
export async function readFileRange(
  { files }: Pick<Services, "files">,
  { key, etag, offset, length }: FileRange,
): Promise<R2ObjectBody> {
  const facts = await files.head(key);
  if (facts === null) throw ERRORS.FileNotFound();
  if (facts.etag !== etag) throw ERRORS.PreconditionFailed();
  if (offset + length > facts.size) throw ERRORS.RangeNotSatisfiable(facts.size);
  const options = { onlyIf: { etagMatches: etag }, ...(length === 0 ? {} : { range: { offset, length } }) };
  const object = await files.get(key, options);
  if (object === null) throw ERRORS.FileNotFound();
  if (!("body" in object)) throw ERRORS.PreconditionFailed();
  return object;
}
