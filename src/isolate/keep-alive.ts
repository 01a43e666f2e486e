/** How often a holder shows that it is still there. */
const EVERY_MS = 15_000;

/**
 * Calls `sign` regularly for as long as the request lives that calls this: the timer belongs to the request and ends with it,
 * also when the platform ends the request without running its `finally` blocks.
 * @returns stops the signs
 */
export function keepAlive(sign: () => void): () => void {
  sign();
  const timer = setInterval(sign, EVERY_MS);
  return () => clearInterval(timer);
}
