import { MINUTE_MS } from "../../domain/calendar.ts";
import { MAX_IMPORTING } from "../../domain/imports.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { ImportDue } from "../../domain/queue-messages.ts";
import type { Sender } from "../../isolate/calls.ts";
import type { AccountTables } from "../account/account-tables.ts";

/** Messages that no consumer has taken after this time are sent again. A message without an open item does nothing. */
const SENT_MS = 10 * MINUTE_MS;
/** The delay after the queue has refused messages. */
const UNSENT_MS = MINUTE_MS;
/** The interval at which a suspended account is looked at. */
const SUSPENDED_MS = 60 * MINUTE_MS;

/**
 * Calls as many consumers as the account may have and has items for. The account's object never waits for a source itself, and consumers ask
 * it for items (`takeItem`), so a message that arrives twice or never does no harm.
 */
export async function sendDueImports(tables: AccountTables, queue: Sender<ImportDue>): Promise<void> {
  const { imports, importWakes, ledger, suspension } = tables;
  const now = Date.now();
  imports.prune(now);
  if (imports.listOpen().length === 0 || (importWakes.nextAt() ?? Number.POSITIVE_INFINITY) > now) return;
  const note = (delayMs: number) => importWakes.noteSent(now, now + delayMs);
  // An erased account gets no files.
  if (tables.erasing || suspension.current !== undefined) return note(SUSPENDED_MS);
  const free = MAX_IMPORTING[ledger.tier] - imports.countRunning(now);
  const due = imports.listDue(now, Math.max(0, free)).length;
  const hasUntouched = imports.listOpen().some((id) => imports.findUntouched(id) !== undefined);
  const wanted = hasUntouched ? free : Math.min(free, due);
  const { accountId } = ledger;
  try {
    const messages = Array.from({ length: Math.max(0, wanted) }, () => ({
      body: { type: "import.due", accountId } as const,
    }));
    if (messages.length > 0) await queue.sendBatch(messages);
    note(SENT_MS);
  } catch (error) {
    console.error(toLogLine("imports.sent-later", { accountId }, error));
    note(UNSENT_MS);
  }
}
