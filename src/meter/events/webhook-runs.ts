import { MINUTE_MS } from "../../domain/calendar.ts";
import { type DisabledReason, GIVE_UP_MS, webhookRetryMs } from "../../domain/events.ts";
import { newId } from "../../domain/ids.ts";
import type { AlertTry } from "../alerts/alert.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import { type BegunRun, type DeliveryResult, type DueRun, type StoredEvent, subjectOf } from "./event.ts";
import type { EventPages } from "./event-pages.ts";
import { isAway, type Moved, moveAside } from "./move-aside.ts";
import type { WebhookRow, WebhookStore } from "./webhook-store.ts";

/** Events of one run. */
const RUN_EVENTS = 50;
/** Events that one look for a webhook's next event reads. */
const LOOK_EVENTS = 500;
/** A webhook that has skipped this many events of other types stores its new position. */
const STORED_SKIP = 1000;
/** A run whose message or consumer is lost is sent again after this time. */
const QUEUED_MS = 5 * MINUTE_MS;
/** A run that took longer is slow: the webhook then waits four times as long, so that slow receivers take a fifth of a consumer each. */
const SLOW_MS = 5000;
const SLOW_FACTOR = 4;
const MAX_BEGUN = 10;

/** The end of a run, as its consumer reports it. */
export interface RunEnd {
  readonly webhookId: string;
  readonly results: readonly DeliveryResult[];
  readonly elapsedMs: number;
  /** Whether the consumer would send more events at once. */
  readonly goesOn: boolean;
}

export interface WebhookRunsOptions {
  readonly pages: EventPages;
  readonly webhooks: WebhookStore;
  readonly log: DeliveryLog;
  /** The webhooks that get events. */
  listActive(): WebhookRow[];
  noteAlert(webhook: WebhookRow, tried: AlertTry): void;
}

/**
 * Plans and settles the runs of webhooks. A receiver that answers an event with an error has refused that event: it is set aside with the
 * later events of its upload, and is tried again with growing delays while other events are sent. A receiver that does not answer is away,
 * and everything waits for it. All calls are synchronous.
 */
export class WebhookRuns {
  readonly #options: WebhookRunsOptions;
  /** The last place that a webhook need not see, if it is after its stored position. */
  readonly #skipped = new Map<string, number>();
  /** Runs that a consumer has begun. */
  readonly #begun = new Map<string, number>();

  constructor(options: WebhookRunsOptions) {
    this.#options = options;
  }

  /** The next time at which a run is due; null if none is. @param freshAt the time at which new events are sent */
  nextDueAt(freshAt: number): number | null {
    const times = this.#options.listActive().flatMap((webhook) => {
      const wanted = webhook.aside.map(({ dueAt }) => dueAt);
      if (this.#hasNew(webhook)) wanted.push(freshAt);
      if (wanted.length === 0) return [];
      return [Math.max(Math.min(...wanted), webhook.retryAt ?? 0, webhook.queuedUntil ?? 0)];
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Begins the due runs, whose messages the caller puts into the queue. */
  takeDue(now: number): DueRun[] {
    const due = this.#options.listActive().filter((webhook) => {
      if ((webhook.queuedUntil ?? 0) > now || (webhook.retryAt ?? 0) > now) return false;
      return webhook.aside.some(({ dueAt }) => dueAt <= now) || this.#hasNew(webhook);
    });
    return due.map((webhook) => {
      const run = webhook.run + 1;
      this.#options.webhooks.update(webhook, { run, queuedUntil: now + QUEUED_MS });
      return { webhook: webhook.name, run };
    });
  }

  /** The queue has refused these runs. */
  noteUnsent(runs: readonly DueRun[], now: number): void {
    for (const due of runs) {
      const webhook = this.#find(due);
      if (webhook !== undefined) this.#options.webhooks.update(webhook, { queuedUntil: now + MINUTE_MS });
    }
  }

  /** @returns undefined if the run is over, another consumer has begun it, or nothing is left to send */
  begin(due: DueRun, now: number): BegunRun | undefined {
    const webhook = this.#find(due);
    if (webhook === undefined || webhook.queuedUntil === null) return undefined;
    if ((this.#begun.get(nameOf(due)) ?? 0) > now) return undefined;
    if (this.#begun.size > MAX_BEGUN) this.#begun.clear();
    this.#begun.set(nameOf(due), webhook.queuedUntil);
    const { planned, events } = this.#plan(webhook, now);
    if (events.length > 0) return toRun(webhook, events);
    this.#options.webhooks.put({ ...planned, queuedUntil: null });
    return undefined;
  }

  /**
   * Settles a run, which writes the webhook's row once. The results of a webhook that was changed since are ignored.
   * @returns the next events, if the consumer continues
   */
  end(due: DueRun, { webhookId, results, elapsedMs, goesOn }: RunEnd, now: number): BegunRun | undefined {
    const webhook = this.#find(due);
    if (webhook === undefined || webhook.id !== webhookId) return undefined;
    this.#log(webhook, results);
    const settled = this.#settle(webhook, results, now);
    const mayGoOn = goesOn && settled.retryAt === null && settled.disabledAt === null;
    const { planned, events } = mayGoOn ? this.#plan(settled, now) : { planned: settled, events: [] };
    if (events.length > 0) {
      this.#options.webhooks.put({ ...planned, queuedUntil: now + QUEUED_MS });
      return toRun(webhook, events);
    }
    const isSlow = elapsedMs > SLOW_MS && planned.retryAt === null;
    const retryAt = isSlow ? now + SLOW_FACTOR * elapsedMs : planned.retryAt;
    this.#options.webhooks.put({ ...planned, queuedUntil: null, retryAt });
    this.#begun.delete(nameOf(due));
    return undefined;
  }

  /** Adds tries to the list of deliveries. */
  #log(webhook: WebhookRow, results: readonly DeliveryResult[]): void {
    const { log } = this.#options;
    const events = this.#eventsAt(results.map(({ place }) => place));
    const tries = results.flatMap(({ place, ...result }) => {
      const event = events.get(place);
      if (event === undefined) return [];
      return [{ id: newId(result.at), eventId: event.id, type: event.type, place, url: webhook.url, ...result }];
    });
    log.add(webhook.name, tries);
  }

  #settle(webhook: WebhookRow, results: readonly DeliveryResult[], now: number): WebhookRow {
    const byPlace = new Map(results.map((result) => [result.place, result]));
    const isGone = results.some(({ error }) => error === "gone");
    const accepts = results.some(({ error }) => error === null);
    const fails = results.some(({ error }) => error !== null);
    const failingSince = accepts ? null : (webhook.failingSince ?? (fails ? now : null));
    const isOver = fails && failingSince !== null && now - failingSince >= GIVE_UP_MS;
    const disabledReason: DisabledReason | null = isGone ? "gone" : isOver ? "failing" : null;
    const last = Math.max(webhook.position, ...byPlace.keys());
    const moved = moveAside(webhook, this.#wanted(webhook, last), byPlace, now);
    const mustWait = results.some(isAway) || moved.isFull;
    const attempts = mustWait ? (accepts ? 1 : webhook.attempts + 1) : 0;
    const settled = {
      ...webhook,
      position: moved.position,
      aside: moved.aside,
      failingSince,
      attempts,
      retryAt: mustWait ? now + webhookRetryMs(attempts) : null,
      ...(disabledReason !== null && { disabledAt: now, disabledReason, owesMail: true }),
    };
    return { ...settled, lastAlert: this.#noteAlerts(settled, byPlace, moved) };
  }

  #noteAlerts(webhook: WebhookRow, results: ReadonlyMap<number, DeliveryResult>, { givenUp }: Moved) {
    let { lastAlert } = webhook;
    for (const [place, { facts }] of this.#eventsAt([...results.keys()])) {
      const result = results.get(place);
      if (facts.kind !== "alert" || result === undefined) continue;
      const { at, error, status } = result;
      const aside = webhook.aside.find(({ places }) => places.includes(place));
      const isOver = error === null || webhook.disabledAt !== null || givenUp.includes(place);
      const isGivenUp = givenUp.includes(place) || webhook.disabledReason === "failing";
      const nextAt = isOver ? null : (aside?.dueAt ?? webhook.retryAt);
      lastAlert = { alertId: facts.alert.id, at, error, status };
      this.#options.noteAlert(webhook, { ...lastAlert, nextAt, isGivenUp });
    }
    return lastAlert;
  }

  /** The webhook's events after its position and up to a place. */
  #wanted(webhook: WebhookRow, last: number, limit = Number.MAX_SAFE_INTEGER): StoredEvent[] {
    return this.#options.pages
      .read(this.positionOf(webhook), last, limit)
      .filter(({ type }) => webhook.events.includes(type));
  }

  /** @returns the events to send, and the webhook if it passes over some */
  #plan(webhook: WebhookRow, now: number): { readonly planned: WebhookRow; readonly events: readonly StoredEvent[] } {
    const { pages } = this.#options;
    const due = webhook.aside.filter(({ dueAt }) => dueAt <= now);
    const places = due.flatMap((aside) => aside.places).slice(0, RUN_EVENTS);
    const again = this.#eventsAt(places);
    // Events of more than 30 days are removed.
    if (again.size < places.length)
      return this.#plan(
        withoutPlaces(webhook, (place) => places.includes(place) && !again.has(place)),
        now,
      );
    const blocked = new Set(webhook.aside.map(({ subject }) => subject));
    const wanted = this.#hasNew(webhook) ? this.#wanted(webhook, pages.readyLast, LOOK_EVENTS) : [];
    const fresh = wanted.filter((event) => !blocked.has(subjectOf(event))).slice(0, RUN_EVENTS - again.size);
    const events = [...again.values(), ...fresh];
    if (events.length > 0 || wanted.length === 0) return { planned: webhook, events };
    // Each of them follows an event that is set aside.
    const { position, aside } = moveAside(webhook, wanted, new Map(), now);
    return { planned: { ...webhook, position, aside }, events };
  }

  /** Whether an event that the webhook wants is after its position. */
  #hasNew(webhook: WebhookRow): boolean {
    const { pages, webhooks } = this.#options;
    const ready = pages.readyLast;
    let place = this.positionOf(webhook);
    let isFound = false;
    while (place < ready && !isFound) {
      const read = pages.read(place, ready, LOOK_EVENTS);
      const next = read.find(({ type }) => webhook.events.includes(type));
      isFound = next !== undefined;
      const lastRead = read.length < LOOK_EVENTS ? ready : (read.at(-1)?.place ?? ready);
      place = next === undefined ? lastRead : next.place - 1;
    }
    this.#skipped.set(webhook.name, place);
    if (place >= webhook.position + STORED_SKIP) webhooks.update(webhook, { position: place });
    return isFound;
  }

  /** The place after which the webhook has something to get. */
  positionOf({ name, position }: WebhookRow): number {
    return Math.max(position, this.#skipped.get(name) ?? 0);
  }

  #eventsAt(places: readonly number[]): Map<number, StoredEvent> {
    const found = places.flatMap((place) => this.#options.pages.read(place - 1, place, 1));
    return new Map(found.map((event) => [event.place, event]));
  }

  #find({ webhook: name, run }: DueRun): WebhookRow | undefined {
    return this.#options.listActive().find((webhook) => webhook.name === name && webhook.run === run);
  }
}

function withoutPlaces(webhook: WebhookRow, isGone: (place: number) => boolean): WebhookRow {
  const aside = webhook.aside.map((each) => ({ ...each, places: each.places.filter((place) => !isGone(place)) }));
  return { ...webhook, aside: aside.filter(({ places }) => places.length > 0) };
}

function toRun({ id: webhookId, url, filesUrl }: WebhookRow, events: readonly StoredEvent[]): BegunRun {
  return { webhookId, url, filesUrl, events };
}

function nameOf({ webhook, run }: DueRun): string {
  return `${webhook}:${run}`;
}
