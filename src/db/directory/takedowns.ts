import { and, asc, desc, eq, lt, lte } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Directory } from "./directory.ts";
import { blockedHashes, type TakedownRow, takedowns } from "./schema.ts";

export interface BlockedHash {
  readonly hash: string;
  readonly sizeBytes: number;
}

/** Records a takedown and blocks its hashes. A repeated call changes nothing, and a restored takedown stays restored. */
export async function insertTakedown(db: Directory, row: TakedownRow, hashes: readonly BlockedHash[]): Promise<void> {
  const insert = db.insert(takedowns).values(row).onConflictDoNothing();
  const block = hashes.map(
    (blocked): BatchItem<"sqlite"> =>
      db
        .insert(blockedHashes)
        .values({ ...blocked, takedownId: row.id })
        .onConflictDoNothing(),
  );
  await db.idempotent(() => db.batch([insert, ...block]));
}

/** Ends a takedown: its bytes belong to the upload again, or are destroyed. @param unblock whether uploads may have its hashes again */
export async function endTakedown(
  db: Directory,
  id: string,
  { state, at, unblock }: { readonly state: "restored" | "destroyed"; readonly at: number; readonly unblock: boolean },
): Promise<void> {
  const update = db.update(takedowns).set({ state, stateAt: at }).where(eq(takedowns.id, id));
  const free = db.delete(blockedHashes).where(eq(blockedHashes.takedownId, id));
  await db.idempotent(() => db.batch([update, ...(unblock ? [free] : [])]));
}

export async function findTakedown(db: Directory, id: string): Promise<TakedownRow | undefined> {
  return db.select().from(takedowns).where(eq(takedowns.id, id)).get();
}

/** Whether an upload is taken down, or was taken down and restored. */
export async function wasTakenDown(db: Directory, uploadId: string): Promise<boolean> {
  const { id, uploadId: upload } = takedowns;
  return (await db.select({ id }).from(takedowns).where(eq(upload, uploadId)).limit(1).get()) !== undefined;
}

/** Takedowns before this one, newest first. */
export async function listTakedowns(db: Directory, before: string | undefined, limit: number): Promise<TakedownRow[]> {
  return db
    .select()
    .from(takedowns)
    .where(before === undefined ? undefined : lt(takedowns.id, before))
    .orderBy(desc(takedowns.id))
    .limit(limit)
    .all();
}

/** Takedowns whose kept bytes are due to be destroyed. */
export async function listExpiredTakedowns(db: Directory, now: number, limit: number): Promise<TakedownRow[]> {
  return db
    .select()
    .from(takedowns)
    .where(and(eq(takedowns.state, "kept"), lte(takedowns.keepUntil, now)))
    .orderBy(asc(takedowns.keepUntil))
    .limit(limit)
    .all();
}

/** The distinct sizes of blocked files, at most `limit`. */
export async function listBlockedSizes(db: Directory, limit: number): Promise<number[]> {
  const { sizeBytes } = blockedHashes;
  return (await db.selectDistinct({ sizeBytes }).from(blockedHashes).limit(limit).all()).map((row) => row.sizeBytes);
}

export async function isSizeBlocked(db: Directory, sizeBytes: number): Promise<boolean> {
  const { hash, sizeBytes: size } = blockedHashes;
  return (await db.select({ hash }).from(blockedHashes).where(eq(size, sizeBytes)).limit(1).get()) !== undefined;
}

export async function isBlocked(db: Directory, value: string): Promise<boolean> {
  const { hash } = blockedHashes;
  return (await db.select({ hash }).from(blockedHashes).where(eq(hash, value)).limit(1).get()) !== undefined;
}
