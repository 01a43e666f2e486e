import { decodeTime, encodeTime, monotonicFactory } from "ulid";
import { isShard, type Shard } from "./shard.ts";

const nextUlid = monotonicFactory();
/** Behind the ten characters of the time. */
const SHARD_AT = 10;

/** Lower-case ULIDs: sortable by time of creation, unguessable within it. */
export function newId(now: number): string {
  return nextUlid(now).toLowerCase();
}

/**
 * The id of an upload tells in which shard it was made: the first two of its sixteen random characters do. So one question to one
 * database says whether there is an upload of another account.
 */
export function newUploadId(now: number, shard: Shard): string {
  const id = newId(now);
  return id.slice(0, SHARD_AT) + shard + id.slice(SHARD_AT + shard.length);
}

/** The shard in which an upload was made; undefined for an id that no upload has. */
export function homeShard(uploadId: string): Shard | undefined {
  const shard = uploadId.slice(SHARD_AT, SHARD_AT + 2);
  return isShard(shard) ? shard : undefined;
}

/** When an id was made, in milliseconds since the epoch. */
export function idTime(id: string): number {
  return decodeTime(id.toUpperCase());
}

/** Sorts before every id that is made in this millisecond or later, and after every one before. */
export function firstIdAt(at: number): string {
  return encodeTime(at, SHARD_AT).toLowerCase();
}

const ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` has the shape of an id; anything else cannot be in the store and need not be looked up. */
export function isId(text: string): boolean {
  return ID.test(text);
}
