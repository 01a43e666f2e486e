import { and, asc, desc, eq, getTableColumns, like, lt, lte, notLike, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias } from "drizzle-orm/sqlite-core";
import { ACCOUNT_ACTOR } from "../../domain/operator.ts";
import type { Directory } from "./directory.ts";
import { accounts, blockedHashes, type TakedownRow, takedowns } from "./schema.ts";

/** Accounts that are being erased have no e-mail. */
const ERASED = "erased:%";

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

/** A takedown with the e-mails of its owner and of the account whose session acted. Accounts may be gone. */
export interface ListedTakedown extends TakedownRow {
  readonly ownersEmail: string | null;
  readonly actorsEmail: string | null;
}

interface TakedownSlice {
  /** Only takedowns before this one. */
  readonly before: string | undefined;
  /** Only takedowns of this upload. */
  readonly uploadId: string | undefined;
  readonly limit: number;
}

/** Takedowns, newest first. A page reads three rows for each takedown. */
export async function listTakedowns(
  db: Directory,
  { before, uploadId, limit }: TakedownSlice,
): Promise<ListedTakedown[]> {
  const [owners, actors] = [alias(accounts, "owners"), alias(accounts, "actors")];
  const actorsId = sql`substr(${takedowns.actor}, ${ACCOUNT_ACTOR.length + 1})`;
  const isMarked = like(takedowns.actor, `${ACCOUNT_ACTOR}%`);
  return db
    .select({ ...getTableColumns(takedowns), ownersEmail: owners.email, actorsEmail: actors.email })
    .from(takedowns)
    .leftJoin(owners, and(eq(owners.id, takedowns.accountId), notLike(owners.email, ERASED)))
    .leftJoin(actors, and(isMarked, eq(actors.id, actorsId), notLike(actors.email, ERASED)))
    .where(
      and(
        before === undefined ? undefined : lt(takedowns.id, before),
        uploadId === undefined ? undefined : eq(takedowns.uploadId, uploadId),
      ),
    )
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
