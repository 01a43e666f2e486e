import type { AccountBooks } from "./account-books.ts";

/** Sets the alarm for the next due intent, alert or upload in pieces, or the next pruning of the log; an earlier one that is set stays. */
export async function scheduleAlarm(
  storage: DurableObjectStorage,
  { ledger, intents, resumables }: AccountBooks,
): Promise<void> {
  const dueTimes = [intents.nextDueAt(), ledger.alerts.deliveries.nextDueAt(), resumables.nextDueAt()].filter(
    (at) => at !== null,
  );
  const nextAt = dueTimes.length > 0 ? Math.min(...dueTimes) : ledger.exists ? ledger.log.nextPruningAt() : null;
  if (nextAt === null) return;
  const dueAt = Math.max(nextAt, Date.now());
  const current = await storage.getAlarm();
  if (current === null || current > dueAt) await storage.setAlarm(dueAt);
}
