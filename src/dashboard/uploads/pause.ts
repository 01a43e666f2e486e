import type { PauseReason } from "./judge-failure.ts";

/** A period in which the queue sends nothing. */
export interface Pause {
  readonly reason: PauseReason;
  /** The service's message, or the next step. */
  readonly message: string;
  /** The time of the automatic resume, in milliseconds since 1970; undefined if the user has to act. */
  readonly until: number | undefined;
}

/** A pause replaces a pause of a lower rank. */
const RANK: Readonly<Record<PauseReason, number>> = {
  busy: 0,
  rate: 1,
  connection: 2,
  offline: 2,
  storage: 3,
  operations: 4,
  suspended: 5,
  session: 6,
};

/** The pause that takes precedence. */
export function strongerPause(one: Pause | undefined, other: Pause): Pause {
  if (one === undefined) return other;
  const difference = RANK[one.reason] - RANK[other.reason];
  if (difference !== 0) return difference > 0 ? one : other;
  return (one.until ?? Number.POSITIVE_INFINITY) >= (other.until ?? Number.POSITIVE_INFINITY) ? one : other;
}

const AGAIN_SECONDS = [1, 4, 15];
const NETWORK_SECONDS = [...AGAIN_SECONDS, 60];

/** The most automatic retries of a request after failures of the service. */
export const MOST_TRIES = AGAIN_SECONDS.length;

/** @param tries failed tries, from 1 @param random 0 to 1 */
export function againAfterMs(tries: number, random: number): number {
  return jitter(AGAIN_SECONDS, tries, random);
}

/** The back-off without a network: at most a minute, so that uploads resume soon after a connection returns. */
export function networkAfterMs(tries: number, random: number): number {
  return jitter(NETWORK_SECONDS, tries, random);
}

function jitter(seconds: readonly number[], tries: number, random: number): number {
  return (seconds[Math.min(tries, seconds.length) - 1] ?? 1) * 1000 * (0.75 + random / 2);
}
