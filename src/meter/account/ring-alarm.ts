import { toLogLine } from "../../domain/log-line.ts";
import { UNVERIFIED_MS } from "../../domain/mail-proofs.ts";
import { retryQueue } from "../../isolate/calls.ts";
import { sendDueAlerts } from "../alerts/send-due-alerts.ts";
import { TOMBSTONE_MS } from "../books/tombstone.ts";
import { sendDueEvents } from "../events/send-due-events.ts";
import { sendDueImports } from "../imports/send-due-imports.ts";
import { expireUploads } from "../intents/expire-uploads.ts";
import { reportOverdue } from "../intents/operate-intents.ts";
import { verificationMode } from "../mail-bindings.ts";
import type { MeterContext } from "./context.ts";

/**
 * Sends due alerts and events, calls consumers of imports, replays intents that no request settled in time, and removes expired uploads and
 * records.
 */
export async function ringAlarm(context: MeterContext): Promise<void> {
  const { tables, overdue, timeoutMs } = context;
  await tables.alarm.ring(
    () => doDueWork(context),
    () => tables.nextDueAt() ?? (overdue.hasNews && tables.ledger.exists ? Date.now() + timeoutMs() : null),
  );
}

async function doDueWork(context: MeterContext): Promise<void> {
  const { env, tables, runner, resumable, overdue } = context;
  const { erasedAt } = tables.tombstone;
  if (erasedAt !== undefined) {
    if (erasedAt + TOMBSTONE_MS <= Date.now()) await tables.forget();
    return;
  }
  // This is read now, because the account may be erased below.
  const accountId = tables.ledger.exists ? tables.ledger.accountId : undefined;
  if (tables.ledger.exists) await sendDueAlerts(tables, retryQueue(env.ALERTS));
  if (tables.ledger.exists) await sendDueEvents(context);
  eraseUnverified(context);
  if (tables.erasing) await resumable.ends.dropAll();
  await runner.replayDue();
  await expireUploads(context);
  if (tables.ledger.exists) await resumable.ends.sweep();
  if (tables.ledger.exists) await sendDueImports(tables, retryQueue(env.IMPORTS));
  if (tables.ledger.exists) tables.ledger.prune(Date.now());
  if (tables.ledger.exists) tables.events.pages.prune(Date.now());
  tables.claims.prune(Date.now());
  if (accountId !== undefined && overdue.hasNews) await reportOverdue(context, accountId);
}

/**
 * Begins to erase an account whose address was not verified in time. If verification was not required when the time ended, the account
 * stays permanently.
 */
function eraseUnverified({ env, storage, tables }: MeterContext): void {
  const { ledger, intents, sessions, suspension } = tables;
  const dueAt = ledger.exists ? ledger.verificationDueAt : null;
  if (dueAt === null || dueAt > Date.now()) return;
  storage.transactionSync(() => {
    // Nothing of a suspended account is deleted.
    if (suspension.current !== undefined) return ledger.setVerifyBy(Date.now() + UNVERIFIED_MS);
    ledger.setVerifyBy(null);
    if (verificationMode(env) !== "required" || tables.erasing) return;
    console.log(toLogLine("account.not-verified", { accountId: ledger.accountId }));
    sessions.endOthers(null);
    intents.remove("move");
    intents.put({ kind: "erase" }, 0, Date.now());
  });
}
