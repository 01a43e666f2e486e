import type { Entry, Target } from "./upload-item.ts";

/** The files of one request. */
export interface Shipment {
  /** The `Idempotency-Key`, which all tries have. */
  key: string;
  entries: Entry[];
  /** Consecutive failures of the service. */
  tries: number;
  /** The time of the first try, in milliseconds since 1970; undefined before it. */
  sentAt: number | undefined;
  /** Whether a try ended without a response. */
  isLost: boolean;
  readonly controller: AbortController;
}

const MIB = 1024 * 1024;
/** Files up to this size share a request if many wait, because the rate limit counts requests. */
export const SMALL_BYTES = MIB;
const MANY = 20;
const MOST_FILES = 20;
const MOST_BYTES = 8 * MIB;

/**
 * Takes the next request's files off the queue: one file, or small files with the same target. Files with equal names go in separate
 * requests, because a response identifies files by name.
 * @param queued in order; taken and cancelled files are removed
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
  // A file that may be stored already is looked up in a request of its own.
  return sizeBytes <= SMALL_BYTES && mayBeStoredSince === undefined;
}

function isSamePlace(one: Target, other: Target): boolean {
  if (one === other) return true;
  const isSame = (["folderId", "visibility", "expiresAt", "compress", "dedupe"] as const).every(
    (name) => one[name] === other[name],
  );
  return isSame && one.tags.join() === other.tags.join();
}

/** Distributes the sent bytes over the files. @param sentBytes of all files, which are sent in this order */
export function spreadBytes(sentBytes: number, sizes: readonly number[]): number[] {
  let left = sentBytes;
  return sizes.map((size) => {
    const sent = Math.max(0, Math.min(size, left));
    left -= size;
    return sent;
  });
}
