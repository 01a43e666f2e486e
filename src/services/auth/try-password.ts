import { ERRORS } from "../../domain/errors.ts";
import type { CountLimit } from "../../meter/address-meter.ts";

/** A trial as its meter hands it out, or the seconds until one may begin. */
export type TrialAnswer = { readonly trial: HeldTrial } | { readonly retryAfterSeconds: number };

interface HeldTrial {
  failed(): Promise<void>;
  [Symbol.dispose](): void;
}

/** Within this, failures are limited. */
const WINDOW_SECONDS = 15 * 60;
/** For one account, by its login name or in one of its sessions. */
export const FAILURES_PER_ACCOUNT: CountLimit = { count: 10, windowSeconds: WINDOW_SECONDS };
export const FAILURES_PER_ADDRESS: CountLimit = { count: 100, windowSeconds: WINDOW_SECONDS };

/**
 * Compares a password as one trial of each meter that was asked for one. The trials are over when this returns; a failure
 * has been counted by then.
 * @param answers of the meters
 * @param compare what it returns where the password is right, undefined where it is wrong
 * @throws ServiceError 429 where any of the meters refuses, without comparing
 */
export async function tryPassword<Result>(
  answers: readonly TrialAnswer[],
  compare: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const trials = answers.flatMap((answer) => ("trial" in answer ? [answer.trial] : []));
  try {
    const waits = answers.map((answer) => ("trial" in answer ? 0 : answer.retryAfterSeconds));
    if (trials.length < answers.length) throw ERRORS.TooManyAttempts(Math.max(...waits));
    const result = await compare();
    if (result === undefined) await Promise.all(trials.map((trial) => trial.failed()));
    return result;
  } finally {
    for (const trial of trials) trial[Symbol.dispose]();
  }
}
