import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Library } from "../library.ts";
import { libraries, movedUploads } from "../schema.ts";

/** Of uploads that were made in this shard and are in another one now, those of which the shard does not know that they exist. */
export async function findUnknownMoved(db: Library, accountId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  // While a library leaves, its old rows are there still.
  const rows = await db.all<{ id: string }>(sql`
    SELECT value AS id FROM json_each(${JSON.stringify(ids)})
    WHERE NOT EXISTS (SELECT 1 FROM moved_uploads WHERE id = value AND account_id = ${accountId})
      AND NOT EXISTS (SELECT 1 FROM uploads WHERE id = value AND account_id = ${accountId})`);
  return rows.map(({ id }) => id);
}

/** The ids that a shard keeps of an account's uploads in another one, in order. @param after "" at the beginning */
export async function listMoved(db: Library, accountId: string, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: movedUploads.id })
    .from(movedUploads)
    .where(and(eq(movedUploads.accountId, accountId), gt(movedUploads.id, after)))
    .orderBy(movedUploads.id)
    .limit(limit)
    .all();
  return rows.map(({ id }) => id);
}

/** Has a shard know that these uploads exist, which were made here. Where it knew nothing of the library, that has left. */
export async function addMoved(db: Library, accountId: string, ids: readonly string[]): Promise<void> {
  await db.idempotent(() =>
    db.batch([
      db.insert(libraries).values({ id: accountId, state: "left" }).onConflictDoNothing(),
      db
        .insert(movedUploads)
        .select(sql`SELECT value, ${accountId} FROM json_each(${JSON.stringify(ids)}) WHERE true`)
        .onConflictDoNothing(),
    ]),
  );
}

export async function removeMoved(db: Library, accountId: string, ids: readonly string[]): Promise<void> {
  const own = and(
    eq(movedUploads.accountId, accountId),
    inArray(movedUploads.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  );
  await db.idempotent(() => db.delete(movedUploads).where(own).run());
}
