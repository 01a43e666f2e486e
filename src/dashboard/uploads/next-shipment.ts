import type { Entry, Target } from "./upload-item.ts";

/** Files that go in one request. */
export interface Shipment {
  /** The `Idempotency-Key`, by which a request that is sent again is known. */
  key: string;
  entries: Entry[];
  /** How often the service failed at it in a row. */
  tries: number;
  /** When it was sent first, in milliseconds since 1970. */
  sentAt: number | undefined;
  /** Whether a request of it ended without an answer. */
  isLost: boolean;
  readonly controller: AbortController;
}

const MIB = 1024 * 1024;
/** Files up to this size go together, where many wait: the limit counts requests. */
export const SMALL_BYTES = MIB;
const MANY = 20;
const MOST_FILES = 20;
const MOST_BYTES = 8 * MIB;

/**
 * Takes what is to be sent next off the queue: one file, or small ones for one place. Those of a name go apart, so that it is known which
 * of them an answer is about.
 * @param queued in their order; what is taken is removed, and what is cancelled
 */
export function takeEntries(queued: Entry[]): Entry[] {
  const cancelled = queued.findIndex(({ state }) => state !== "cancelled");
  queued.splice(0, cancelled === -1 ? queued.length : cancelled);
  const [first] = queued;
  if (first === undefined) return [];
  const taken = [first];
  if (isSmall(first) && queued.length > MANY) {
    const names = new Set([first.name]);
    let bytes = first.sizeBytes;
    for (const next of queued.slice(1, MANY * 10)) {
      if (taken.length === MOST_FILES) break;
      if (next.state === "cancelled" || !isSmall(next) || names.has(next.name)) continue;
      if (bytes + next.sizeBytes > MOST_BYTES || !isSamePlace(first.target, next.target)) continue;
      names.add(next.name);
      bytes += next.sizeBytes;
      taken.push(next);
    }
  }
  const isTaken = new Set(taken);
  const last = taken.at(-1);
  const end = last === undefined ? 0 : queued.indexOf(last) + 1;
  queued.splice(0, end, ...queued.slice(0, end).filter((entry) => !isTaken.has(entry)));
  return taken;
}

function isSmall({ sizeBytes, mayBeStoredSince }: Entry): boolean {
  // What may be stored already is looked up by itself.
  return sizeBytes <= SMALL_BYTES && mayBeStoredSince === undefined;
}

function isSamePlace(one: Target, other: Target): boolean {
  return one === other || (one.folderId === other.folderId && one.tags.join() === other.tags.join());
}

/**
 * Says how much of each file is sent.
 * @param sentBytes of all of them together, which are sent one after the other
 */
export function spreadBytes(sentBytes: number, sizes: readonly number[]): number[] {
  let left = sentBytes;
  return sizes.map((size) => {
    const sent = Math.max(0, Math.min(size, left));
    left -= size;
    return sent;
  });
}
