const MAX_BACKOFF_SECONDS = 600;
const FIRST_LONG_BACKOFF_SECONDS = 15 * 60;
const MAX_LONG_BACKOFF_SECONDS = 6 * 60 * 60;

/** The seconds before a message is delivered again. `attempts` counts the deliveries, from 1. */
export type Backoff = (attempts: number) => number;

/**
 * Back-off of the queues of new messages: first seconds, then minutes. The retries of `wrangler.toml` take half an hour to hours in total.
 */
export const backoffSeconds: Backoff = (attempts) => Math.min(MAX_BACKOFF_SECONDS, 2 ** attempts);

/**
 * Back-off of the dead-letter queues, whose messages need a repair first. With the retries of `wrangler.toml` it is 3.5
 * days in total, within the four days for which a queue keeps a message.
 */
export const longBackoffSeconds: Backoff = (attempts) =>
  Math.min(MAX_LONG_BACKOFF_SECONDS, FIRST_LONG_BACKOFF_SECONDS * 2 ** (attempts - 1));
