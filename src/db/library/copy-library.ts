import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { UploadStatus } from "../../domain/upload-status.ts";
import { toGrams } from "../listing/search-grams.ts";
import { emptyLibrary } from "./erase-library.ts";
import type { Library } from "./library.ts";
import { type MoveStep, requireNewestStep } from "./library-state.ts";
import { folders, folderTags, movedUploads, uploadCounts, uploads, uploadTags } from "./schema.ts";
import { uploadSearch } from "./upload-search.ts";

/** The longest JSON text of one statement: D1 binds at most 2 MB. */
const MAX_JSON_CHARACTERS = 400_000;

type Row = Record<string, string | number | null>;

/** A stored upload, by column names. The number is a text, because JavaScript's numbers are not exact enough. */
interface UploadRow extends Row {
  readonly number: string;
  readonly id: string;
  readonly account_id: string;
  readonly object_key: string;
  readonly original_filename: string;
}

const FOLDER_COLUMNS = Object.values(getTableColumns(folders)).map(({ name }) => name);
const UPLOAD_COLUMNS = Object.values(getTableColumns(uploads))
  .map(({ name }) => name)
  .filter((name) => name !== "number");

/** Copies an account's folders to another shard. Existing folders there do not change. */
export async function copyFolders(from: Library, to: Library, step: MoveStep): Promise<void> {
  const { accountId } = step;
  const columns = sql.raw(FOLDER_COLUMNS.join(", "));
  const rows = await from.all<Row>(sql`SELECT ${columns} FROM ${folders} WHERE account_id = ${accountId}`);
  const inserts = toTexts(rows).map((text) =>
    to
      .insert(folders)
      .select(sql`SELECT ${fields(FOLDER_COLUMNS)} FROM json_each(${text}) WHERE true`)
      .onConflictDoNothing({ target: folders.id }),
  );
  // A folder may precede its parent.
  await to.idempotent(() =>
    to.batch([requireNewestStep(to, step), to.run(sql`PRAGMA defer_foreign_keys = ON`), ...inserts]),
  );
}

/**
 * Copies some of an account's uploads of one status to another shard, in the order of their numbers. Existing uploads there do not change.
 * If another account has a number there, the upload gets the next free number, so the order stays.
 * @param after the number of the last copied upload
 * @returns the number of the last upload of this step; undefined if there were no more
 */
export async function copyUploads(
  from: Library,
  to: Library,
  { status, ...step }: MoveStep & { readonly status: UploadStatus },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string | undefined> {
  const { accountId } = step;
  const rows = await from.all<UploadRow>(sql`
    SELECT CAST(number AS TEXT) AS number, ${sql.raw(UPLOAD_COLUMNS.join(", "))} FROM ${uploads}
    WHERE account_id = ${accountId} AND status = ${status} AND uploads.number > CAST(${after} AS INTEGER)
    ORDER BY uploads.number LIMIT ${limit}`);
  const last = rows.at(-1)?.number;
  if (last === undefined) return undefined;
  const numbered = await renumber(to, accountId, rows);
  const inserts = toTexts(numbered).map((text) =>
    to
      .insert(uploads)
      .select(
        sql`SELECT CAST(value ->> 'number' AS INTEGER), ${fields(UPLOAD_COLUMNS)} FROM json_each(${text}) WHERE true`,
      )
      .onConflictDoNothing({ target: uploads.id }),
  );
  const searched = rows.map((row) => ({
    id: row.id,
    grams: toGrams(row.account_id, row.object_key, row.original_filename),
  }));
  const indexed = toTexts(searched).map((text) =>
    to.insert(uploadSearch).select(sql`
      SELECT ${uploads.number}, given.value ->> 'grams' FROM json_each(${text}) AS given
      JOIN ${uploads} ON ${uploads.id} = given.value ->> 'id'
      WHERE NOT EXISTS (SELECT 1 FROM upload_search WHERE rowid = ${uploads.number})`),
  );
  await to.idempotent(() => to.batch([requireNewestStep(to, step), ...inserts, ...indexed]));
  return last;
}

/** Gives rows numbers that no other account has in the shard, in the given order. */
async function renumber(to: Library, accountId: string, rows: readonly UploadRow[]): Promise<UploadRow[]> {
  const numbers = JSON.stringify(rows.map(({ number }) => number));
  // The milliseconds in which another account has one of the numbers, each with the last number of that millisecond.
  const taken = await to.all<{ moment: string; last: string }>(sql`
    SELECT CAST(moment AS TEXT) AS moment,
      CAST((SELECT max(number) FROM ${uploads} WHERE number >= moment << 20 AND number < (moment + 1) << 20) AS TEXT) AS last
    FROM (
      SELECT DISTINCT ${uploads.number} >> 20 AS moment FROM json_each(${numbers}) AS given
      JOIN ${uploads} ON ${uploads.number} = CAST(given.value AS INTEGER) WHERE +${uploads.accountId} <> ${accountId}
    )`);
  const lastOf = new Map(taken.map(({ moment, last }) => [BigInt(moment), BigInt(last)]));
  let previous = -1n;
  return rows.map((row) => {
    const number = BigInt(row.number);
    const free = (lastOf.get(number >> 20n) ?? -1n) + 1n;
    previous = [number, free, previous + 1n].reduce((most, one) => (one > most ? one : most));
    return { ...row, number: String(previous) };
  });
}

/** The figures that two copies of a library must have in common: its folders and every count of its uploads. */
export async function readFigures(db: Library, accountId: string): Promise<string> {
  const own = (table: typeof folders | typeof uploads | typeof uploadTags | typeof folderTags) =>
    sql`SELECT count(*) FROM ${table} WHERE ${table.accountId} = ${accountId}`;
  const totals = await db.all<Row>(sql`
    SELECT (${own(folders)}) AS folders, (${own(uploads)}) AS uploads, (${own(uploadTags)}) AS tags, (${own(folderTags)}) AS folder_tags`);
  const counts = await db.all<Row>(sql`
    SELECT folder_id, facet, status, count(*) AS "values", sum(count) AS uploads, sum(bytes) AS bytes FROM ${uploadCounts}
    WHERE account_id = ${accountId} GROUP BY folder_id, facet, status ORDER BY folder_id, facet, status`);
  return JSON.stringify([totals, counts]);
}

/**
 * Deletes some rows of a library that has moved, and keeps the ids of uploads that were made in this shard.
 * @returns whether nothing is left of the library
 */
export async function deleteSomeLeft(
  db: Library,
  { shard, ...step }: MoveStep & { readonly shard: string },
  limit: number,
): Promise<boolean> {
  const { accountId } = step;
  const some = db.select({ number: uploads.number }).from(uploads).where(eq(uploads.accountId, accountId)).limit(limit);
  const left = db.select({ id: uploads.id }).from(uploads).where(eq(uploads.accountId, accountId)).limit(1);
  const [, , , uploadsLeft] = await db.idempotent(() =>
    db.batch([
      requireNewestStep(db, step),
      keepMoved(db, shard, sql`${uploads.number} IN ${some}`),
      db.delete(uploads).where(sql`${uploads.number} IN ${some}`),
      left,
    ]),
  );
  if (uploadsLeft.length > 0) return false;
  await emptyLibrary(db, step);
  return true;
}

/** Stores the ids of uploads that were made in this shard before their rows are deleted. */
export function keepMoved(db: Library, shard: string, some: SQL | undefined) {
  const madeHere = db
    .select({ id: uploads.id, accountId: uploads.accountId })
    .from(uploads)
    .where(and(some, sql`substr(${uploads.id}, 11, 2) = ${shard}`));
  return db.insert(movedUploads).select(madeHere).onConflictDoNothing();
}

/** Deletes the stored ids when a library is back in its uploads' own shard, because the rows exist there again. */
export async function forgetMoved(db: Library, step: MoveStep): Promise<void> {
  await db.idempotent(() =>
    db.batch([requireNewestStep(db, step), db.delete(movedUploads).where(eq(movedUploads.accountId, step.accountId))]),
  );
}

/** The members of a JSON object as a list of columns. */
function fields(columns: readonly string[]) {
  return sql.raw(columns.map((name) => `value ->> '${name}'`).join(", "));
}

/** Rows as JSON texts, each short enough for one statement. */
function toTexts(rows: readonly Row[]): string[] {
  const texts: string[] = [];
  let members: string[] = [];
  let length = 0;
  for (const row of rows) {
    const member = JSON.stringify(row);
    if (length + member.length > MAX_JSON_CHARACTERS && members.length > 0) {
      texts.push(`[${members.join()}]`);
      members = [];
      length = 0;
    }
    members.push(member);
    length += member.length;
  }
  return members.length === 0 ? texts : [...texts, `[${members.join()}]`];
}
