import { GIVE_UP_MS } from "../../domain/events.ts";
import type { MeterContext } from "../account/context.ts";
import type { AlertDelivery } from "../alerts/alert.ts";
import type { NewWebhook, WebhookPut } from "./account-events.ts";
import { closeBefore, closeEvents } from "./close-events.ts";
import type {
  AnnouncedChanges,
  Announcement,
  BegunRun,
  DueRun,
  ListedDelivery,
  ListedWebhook,
  StoredEvent,
} from "./event.ts";
import type { RunEnd } from "./webhook-runs.ts";
import type { WebhookRow } from "./webhook-store.ts";

/** The most events of one call. */
const MAX_READ = 1000;

/** Announces changes that a request is about to make in D1. @returns undefined if nobody wants their events */
export async function announceChanges(
  context: MeterContext,
  announcement: Announcement,
): Promise<AnnouncedChanges | undefined> {
  const { storage, tables, load, timeoutMs } = context;
  if (!(await load()) || tables.erasing) return undefined;
  const { events } = tables;
  const ids = announcement.uploads.map(({ uploadId }) => uploadId);
  await closeBefore(context, ids);
  const now = Date.now();
  const places = storage.transactionSync(() => events.announce(announcement, now, now - timeoutMs()));
  if (places === undefined) return undefined;
  const end = async () => {
    events.noteEnded(places.first, places.last);
    bringEventsForward(context);
  };
  return { end };
}

/** Brings the alarm forward to the next event or run, because several facts decide when it is due. */
export function bringEventsForward({ tables, timeoutMs }: MeterContext): void {
  const dueAt = tables.events.nextDueAt(timeoutMs());
  if (dueAt !== null) tables.alarm.bringForward(dueAt);
}

export interface EventSlice {
  readonly events: StoredEvent[];
  /** The place after which the next call continues. */
  readonly next: number;
  readonly hasMore: boolean;
}

/**
 * The events after a place. From the first call on, the account records events for its reader.
 * @param start a place; a negative number counts places from the end
 */
export async function readEvents(context: MeterContext, start: number, limit: number): Promise<EventSlice | undefined> {
  const { storage, tables, load } = context;
  if (!(await load()) || tables.erasing) return undefined;
  const { events } = tables;
  storage.transactionSync(() => events.reader.note(Date.now()));
  if (events.pages.hasOpen()) await closeEvents(context);
  const after = start < 0 ? Math.max(0, events.pages.readyLast + start) : start;
  const read = events.read(after, Math.min(limit, MAX_READ) + 1, Date.now());
  const shown = read.events.slice(0, limit);
  const hasMore = read.events.length > limit;
  const next = hasMore ? (shown.at(-1)?.place ?? after) : read.last;
  return { events: shown, next, hasMore };
}

/** @returns undefined if the account no longer exists */
export async function putWebhook(
  { storage, tables, load }: MeterContext,
  webhook: NewWebhook,
): Promise<WebhookPut | undefined> {
  if (!(await load()) || tables.erasing) return undefined;
  return storage.transactionSync(() => {
    const now = Date.now();
    const before = tables.events.webhooks.find(webhook.name);
    const isLate = before === undefined || (before.disabledAt ?? now) < now - GIVE_UP_MS;
    const put = tables.events.put(webhook, now);
    // Alerts that an earlier webhook of this name did not accept.
    if (put.outcome === "stored" && isLate) tables.ledger.alerts.sendAgain(webhook.name, now);
    return put;
  });
}

export async function listWebhooks({ tables, load }: MeterContext): Promise<ListedWebhook[]> {
  return (await load()) ? tables.events.list() : [];
}

export interface FoundWebhook {
  readonly webhook: WebhookRow;
  /** Of the last alert. */
  readonly lastDelivery: AlertDelivery | undefined;
}

export async function findAlertWebhook(
  { tables, load }: MeterContext,
  name: string,
): Promise<FoundWebhook | undefined> {
  const webhook = (await load()) ? tables.events.webhooks.find(name) : undefined;
  if (webhook === undefined) return undefined;
  const { lastAlert } = webhook;
  const { deliveries } = tables.ledger.alerts;
  return { webhook, lastDelivery: lastAlert === null ? undefined : deliveries.find(lastAlert.alertId, "webhook") };
}

/** @returns whether there was one */
export function deleteWebhook({ storage, tables }: MeterContext, name: string): boolean {
  return storage.transactionSync(() => {
    tables.ledger.alerts.holdWebhook(name);
    return tables.events.delete(name);
  });
}

export interface ListedDeliveries {
  readonly deliveries: readonly ListedDelivery[];
  readonly events: readonly StoredEvent[];
}

/** The last deliveries of a webhook, newest first, and their events as far as they are kept; undefined if there is no such webhook. */
export async function listDeliveries(
  { tables, load }: MeterContext,
  name: string,
): Promise<ListedDeliveries | undefined> {
  const { events } = tables;
  if (!(await load()) || events.webhooks.find(name) === undefined) return undefined;
  const deliveries = events.log.list(name);
  const places = [...new Set(deliveries.map(({ place }) => place))];
  return { deliveries, events: places.flatMap((place) => events.pages.read(place - 1, place, 1)) };
}

/** Records a try that a request made. */
export function noteDelivery({ storage, tables }: MeterContext, name: string, delivery: ListedDelivery): void {
  const { events } = tables;
  if (events.webhooks.find(name) !== undefined) storage.transactionSync(() => events.log.add(name, [delivery]));
}

/** Begins a run. @returns undefined if nothing is left to send, or another consumer sends it */
export function beginRun(context: MeterContext, due: DueRun): BegunRun | undefined {
  const { storage, tables } = context;
  if (!tables.ledger.exists || tables.erasing) return undefined;
  const begun = storage.transactionSync(() => tables.events.runs.begin(due, Date.now()));
  if (begun === undefined) bringEventsForward(context);
  return begun;
}

/** Settles a run; the alarm announces the next one. @returns more events, if the consumer continues */
export function endRun(context: MeterContext, due: DueRun, end: RunEnd): BegunRun | undefined {
  const { storage, tables } = context;
  if (!tables.ledger.exists || tables.erasing) return undefined;
  const next = storage.transactionSync(() => tables.events.runs.end(due, end, Date.now()));
  bringEventsForward(context);
  return next;
}
