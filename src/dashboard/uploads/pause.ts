import type { PauseReason } from "./judge-failure.ts";

/** The queue sends nothing for a while. */
export interface Pause {
  readonly reason: PauseReason;
  /** What the service said, or what to do. */
  readonly message: string;
  /** When it goes on by itself, in milliseconds since 1970; undefined where somebody has to do something. */
  readonly until: number | undefined;
}

/** A pause that asks for more takes the place of one that asks for less. */
const RANK: Readonly<Record<PauseReason, number>> = {
  busy: 0,
  rate: 1,
  connection: 2,
  offline: 2,
  storage: 3,
  operations: 4,
  session: 5,
};

/** Of two reasons to wait, the one that counts. */
export function strongerPause(one: Pause | undefined, other: Pause): Pause {
  if (one === undefined) return other;
  const difference = RANK[one.reason] - RANK[other.reason];
  if (difference !== 0) return difference > 0 ? one : other;
  return (one.until ?? Number.POSITIVE_INFINITY) >= (other.until ?? Number.POSITIVE_INFINITY) ? one : other;
}

const AGAIN_SECONDS = [1, 4, 15];
const NETWORK_SECONDS = [...AGAIN_SECONDS, 60];

/** How often a request is sent again that the service failed at. */
export const MOST_TRIES = AGAIN_SECONDS.length;

/** @param tries that failed, 1 for the first @param random 0 to 1 */
export function againAfterMs(tries: number, random: number): number {
  return jitter(AGAIN_SECONDS, tries, random);
}

/** A connection that is away is tried on, at last once a minute: whoever comes back finds that it went on. */
export function networkAfterMs(tries: number, random: number): number {
  return jitter(NETWORK_SECONDS, tries, random);
}

function jitter(seconds: readonly number[], tries: number, random: number): number {
  return (seconds[Math.min(tries, seconds.length) - 1] ?? 1) * 1000 * (0.75 + random / 2);
}
