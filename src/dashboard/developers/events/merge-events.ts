import type { Event } from "../../../client/types.ts";

/** The most events that the page keeps. The service answers as many at a time. */
export const MOST_EVENTS = 100;

/**
 * Adds new events to the list.
 * @param shown newest first
 * @param arrived oldest first; events that are shown already are left out
 * @returns newest first, at most `MOST_EVENTS`
 */
export function mergeEvents(shown: readonly Event[], arrived: readonly Event[]): readonly Event[] {
  const known = new Set(shown.map(({ _id }) => _id));
  const fresh = arrived.filter(({ _id }) => !known.has(_id));
  return fresh.length === 0 ? shown : [...fresh.toReversed(), ...shown].slice(0, MOST_EVENTS);
}
