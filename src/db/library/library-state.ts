import { and, eq, gte, lte } from "drizzle-orm";
import type { Library } from "./library.ts";
import { libraries } from "./schema.ts";

export type LibraryState = (typeof libraries.$inferSelect)["state"];

/**
 * One step of moving an account's library, with its time on the clock of the account's object, which never goes back. An object that was
 * reset does not know whether its last call arrived, and a slow call may arrive after a newer one. So a shard refuses the whole transaction
 * of a step that is older than the last one it has seen.
 */
export interface MoveStep {
  readonly accountId: string;
  readonly movedAt: number;
}

/** Newer than every other step. */
export const LAST_STEP = Number.MAX_SAFE_INTEGER;

/** Records the state of an account's library in this shard, as a new row or as a change of its row. */
export async function putLibrary(db: Library, { accountId, movedAt }: MoveStep, state: LibraryState): Promise<void> {
  await db.idempotent(() =>
    db
      .insert(libraries)
      .values({ id: accountId, state, movedAt })
      .onConflictDoUpdate({ target: libraries.id, set: { state, movedAt } })
      .run(),
  );
}

/** Changes the state of a library in this shard if the shard has a record of it. */
export async function setLibraryState(
  db: Library,
  { accountId, movedAt }: MoveStep,
  state: LibraryState,
): Promise<void> {
  await db.idempotent(() => db.update(libraries).set({ state, movedAt }).where(eq(libraries.id, accountId)).run());
}

/** The first statement of a step's transaction: the transaction fails if the shard has seen a newer step. */
export function requireNewestStep(db: Library, { accountId, movedAt }: MoveStep) {
  return db.update(libraries).set({ movedAt }).where(eq(libraries.id, accountId));
}

/** Undefined if the shard has no record of the library. */
export async function findLibraryState(db: Library, accountId: string): Promise<LibraryState | undefined> {
  const row = await db.select({ state: libraries.state }).from(libraries).where(eq(libraries.id, accountId)).get();
  return row?.state;
}

/** Lists the accounts whose library is or was in this shard, from this id, in order. @param toId null: no upper bound */
export async function listLibraries(
  db: Library,
  { fromId, toId, limit }: { readonly fromId: string; readonly toId: string | null; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: libraries.id })
    .from(libraries)
    .where(and(gte(libraries.id, fromId), toId === null ? undefined : lte(libraries.id, toId)))
    .orderBy(libraries.id)
    .limit(limit)
    .all();
  return rows.map(({ id }) => id);
}
