import type { Refused } from "../books/figures.ts";
import type { AccountTables } from "./account-tables.ts";
import type { MeterContext } from "./context.ts";
import type { Erasure } from "./outcomes.ts";

/**
 * Erases the account. Its owner loses access at once; the alarm finishes the erasure of a large library.
 * @returns `refused` if the session has ended since the request was admitted
 */
export async function erase({ tables, runner, load }: MeterContext, sessionId: string): Promise<Erasure | Refused> {
  if (!(await load())) return { outcome: "refused" };
  const begun = tables.intents.find("erase")?.intent;
  // This is a repeated call: the first call ended its session.
  if (begun?.kind === "erase" && begun.sessionId === sessionId) return findErasure(tables) ?? { outcome: "refused" };
  if (!tables.lives({ kind: "session", sessionId }, Date.now())) return { outcome: "refused" };
  await runner.change({ kind: "erase", sessionId }, () => {
    tables.sessions.endOthers(null);
    tables.intents.remove("move");
  });
  return findErasure(tables) ?? { outcome: "refused" };
}

/** The state of an erasure; undefined if none was requested or its record expired. */
export function findErasure({ tombstone, intents }: AccountTables): Erasure | undefined {
  const { erasedAt } = tombstone;
  if (erasedAt !== undefined) return { outcome: "erased", erasedAt };
  const intent = intents.find("erase")?.intent;
  if (intent?.kind !== "erase") return undefined;
  const { emptiedAt } = intent;
  return emptiedAt === undefined ? { outcome: "erasing" } : { outcome: "erased", erasedAt: emptiedAt };
}
