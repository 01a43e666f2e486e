import { findUploads } from "../../db/library/uploads.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { MeterContext } from "../account/context.ts";
import { toLoggedRow } from "../books/uploads-and-deletions.ts";
import { digestOf, type EventFacts, type OpenEvent } from "./event.ts";
import { isOpen } from "./event-pages.ts";

/** Rows that one pass closes: a bulk change of 1,000 uploads and some more. */
const PAGES = 60;
const RETRY_MS = MINUTE_MS / 2;

/**
 * Gives open events their facts from D1. An announced event is left open until its request has ended or timed out. Then it becomes an event
 * if the upload changed since the announcement, and nothing otherwise. Another event of the same upload hides whether it changed, so the
 * event is then sent, too: at least once.
 */
export async function closeEvents({ storage, tables, openStores, timeoutMs }: MeterContext): Promise<void> {
  const { events } = tables;
  const { pages, ended } = events;
  const now = Date.now();
  const isMade = ({ before, at }: OpenEvent, place: number) =>
    before === undefined || ended.has(place) || at + timeoutMs() <= now;
  const open = pages.listOpen(PAGES);
  // The last event of an upload shows its last state, so it is not closed before an earlier one whose change may still come.
  const awaited = new Set<string>();
  const due: { readonly event: OpenEvent; readonly place: number }[] = [];
  for (const { first, events: written } of open) {
    for (const [index, event] of written.entries()) {
      if (!isOpen(event)) continue;
      const place = first + index;
      if (awaited.has(event.uploadId) || !isMade(event, place)) awaited.add(event.uploadId);
      else due.push({ event, place });
    }
  }
  if (due.length === 0) return;
  const ids = [...new Set(due.map(({ event }) => event.uploadId))];
  const { accountId, library } = openStores();
  const rows = new Map((await findUploads(library, accountId, ids)).map((row) => [row.id, row]));
  const facts = new Map(due.map(({ event, place }) => [place, factsOf(event, place)]));
  storage.transactionSync(() => {
    for (const { first } of open) pages.close(first, (_, place) => facts.get(place));
  });
  for (const { place } of due) ended.delete(place);

  function factsOf({ uploadId, before }: OpenEvent, place: number): EventFacts | null {
    const row = rows.get(uploadId);
    const isChanged = before === undefined || row === undefined || digestOf(toLoggedRow(row)) !== before;
    if (!isChanged && !pages.mentions(uploadId, place)) return null;
    return row === undefined ? { kind: "deleted", uploadId } : { kind: "upload", row: toLoggedRow(row) };
  }
}

/** Does the same before another change of these uploads, which would hide the one before. */
export async function closeBefore(context: MeterContext, uploadIds: readonly string[]): Promise<void> {
  const ended = new Set(context.tables.events.ended.values());
  if (ended.size > 0 && uploadIds.some((id) => ended.has(id))) await closeEvents(context);
}

/** Does the same if it is time. A failure of D1 is logged, and another alarm tries again. */
export async function closeDueEvents(context: MeterContext): Promise<void> {
  const { tables, timeoutMs } = context;
  const { events, ledger } = tables;
  if (!events.mustClose(Date.now(), timeoutMs())) return;
  try {
    await closeEvents(context);
  } catch (error) {
    console.error(toLogLine("events.not-closed", { accountId: ledger.accountId }, error));
    events.closeLater(Date.now() + RETRY_MS);
  }
}
