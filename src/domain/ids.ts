import { decodeTime, encodeTime, monotonicFactory } from "ulid";

/** The database of a library: the two digits in the binding `LIBRARY_<shard>`. */
export type Shard = `${Digit}${Digit}`;

type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

const SHARD = /^\d\d$/;

export function isShard(text: string): text is Shard {
  return SHARD.test(text);
}

const nextUlid = monotonicFactory();
/** The number of characters of the time, which come first in an id. */
const SHARD_AT = 10;

/** Lower-case ULIDs: sortable by creation time, unguessable within a millisecond. */
export function newId(now: number): string {
  return nextUlid(now).toLowerCase();
}

/**
 * The first two of an upload id's sixteen random characters are the shard it was created in, so one query to one
 * database finds whether an upload belongs to another account.
 */
export function newUploadId(now: number, shard: Shard): string {
  const id = newId(now);
  return id.slice(0, SHARD_AT) + shard + id.slice(SHARD_AT + shard.length);
}

/** The shard in which an upload was created; undefined if the text is not an upload's id. */
export function homeShard(uploadId: string): Shard | undefined {
  const shard = uploadId.slice(SHARD_AT, SHARD_AT + 2);
  return isShard(shard) ? shard : undefined;
}

/** When an id was created, in milliseconds since the epoch. */
export function idTime(id: string): number {
  return decodeTime(id.toUpperCase());
}

/** Sorts before every id of this millisecond or later, and after every earlier id. */
export function firstIdAt(at: number): string {
  return encodeTime(at, SHARD_AT).toLowerCase();
}

const ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` has the shape of an id. Other texts need no lookup. */
export function isId(text: string): boolean {
  return ID.test(text);
}
