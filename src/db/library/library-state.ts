import { and, eq, gte, lte } from "drizzle-orm";
import type { Library } from "./library.ts";
import { libraries } from "./schema.ts";

export type LibraryState = (typeof libraries.$inferSelect)["state"];

/**
 * One step of moving an account's library, and when it was made, on the clock of the account's object, which never goes back. An object
 * that was reset does not know whether its last call arrived, and one that is slow may arrive after a newer one: a shard refuses
 * whatever is older than the last step that it has seen, with all of its transaction.
 */
export interface MoveStep {
  readonly accountId: string;
  readonly movedAt: number;
}

/** No step comes after this one. */
export const LAST_STEP = Number.MAX_SAFE_INTEGER;

/** Says of an account's library whether it is in this shard; its first row here, or a change of it. */
export async function putLibrary(db: Library, { accountId, movedAt }: MoveStep, state: LibraryState): Promise<void> {
  await db.idempotent(() =>
    db
      .insert(libraries)
      .values({ id: accountId, state, movedAt })
      .onConflictDoUpdate({ target: libraries.id, set: { state, movedAt } })
      .run(),
  );
}

/** Changes what is said of a library in this shard; nothing where there is none. */
export async function setLibraryState(
  db: Library,
  { accountId, movedAt }: MoveStep,
  state: LibraryState,
): Promise<void> {
  await db.idempotent(() => db.update(libraries).set({ state, movedAt }).where(eq(libraries.id, accountId)).run());
}

/** The first statement of a transaction that a step consists of: the whole fails where the shard has seen a newer one. */
export function requireNewestStep(db: Library, { accountId, movedAt }: MoveStep) {
  return db.update(libraries).set({ movedAt }).where(eq(libraries.id, accountId));
}

/** Undefined where the shard knows nothing of such a library. */
export async function findLibraryState(db: Library, accountId: string): Promise<LibraryState | undefined> {
  const row = await db.select({ state: libraries.state }).from(libraries).where(eq(libraries.id, accountId)).get();
  return row?.state;
}

/** The accounts of which this shard has, or had, the library, from this id on, in order. @param toId null: to the last one */
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
