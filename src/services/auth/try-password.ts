import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";

/** A trial from a meter, or the seconds until one may begin. */
export type TrialAnswer = { readonly trial: HeldTrial } | { readonly retryAfterSeconds: number };

interface HeldTrial {
  failed(): Promise<void>;
  withdraw(): Promise<void>;
  [Symbol.dispose](): void;
}

/** A meter's answer to a request for a trial. */
export interface AskedMeter {
  readonly answer: TrialAnswer;
  /** Counts a failure whose trial was lost. */
  countFailure(): Promise<unknown>;
}

/**
 * Compares a password as one trial of each meter. When this returns, the trials are over and a failure is counted. If a
 * meter refuses, the others take their trials back.
 * @param compare returns a result if the password is right, undefined if it is wrong
 * @throws ServiceError 429 without comparing, if a meter refuses
 */
export async function tryPassword<Result>(
  asked: readonly AskedMeter[],
  compare: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const trials = asked.flatMap(({ answer, countFailure }) =>
    "trial" in answer ? [{ countFailure, trial: answer.trial }] : [],
  );
  try {
    const waits = asked.map(({ answer }) => ("trial" in answer ? 0 : answer.retryAfterSeconds));
    if (trials.length < asked.length) {
      await Promise.all(trials.map(({ trial }) => withdraw(trial)));
      throw ERRORS.TooManyAttempts(Math.max(...waits));
    }
    const result = await compare();
    if (result === undefined) await Promise.all(trials.map(fail));
    return result;
  } finally {
    for (const { trial } of trials) trial[Symbol.dispose]();
  }
}

/** Takes a trial back whose password is not compared. If its meter does not answer, the try stays counted. */
export async function withdraw(trial: HeldTrial): Promise<void> {
  await trial.withdraw().catch((error: unknown) => console.warn(toLogLine("trial.lost", {}, error)));
  trial[Symbol.dispose]();
}

/**
 * A meter that resets during the comparison loses its trials. A separate call then counts the failure. It may count twice, which is safer
 * than not counting.
 */
async function fail({ trial, countFailure }: Omit<AskedMeter, "answer"> & { trial: HeldTrial }): Promise<void> {
  try {
    await trial.failed();
  } catch (error) {
    console.warn(toLogLine("trial.lost", {}, error));
    await countFailure();
  }
}
