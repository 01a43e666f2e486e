const MAX_BACKOFF_SECONDS = 600;
const FIRST_LONG_BACKOFF_SECONDS = 15 * 60;
const MAX_LONG_BACKOFF_SECONDS = 6 * 60 * 60;

/** How long to wait before a message is delivered again. Attempts are the deliveries so far, from 1. */
export type Backoff = (attempts: number) => number;

/** For the queues of new messages: seconds first, then minutes; with the retries of `wrangler.toml` that makes half an hour or hours. */
export const backoffSeconds: Backoff = (attempts) => Math.min(MAX_BACKOFF_SECONDS, 2 ** attempts);

/**
 * For the dead-letter queues, where messages are that failed all that time, so that something is out of order and has to be repaired. With
 * the retries of `wrangler.toml` it makes three and a half days, within the four for which a queue keeps a message.
 */
export const longBackoffSeconds: Backoff = (attempts) =>
  Math.min(MAX_LONG_BACKOFF_SECONDS, FIRST_LONG_BACKOFF_SECONDS * 2 ** (attempts - 1));
