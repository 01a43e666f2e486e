/** A first attempt and two more, with less than a second of waiting between them: a client waits meanwhile. */
const ATTEMPTS = 3;
/** No attempt begins later, as one may take long by itself. */
const DEADLINE_MS = 20_000;
const FIRST_DELAY_MS = 100;
const DELAY_FACTOR = 4;

/**
 * Runs what may be run again, and runs it again where it fails in a way that may pass. Delays grow and are random, so
 * that the callers whom one failure hits do not all come back at once.
 * @param attempt is told its number, from 1
 * @throws what the last attempt threw
 */
export async function retry<T>(
  attempt: (number: number) => Promise<T>,
  mayPass: (error: unknown) => boolean,
): Promise<T> {
  const startedAt = Date.now();
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const delayMs = FIRST_DELAY_MS * DELAY_FACTOR ** (number - 1) * (0.5 + Math.random());
      const isLate = Date.now() - startedAt + delayMs > DEADLINE_MS;
      if (number === ATTEMPTS || isLate || !mayPass(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}
