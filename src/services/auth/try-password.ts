import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { CountLimit } from "../../meter/address-meter.ts";

/** A trial as its meter hands it out, or the seconds until one may begin. */
export type TrialAnswer = { readonly trial: HeldTrial } | { readonly retryAfterSeconds: number };

interface HeldTrial {
  failed(): Promise<void>;
  [Symbol.dispose](): void;
}

/** A meter that was asked for a trial. */
export interface AskedMeter {
  readonly answer: TrialAnswer;
  readonly meter: { countOne(limit: CountLimit): Promise<number> };
  readonly limit: CountLimit;
}

/** Within this, failures are limited. */
const WINDOW_SECONDS = 15 * 60;
/** For one account, by its login name or in one of its sessions. */
export const FAILURES_PER_ACCOUNT: CountLimit = { count: 10, windowSeconds: WINDOW_SECONDS };
export const FAILURES_PER_ADDRESS: CountLimit = { count: 100, windowSeconds: WINDOW_SECONDS };

/**
 * Compares a password as one trial of each meter that was asked for one. The trials are over when this returns; a failure
 * has been counted by then.
 * @param compare what it returns where the password is right, undefined where it is wrong
 * @throws ServiceError 429 where any of the meters refuses, without comparing
 */
export async function tryPassword<Result>(
  asked: readonly AskedMeter[],
  compare: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const trials = asked.flatMap(({ answer, ...meter }) =>
    "trial" in answer ? [{ ...meter, trial: answer.trial }] : [],
  );
  try {
    const waits = asked.map(({ answer }) => ("trial" in answer ? 0 : answer.retryAfterSeconds));
    if (trials.length < asked.length) throw ERRORS.TooManyAttempts(Math.max(...waits));
    const result = await compare();
    if (result === undefined) await Promise.all(trials.map(countFailure));
    return result;
  } finally {
    for (const { trial } of trials) trial[Symbol.dispose]();
  }
}

/**
 * A meter that is reset while the password is compared takes its trials with it. Then a call of its own counts the failure:
 * twice where the reset came after the trial had counted it, which is better than never.
 */
async function countFailure({ trial, meter, limit }: Omit<AskedMeter, "answer"> & { trial: HeldTrial }): Promise<void> {
  try {
    await trial.failed();
  } catch (error) {
    console.warn(toLogLine("trial.lost", {}, error));
    await meter.countOne(limit);
  }
}
