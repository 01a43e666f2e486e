import type { Refused } from "../books/figures.ts";
import type { Suspension } from "../books/suspension-store.ts";
import { changeFileRules } from "./change-file-rules.ts";
import type { MeterContext } from "./context.ts";
import { findErasure } from "./erase.ts";
import type { Erasure } from "./outcomes.ts";

/** The operator's actions on one account. Its alarm and the uploads that were admitted before continue. */

/**
 * Stops every session and key from this call on, and the files within a minute unless they are to be served. Nothing is deleted. A second
 * call replaces reason and rules.
 * @returns undefined if there is no such account
 */
export async function suspend(
  context: MeterContext,
  rules: Omit<Suspension, "suspendedAt">,
): Promise<Suspension | undefined> {
  const { suspension } = context.tables;
  const changed = await changeFileRules(context, { suspended: rules.servesFiles ? null : true }, () =>
    suspension.set({ ...rules, suspendedAt: suspension.current?.suspendedAt ?? Date.now() }),
  );
  return changed && suspension.current;
}

/** @returns false if there is no such account */
export async function unsuspend(context: MeterContext): Promise<boolean> {
  const rules = await changeFileRules(context, { suspended: null }, () => context.tables.suspension.clear());
  // Its expiries have waited.
  context.tables.alarm.bringForward(Date.now());
  return rules !== undefined;
}

/** Undefined if the account is not suspended or does not exist. */
export async function findSuspension({ tables, load }: MeterContext): Promise<Suspension | undefined> {
  return (await load()) ? tables.suspension.current : undefined;
}

/** Ends every session. @returns false if there is no such account */
export async function endSessions({ tables, load }: MeterContext): Promise<boolean> {
  if (!(await load())) return false;
  tables.sessions.endOthers(null);
  tables.uploadTokens.removeOfSessions(null);
  return true;
}

/** Erases the account for the operator: no session is needed. A repeated call continues the erasure. */
export async function eraseForOperator({ tables, runner, load }: MeterContext): Promise<Erasure | Refused> {
  const begun = findErasure(tables);
  if (begun !== undefined) return begun;
  if (!(await load())) return { outcome: "refused" };
  await runner.change({ kind: "erase" }, () => {
    tables.sessions.endOthers(null);
    tables.intents.remove("move");
  });
  return findErasure(tables) ?? { outcome: "refused" };
}
