import type { Snapshot } from "./snapshot.ts";

/** What is shown before there are files. */
export const EMPTY: Snapshot = {
  ...{ items: [], hidden: 0, total: 0, done: 0, failed: 0, retryable: 0, left: 0 },
  ...{ sentBytes: 0, totalBytes: 0, secondsLeft: undefined, pause: undefined },
};
