import type { Snapshot } from "./snapshot.ts";

export const EMPTY: Snapshot = {
  items: [],
  hidden: 0,
  total: 0,
  done: 0,
  duplicates: 0,
  failed: 0,
  retryable: 0,
  left: 0,
  sentBytes: 0,
  totalBytes: 0,
  results: [],
  secondsLeft: undefined,
  pause: undefined,
};
