import { GIVE_UP_MS, webhookRetryMs } from "../../domain/events.ts";
import { type DeliveryResult, type StoredEvent, subjectOf } from "./event.ts";
import type { SetAside, WebhookRow } from "./webhook-store.ts";

/** Subjects that a webhook sets aside, and events of one subject. A webhook with more waits until some are accepted or given up. */
const MAX_SUBJECTS = 100;
const MAX_EVENTS = 100;

/** Statuses of a receiver that is too busy for any event; null: it was not reached. */
const AWAY_STATUSES: readonly (number | null)[] = [null, 429, 502, 503, 504];

/** Whether the receiver takes no event at the moment. Another error is about the one event. */
export function isAway({ error, status }: Pick<DeliveryResult, "error" | "status">): boolean {
  return error !== null && AWAY_STATUSES.includes(status);
}

export interface Moved {
  /** The place up to which each event is accepted or set aside. */
  readonly position: number;
  readonly aside: readonly SetAside[];
  /** Places of events that were refused for three days. */
  readonly givenUp: readonly number[];
  /** Whether an event does not fit among those set aside. */
  readonly isFull: boolean;
}

/**
 * Moves a webhook's position over events that were accepted, and sets refused ones aside with the later events of their subject.
 * @param events the webhook's events after its position, in order
 * @param results of tries, by place
 */
export function moveAside(
  webhook: Pick<WebhookRow, "position" | "aside">,
  events: readonly StoredEvent[],
  results: ReadonlyMap<number, DeliveryResult>,
  now: number,
): Moved {
  const tried = webhook.aside.map((aside) => tryAgain(aside, results, now));
  const givenUp = tried.flatMap((each) => each.givenUp);
  const aside = new Map(tried.flatMap(({ left }) => (left === undefined ? [] : [[left.subject, left]])));
  let { position } = webhook;
  for (const event of events) {
    const { place } = event;
    const result = results.get(place);
    const subject = subjectOf(event);
    const before = aside.get(subject);
    if (result?.error !== null) {
      const isRefused = result !== undefined && !isAway(result);
      if (before === undefined && !isRefused) break;
      const isFull = before === undefined ? aside.size >= MAX_SUBJECTS : before.places.length >= MAX_EVENTS;
      if (isFull) return { position, aside: [...aside.values()], givenUp, isFull };
      const fresh = { subject, attempts: 1, since: now, dueAt: now + webhookRetryMs(1) };
      aside.set(subject, { ...(before ?? fresh), places: [...(before?.places ?? []), place] });
    }
    position = place;
  }
  return { position, aside: [...aside.values()], givenUp, isFull: false };
}

/** The rest of a subject that was set aside, after its tries. */
function tryAgain(
  aside: SetAside,
  results: ReadonlyMap<number, DeliveryResult>,
  now: number,
): { readonly left: SetAside | undefined; readonly givenUp: readonly number[] } {
  const left = aside.places.filter((place) => results.get(place)?.error !== null);
  const [first, ...rest] = left;
  if (first === undefined) return { left: undefined, givenUp: [] };
  const result = results.get(first);
  if (result === undefined) return { left: { ...aside, places: left }, givenUp: [] };
  const isSame = first === aside.places[0];
  const attempts = isSame ? aside.attempts + 1 : 1;
  const since = isSame ? aside.since : now;
  if (now - since >= GIVE_UP_MS) {
    const next = { ...aside, places: rest, attempts: 0, since: now, dueAt: now };
    return { left: rest.length === 0 ? undefined : next, givenUp: [first] };
  }
  const tried = { ...aside, places: left, attempts, since, dueAt: now + webhookRetryMs(attempts) };
  return { left: tried, givenUp: [] };
}
