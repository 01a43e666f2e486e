import { DAY_MS } from "../../domain/calendar.ts";
import {
  CHANGE_EVENTS,
  DEFAULT_WEBHOOK,
  EVENT_DAYS,
  type EventType,
  GIVE_UP_MS,
  MAX_WEBHOOKS,
} from "../../domain/events.ts";
import { newId } from "../../domain/ids.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { Alert, AlertTry } from "../alerts/alert.ts";
import type { Alarm } from "../object-alarm.ts";
import { DeliveryLog } from "./delivery-log.ts";
import {
  type AnnouncedPlaces,
  type Announcement,
  digestOf,
  type EventFacts,
  type ListedWebhook,
  type OpenEvent,
  type StoredEvent,
  type StoredWebhook,
  UNKNOWN_DIGEST,
} from "./event.ts";
import { EventPages, isOpen, type OpenPage, type WrittenEvent } from "./event-pages.ts";
import { WebhookRuns } from "./webhook-runs.ts";
import { adoptEarlierWebhook, type WebhookRow, WebhookStore } from "./webhook-store.ts";

/** New events wait this long, so that the events of a busy account share a run. */
const GATHER_MS = 2000;
/** More than a bulk change of 1,000 uploads writes. */
const OPEN_PAGES = 200;
/** The time of the last reading is exact to a day, so that reading writes one row a day. */
const EXACT_MS = DAY_MS;

export interface AccountEventsOptions {
  /** Undefined if the account is not known yet. */
  tier(): TierName | undefined;
  readonly alarm: Alarm;
  noteAlert(webhook: string, tried: AlertTry): void;
}

/** `filesUrl`: the start of files' URLs at the request that sets the webhook. */
export type NewWebhook = Pick<StoredWebhook, "name" | "id" | "url" | "events"> & { readonly filesUrl: string };

export type WebhookPut =
  | { readonly outcome: "stored"; readonly webhook: ListedWebhook }
  | { readonly outcome: "full"; readonly most: number };

/**
 * The account's events and webhooks. Events are recorded in the transaction that settles their change, and only if a webhook or a reader
 * of the last 30 days wants them. All calls are synchronous.
 */
export class AccountEvents {
  readonly pages: EventPages;
  readonly webhooks: WebhookStore;
  readonly log: DeliveryLog;
  readonly runs: WebhookRuns;
  readonly reader: EventReader;
  /** Whether the table of an earlier version was replaced just now: its undelivered alerts have no events yet. */
  readonly isAdopted: boolean;
  /** Announced events whose requests have ended, by place, with their uploads. A lost memory is replaced by a timeout. */
  readonly ended = new Map<number, string>();
  readonly #options: AccountEventsOptions;
  #freshAt = 0;
  /** After a failed look at D1, the time of the next one. */
  #closeAfter = 0;
  #mailAfter = 0;

  constructor(sql: SqlStorage, options: AccountEventsOptions) {
    this.#options = options;
    this.pages = new EventPages(sql);
    this.webhooks = new WebhookStore(sql);
    this.log = new DeliveryLog(sql);
    this.reader = new EventReader(sql);
    this.isAdopted = adoptEarlierWebhook(sql, this.webhooks);
    this.runs = new WebhookRuns({
      pages: this.pages,
      webhooks: this.webhooks,
      log: this.log,
      listActive: () => this.#listActive(),
      noteAlert: ({ name }, tried) => options.noteAlert(name, tried),
    });
  }

  wants(type: EventType, now = Date.now()): boolean {
    return this.reader.isReading(now) || this.#listWanting(now).some(({ events }) => events.includes(type));
  }

  /** The webhook whose deliveries are listed with the alerts, if it wants alerts. */
  get alertWebhook(): WebhookRow | undefined {
    return this.#listRoomy().find(({ name, events }) => name === DEFAULT_WEBHOOK && events.includes("usage.alert"));
  }

  /** Whether a request has to announce changes that only D1 has. */
  wantsChanges(now: number): boolean {
    const isWanted = ({ events }: WebhookRow) => CHANGE_EVENTS.some((type) => events.includes(type));
    return this.reader.isReading(now) || this.#listWanting(now).some(isWanted);
  }

  /** @param subject an upload's id if D1 has its facts */
  record(type: EventType, subject: EventFacts | string, now = Date.now()): void {
    if (!this.wants(type, now)) return;
    const event = { id: `msg_${newId(now)}`, type, at: now };
    this.#append([typeof subject === "string" ? { ...event, uploadId: subject } : { ...event, facts: subject }], now);
  }

  /** Records an alert, whose message has the same id each time. */
  recordAlert(alert: Alert, now: number): void {
    if (!this.wants("usage.alert", now)) return;
    this.#append([{ id: `msg_${alert.id}`, type: "usage.alert", at: alert.at, facts: { kind: "alert", alert } }], now);
  }

  /**
   * Records changes that a request is about to make. The request may have read an upload before an earlier change of it, so the change is
   * judged by comparison with the state in the upload's last event.
   * @param since no request that announces a change now has read the upload before this time
   * @returns undefined if no webhook and no reader wants them
   */
  announce({ type, uploads }: Announcement, now: number, since: number): AnnouncedPlaces | undefined {
    if (uploads.length === 0 || !this.wants(type, now)) return undefined;
    const shown = this.pages.lastOf(
      uploads.map(({ uploadId }) => uploadId),
      since,
    );
    const first = this.#append(
      uploads.map(({ uploadId, before }) => {
        const last = shown.get(uploadId);
        return { id: `msg_${newId(now)}`, type, at: now, uploadId, before: last ? shownBy(last) : before };
      }),
      now,
    );
    return { first, last: first + uploads.length - 1 };
  }

  /** The request that announced these changes has ended. */
  noteEnded(first: number, last: number): void {
    const isThere = ({ first: at, events }: OpenPage) => at + events.length > first && at <= last;
    for (const page of this.pages.listOpen(OPEN_PAGES).filter(isThere)) {
      for (const [index, event] of page.events.entries()) {
        const place = page.first + index;
        if (isOpen(event) && place >= first && place <= last) this.ended.set(place, event.uploadId);
      }
    }
  }

  /** The next time at which something is due; null if nothing is. */
  nextDueAt(timeoutMs: number): number | null {
    const times = [this.runs.nextDueAt(this.#freshAt)].filter((at) => at !== null);
    if (this.pages.hasOpen()) times.push(Math.max(this.#closeAfter, this.#openDueAt(timeoutMs)));
    if (this.webhooks.list().some(({ owesMail }) => owesMail)) times.push(this.#mailAfter);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Whether D1 should be read for open events. */
  mustClose(now: number, timeoutMs: number): boolean {
    return this.#closeAfter <= now && this.pages.hasOpen() && this.#openDueAt(timeoutMs, 0) <= now;
  }

  /** The mail about a disabled webhook could not be sent. */
  mailLater(at: number): void {
    this.#mailAfter = at;
  }

  closeLater(at: number): void {
    this.#closeAfter = at;
  }

  list(): ListedWebhook[] {
    const active = new Set(this.#listActive().map(({ name }) => name));
    return this.webhooks.list().map((webhook) => toListed(webhook, active.has(webhook.name)));
  }

  /**
   * Adds or changes a webhook. A new one gets events from now on. One of the same name continues where it was, at most three days back.
   */
  put({ name, id, url, events, filesUrl }: NewWebhook, now: number): WebhookPut {
    const before = this.webhooks.find(name);
    const most = MAX_WEBHOOKS[this.#options.tier() ?? "free"];
    if (before === undefined && this.webhooks.list().length >= most) return { outcome: "full", most };
    // A repeated call.
    if (before?.id !== id) {
      const { createdAt, aside, lastAlert, run } = before ?? { createdAt: now, aside: [], lastAlert: null, run: 0 };
      const position =
        before === undefined
          ? this.pages.last
          : Math.max(this.runs.positionOf(before), this.pages.placeBefore(now - GIVE_UP_MS));
      const due = aside.map((each) => ({ ...each, attempts: 0, since: now, dueAt: now }));
      // The run of the earlier address, whose results are ignored, is over.
      const row = { name, id, url, events, createdAt, position, filesUrl };
      this.webhooks.put({ ...row, aside: due, lastAlert, run: run + 1 });
      if (this.runs.nextDueAt(now) !== null) this.#options.alarm.bringForward(now);
    }
    const webhook = this.list().find((each) => each.name === name);
    if (webhook === undefined) throw new Error("The webhook was not stored");
    return { outcome: "stored", webhook };
  }

  /** @returns whether there was one */
  delete(name: string): boolean {
    this.log.remove(name);
    return this.webhooks.remove(name);
  }

  /** The events after a place, and the last place that may be read. */
  read(after: number, limit: number, now: number): { readonly events: StoredEvent[]; readonly last: number } {
    const oldest = this.pages.placeBefore(now - EVENT_DAYS * DAY_MS);
    const last = this.pages.readyLast;
    return { events: this.pages.read(Math.max(after, oldest), last, limit), last: Math.max(last, oldest) };
  }

  /** The webhooks that get events. */
  #listActive(): WebhookRow[] {
    return this.#listRoomy().filter(({ disabledAt }) => disabledAt === null);
  }

  /** The webhooks that get events, or get them when they are set again in time. */
  #listWanting(now: number): WebhookRow[] {
    return this.#listRoomy().filter(({ disabledAt }) => disabledAt === null || disabledAt > now - GIVE_UP_MS);
  }

  /** The oldest webhooks, for which the tier has room. */
  #listRoomy(): WebhookRow[] {
    const webhooks = this.webhooks.list();
    const tier = this.#options.tier();
    return webhooks.length === 0 || tier === undefined ? [] : webhooks.slice(0, MAX_WEBHOOKS[tier]);
  }

  #append(events: readonly WrittenEvent[], now: number): number {
    if (this.#freshAt <= now) this.#freshAt = now + GATHER_MS;
    this.#options.alarm.bringForward(this.#freshAt);
    return this.pages.append(events, now);
  }

  /** The time at which the first open event's request has ended or timed out. */
  #openDueAt(timeoutMs: number, freshAt = this.#freshAt): number {
    const [page] = this.pages.listOpen(1);
    if (page === undefined) return Number.POSITIVE_INFINITY;
    const index = page.events.findIndex(isOpen);
    const event = page.events[index];
    if (event === undefined || !isOpen(event)) return Number.POSITIVE_INFINITY;
    const isMade = event.before === undefined || this.ended.has(page.first + index);
    return isMade ? freshAt : event.at + timeoutMs;
  }
}

/** The digest of an upload as an event shows it. */
function shownBy(event: OpenEvent | StoredEvent): string {
  return "facts" in event && event.facts.kind === "upload" ? digestOf(event.facts.row) : UNKNOWN_DIGEST;
}

function toListed(webhook: WebhookRow, isActive: boolean): ListedWebhook {
  const { name, id, url, events, createdAt, disabledAt, disabledReason, failingSince, retryAt, attempts } = webhook;
  const state = disabledAt !== null ? "disabled" : isActive ? "active" : "paused";
  return {
    name,
    id,
    url,
    events,
    createdAt,
    disabledAt,
    disabledReason,
    failingSince,
    retryAt: attempts > 0 ? retryAt : null,
    state,
  };
}

/** Whether somebody reads the account's events. All calls are synchronous. */
class EventReader {
  readonly #sql: SqlStorage;
  #readAt: number | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS event_reader (one INTEGER PRIMARY KEY CHECK (one = 1), read_at INTEGER NOT NULL)",
    );
  }

  isReading(now: number): boolean {
    this.#readAt ??= this.#sql.exec<{ at: number }>("SELECT read_at AS at FROM event_reader").toArray()[0]?.at ?? 0;
    return this.#readAt > now - EVENT_DAYS * DAY_MS - EXACT_MS;
  }

  note(now: number): void {
    if (this.isReading(now) && (this.#readAt ?? 0) > now - EXACT_MS) return;
    this.#sql.exec("INSERT OR REPLACE INTO event_reader (one, read_at) VALUES (1, ?)", now);
    this.#readAt = now;
  }
}
