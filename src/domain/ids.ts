import { decodeTime, monotonicFactory } from "ulid";

const nextUlid = monotonicFactory();

/** Lower-case ULIDs: sortable by time of creation, unguessable within it. */
export function newId(now: number): string {
  return nextUlid(now).toLowerCase();
}

/** When an id was made, in milliseconds since the epoch. */
export function idTime(id: string): number {
  return decodeTime(id.toUpperCase());
}

const ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` has the shape of an id; anything else cannot be in the store and need not be looked up. */
export function isId(text: string): boolean {
  return ID.test(text);
}
