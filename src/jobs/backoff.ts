const MAX_BACKOFF_SECONDS = 600;

/**
 * How long to wait before a message is delivered again; with the retries of `wrangler.toml` that makes hours in all.
 * @param attempts deliveries so far, from 1
 */
export function backoffSeconds(attempts: number): number {
  return Math.min(MAX_BACKOFF_SECONDS, 2 ** attempts);
}
