import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Library } from "../library.ts";
import { libraries, movedUploads } from "../schema.ts";

/** Returns the ids that this shard does not know. All of these uploads were made in this shard and are in another shard now. */
export async function findUnknownMoved(db: Library, accountId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  // While a library moves, its old rows still exist here.
  const rows = await db.all<{ id: string }>(sql`
    SELECT value AS id FROM json_each(${JSON.stringify(ids)})
    WHERE NOT EXISTS (SELECT 1 FROM moved_uploads WHERE id = value AND account_id = ${accountId})
      AND NOT EXISTS (SELECT 1 FROM uploads WHERE id = value AND account_id = ${accountId})`);
  return rows.map(({ id }) => id);
}

/** Lists the ids that a shard keeps of an account's moved uploads, in order. @param after "" at the beginning */
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

/** Adds uploads that were made in this shard and moved. If the shard has no record of the library, one with the state `left` is added. */
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
