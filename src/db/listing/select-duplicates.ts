import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { treeOf } from "../library/folders.ts";
import type { Library } from "../library/library.ts";
import { type Upload, uploads } from "../library/schema.ts";
import { uploadColumns } from "../library/uploads.ts";

interface Owner {
  readonly accountId: string;
  /** Only this folder and its descendants. */
  readonly root?: string | undefined;
}

interface Stretch {
  /** Hashes that may have several files, in order. */
  readonly hashes: readonly string[];
  /** The last hash of the stretch; null if the stretch reached the end of the index. */
  readonly last: string | null;
}

/**
 * Walks a stretch of `uploads_by_sha256` and reads no rows. The last hash of a stretch that is full is in `hashes` as well, because more
 * of its files may follow. The next stretch begins after it.
 * @param size the entries of the index that are read
 */
export async function walkHashes(
  library: Library,
  { accountId }: Owner,
  after: string,
  size: number,
): Promise<Stretch> {
  const rows = await library.all<{ hash: string; last: string | null }>(sql`
    SELECT hash, last FROM (
      WITH stretch AS MATERIALIZED (
        SELECT sha256 AS hash FROM uploads INDEXED BY uploads_by_sha256
        WHERE account_id = ${accountId} AND sha256 IS NOT NULL AND sha256 > ${after} ORDER BY sha256 LIMIT ${size}
      ),
      ends AS MATERIALIZED (SELECT iif(count(*) < ${size}, NULL, max(hash)) AS last FROM stretch)
      SELECT hash, last FROM stretch CROSS JOIN ends GROUP BY hash HAVING count(*) > 1 OR hash = last
    ) ORDER BY hash`);
  return { hashes: rows.map(({ hash }) => hash), last: rows.at(-1)?.last ?? null };
}

export interface HashCount {
  readonly hash: string;
  /** Active files with the hash that the owner reaches and that are not taken down. */
  readonly count: number;
  readonly sizeBytes: number;
  /** The oldest of these files. */
  readonly ids: readonly string[];
}

interface Bounds {
  /** The oldest files with a hash that are looked at. */
  readonly looked: number;
  readonly listed: number;
}

/** Counts the files of each hash. Hashes without two files are left out. */
export async function countSame(
  library: Library,
  { accountId, root }: Owner,
  hashes: readonly string[],
  { looked, listed }: Bounds,
): Promise<HashCount[]> {
  const isReached: SQL = root === undefined ? sql`` : sql`AND o.folder_id IN ${treeOf(accountId, root)}`;
  const oldest = sql`
    SELECT u.id, u.size_bytes, u.folder_id, u.status, u.takedown FROM uploads AS u INDEXED BY uploads_by_sha256
    WHERE u.account_id = ${accountId} AND u.sha256 IS NOT NULL AND u.sha256 = h.value ORDER BY u.number LIMIT ${looked}`;
  const same = sql`SELECT o.id, o.size_bytes FROM (${oldest}) AS o
    WHERE o.status = 'active' AND o.takedown IS NULL ${isReached}`;
  const rows = await library.all<{ hash: string; found: string }>(sql`
    SELECT h.value AS hash,
      (SELECT json_object('count', count(*), 'sizeBytes', max(size_bytes), 'ids', json_group_array(id)) FROM (${same})) AS found
    FROM json_each(${JSON.stringify(hashes)}) AS h ORDER BY h.value`);
  return rows.flatMap(({ hash, found }) => {
    const { count, sizeBytes, ids }: Omit<HashCount, "hash"> = JSON.parse(found);
    return count < 2 ? [] : [{ hash, count, sizeBytes, ids: ids.slice(0, listed) }];
  });
}

/** The files of groups, oldest first, if they still belong to them. */
export async function selectSame(
  library: Library,
  { accountId, root }: Owner,
  groups: readonly HashCount[],
): Promise<Upload[]> {
  const ids = JSON.stringify(groups.flatMap(({ ids }) => ids));
  const isReached = root === undefined ? undefined : inArray(uploads.folderId, treeOf(accountId, root));
  return library
    .select(uploadColumns)
    .from(uploads)
    .where(
      and(
        sql`+${uploads.accountId} = ${accountId}`,
        inArray(uploads.id, sql`(SELECT value FROM json_each(${ids}))`),
        eq(uploads.status, "active"),
        isNull(uploads.takedown),
        isReached,
      ),
    )
    .orderBy(asc(uploads.number));
}
