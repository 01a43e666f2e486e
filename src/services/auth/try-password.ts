import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";

/** An attempt from a meter, or the seconds until one may begin. */
export type AttemptAnswer = { readonly attempt: HeldAttempt } | { readonly retryAfterSeconds: number };

interface HeldAttempt {
  failed(): Promise<void>;
  withdraw(): Promise<void>;
  [Symbol.dispose](): void;
}

/** A meter's answer to a request for an attempt. */
export interface AskedMeter {
  readonly answer: AttemptAnswer;
  /** Counts a failure whose attempt was lost. */
  countFailure(): Promise<unknown>;
}

/**
 * Compares a password as one attempt of each meter. When this returns, the attempts are over and a failure is counted. If a
 * meter refuses, the others take their attempts back.
 * @param compare returns a result if the password is right, undefined if it is wrong
 * @throws ServiceError 429 without comparing, if a meter refuses
 */
export async function tryPassword<Result>(
  asked: readonly AskedMeter[],
  compare: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const attempts = asked.flatMap(({ answer, countFailure }) =>
    "attempt" in answer ? [{ countFailure, attempt: answer.attempt }] : [],
  );
  try {
    const waits = asked.map(({ answer }) => ("attempt" in answer ? 0 : answer.retryAfterSeconds));
    if (attempts.length < asked.length) {
      await Promise.all(attempts.map(({ attempt }) => withdraw(attempt)));
      throw ERRORS.TooManyAttempts(Math.max(...waits));
    }
    const result = await compare();
    if (result === undefined) await Promise.all(attempts.map(fail));
    return result;
  } finally {
    for (const { attempt } of attempts) attempt[Symbol.dispose]();
  }
}

/** Takes an attempt back whose password is not compared. If its meter does not answer, the try stays counted. */
export async function withdraw(attempt: HeldAttempt): Promise<void> {
  await attempt.withdraw().catch((error: unknown) => console.warn(toLogLine("attempt.lost", {}, error)));
  attempt[Symbol.dispose]();
}

/**
 * A meter that resets during the comparison loses its attempts. A separate call then counts the failure. It may count twice, which is safer
 * than not counting.
 */
async function fail({ attempt, countFailure }: Omit<AskedMeter, "answer"> & { attempt: HeldAttempt }): Promise<void> {
  try {
    await attempt.failed();
  } catch (error) {
    console.warn(toLogLine("attempt.lost", {}, error));
    await countFailure();
  }
}
