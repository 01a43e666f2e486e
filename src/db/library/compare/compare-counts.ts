import { type SQL, sql } from "drizzle-orm";
import { UPLOAD_STATUSES } from "../../../domain/upload-status.ts";
import type { Library } from "../library.ts";
import { uploadCounts } from "../schema.ts";

/** Uploads counted, and counts read, by one statement. */
const STEP_UPLOADS = 20_000;
const STEP_COUNTS = 10_000;
/** Accounts with more counts are not compared, because the counts are held in memory. */
const MAX_COUNTS = 200_000;

export interface CountKey {
  readonly folderId: string;
  readonly facet: string;
  readonly status: string;
  readonly value: string;
}

interface Count extends CountKey {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Finds the keys of counts that seem to differ from the number and bytes of their uploads. A change during the counting may add keys, so
 * each is checked again (`isCountRight`). Uploads are counted in steps of one short statement.
 * @returns undefined if the account has too many counts to compare
 */
export async function findSuspectCounts(db: Library, accountId: string): Promise<CountKey[] | undefined> {
  const counted = await countUploads(db, accountId);
  if (counted === undefined) return undefined;
  const suspects: CountKey[] = [];
  for (let after: CountKey | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const rows: Count[] = await listCounts(db, accountId, after);
    for (const row of rows) {
      const key = toText(row);
      const sums = counted.get(key);
      if (sums?.count !== row.count || sums.bytes !== row.bytes) suspects.push(row);
      counted.delete(key);
    }
    after = rows.length === STEP_COUNTS ? rows.at(-1) : undefined;
  }
  return [...suspects, ...Array.from(counted.keys(), fromText)];
}

/** Whether a count is the number and bytes of its uploads, checked in one statement. */
export async function isCountRight(db: Library, accountId: string, key: CountKey): Promise<boolean> {
  const [row] = await db.all<{ count: number; bytes: number; kept: number | null; kept_bytes: number | null }>(sql`
    SELECT actual.count, actual.bytes, counted.count AS kept, counted.bytes AS kept_bytes
    FROM (${actualOf(accountId, key)}) AS actual
    LEFT JOIN (SELECT count, bytes FROM ${uploadCounts} WHERE ${isKey(accountId, key)}) AS counted`);
  return row !== undefined && row.count === (row.kept ?? 0) && row.bytes === (row.kept_bytes ?? 0);
}

/** Counts the uploads of a key again, in one transaction. */
export async function recount(db: Library, accountId: string, key: CountKey): Promise<void> {
  const { folderId, facet, status, value } = key;
  await db.idempotent(() =>
    db.batch([
      db.delete(uploadCounts).where(isKey(accountId, key)),
      db.insert(uploadCounts).select(
        sql`SELECT ${accountId}, ${folderId}, ${facet}, ${status}, ${value}, actual.count, actual.bytes
            FROM (${actualOf(accountId, key)}) AS actual WHERE actual.count > 0`,
      ),
    ]),
  );
}

function isKey(accountId: string, { folderId, facet, status, value }: CountKey): SQL {
  return sql`account_id = ${accountId} AND folder_id = ${folderId} AND facet = ${facet} AND status = ${status} AND value = ${value}`;
}

function actualOf(accountId: string, { folderId, facet, status, value }: CountKey): SQL {
  const place = folderId === "*" ? sql`true` : folderId === "" ? sql`folder_id IS NULL` : sql`folder_id = ${folderId}`;
  const facets: Readonly<Record<string, SQL>> = {
    type: sql`mime_type = ${value}`,
    day: sql`strftime('%Y-%m-%d', created_at / 1000, 'unixepoch') = ${value}`,
    favorite: sql`favorite = 1 AND ${value} = ''`,
    tag: sql`EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ${value})`,
  };
  return sql`SELECT count(*) AS count, ifnull(sum(size_bytes), 0) AS bytes FROM uploads
    WHERE account_id = ${accountId} AND status = ${status} AND ${place} AND ${facets[facet] ?? sql`false`}`;
}

async function countUploads(
  db: Library,
  accountId: string,
): Promise<Map<string, { count: number; bytes: number }> | undefined> {
  const counted = new Map<string, { count: number; bytes: number }>();
  for (const status of UPLOAD_STATUSES) {
    for (let after: string | undefined = "-1"; after !== undefined; ) {
      const step: SQL = sql`SELECT number, folder_id, mime_type, favorite, tags, created_at, size_bytes FROM uploads
        WHERE account_id = ${accountId} AND status = ${status} AND number > CAST(${after} AS INTEGER) ORDER BY number LIMIT ${STEP_UPLOADS}`;
      const rows: Count[] = await db.all<Count>(sql`
        SELECT place.value AS folderId, facet.name AS facet, ${status} AS status, facet.value AS value, count(*) AS count, sum(size_bytes) AS bytes
        FROM (
          SELECT 'type' AS name, mime_type AS value, folder_id, size_bytes FROM (${step})
          UNION ALL SELECT 'day', strftime('%Y-%m-%d', created_at / 1000, 'unixepoch'), folder_id, size_bytes FROM (${step})
          UNION ALL SELECT 'favorite', '', folder_id, size_bytes FROM (${step}) WHERE favorite
          UNION ALL SELECT 'tag', tag.value, folder_id, size_bytes FROM (${step}) AS upload, json_each(upload.tags) AS tag
        ) AS facet
        CROSS JOIN json_each(json_array(ifnull(facet.folder_id, ''), '*')) AS place
        GROUP BY 1, 2, 4 LIMIT ${MAX_COUNTS + 1}`);
      for (const row of rows) {
        const key = toText(row);
        const sums = counted.get(key) ?? { count: 0, bytes: 0 };
        counted.set(key, { count: sums.count + row.count, bytes: sums.bytes + row.bytes });
      }
      if (counted.size > MAX_COUNTS) return undefined;
      const [end] = await db.all<{ number: string }>(
        sql`SELECT CAST(number AS TEXT) AS number FROM (${step}) LIMIT 1 OFFSET ${STEP_UPLOADS - 1}`,
      );
      after = end?.number;
    }
  }
  return counted;
}

async function listCounts(db: Library, accountId: string, after: CountKey | undefined): Promise<Count[]> {
  const rest =
    after === undefined
      ? sql``
      : sql`AND (folder_id, facet, status, value) > (${after.folderId}, ${after.facet}, ${after.status}, ${after.value})`;
  return db.all<Count>(sql`
    SELECT folder_id AS folderId, facet, status, value, count, bytes FROM ${uploadCounts}
    WHERE account_id = ${accountId} ${rest} ORDER BY folder_id, facet, status, value LIMIT ${STEP_COUNTS}`);
}

function toText({ folderId, facet, status, value }: CountKey): string {
  return JSON.stringify([folderId, facet, status, value]);
}

function fromText(text: string): CountKey {
  const [folderId, facet, status, value] = JSON.parse(text) as [string, string, string, string];
  return { folderId, facet, status, value };
}

/** Sums the bytes of an account's files from its counts, without these uploads. One statement reads a few rows. */
export async function sumStoredBytes(db: Library, accountId: string, withoutIds: readonly string[]): Promise<number> {
  const [row] = await db.all<{ bytes: number }>(sql`
    SELECT ifnull((SELECT sum(bytes) FROM ${uploadCounts} WHERE account_id = ${accountId} AND folder_id = '*' AND facet = 'type'), 0)
      - ifnull((SELECT sum(size_bytes) FROM uploads
          WHERE id IN (SELECT value FROM json_each(${JSON.stringify(withoutIds)})) AND +account_id = ${accountId}), 0) AS bytes`);
  return row?.bytes ?? 0;
}
