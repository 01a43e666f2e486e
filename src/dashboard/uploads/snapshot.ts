import type { UploadResult } from "../../client/index.ts";
import type { Pause } from "./pause.ts";
import { isDuplicate, isOver, type UploadItem, type UploadState } from "./upload-item.ts";

/** The queue as the tray shows it. */
export interface Snapshot {
  /** The first files of each state, beginning with active and failed files. */
  readonly items: readonly UploadItem[];
  /** The number of files that are not in `items`. */
  readonly hidden: number;
  readonly total: number;
  readonly done: number;
  /** Done files that the account had before. */
  readonly duplicates: number;
  readonly failed: number;
  /** Failed files that may be retried. */
  readonly retryable: number;
  /** Files that are not finished. */
  readonly left: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** The stored files and the older files of duplicates, in the order of the uploads. Each file is listed once. */
  readonly results: readonly UploadResult[];
  /** Undefined if it cannot be estimated. */
  readonly secondsLeft: number | undefined;
  readonly pause: Pause | undefined;
}

const GROUPS: readonly (readonly (UploadState | "duplicate")[])[] = [
  ["sending", "processing", "waiting"],
  ["failed"],
  ["duplicate"],
  ["queued"],
  ["done"],
];
const MOST_OF_A_GROUP = 20;

/** @param secondsFor estimates the time for a number of bytes */
export function toSnapshot(
  all: Iterable<UploadItem>,
  pause: Pause | undefined,
  secondsFor: (bytes: number) => number | undefined,
): Snapshot {
  const groups: UploadItem[][] = GROUPS.map(() => []);
  const results = new Map<string, UploadResult>();
  let [total, done, duplicates, failed, retryable, left, sentBytes, totalBytes] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (const item of all) {
    total += 1;
    if (item.state === "done") done += 1;
    const state = isDuplicate(item) ? "duplicate" : item.state;
    if (state === "duplicate") duplicates += 1;
    if (item.result !== undefined) results.set(item.result._id, item.result);
    if (item.state === "failed") failed += 1;
    if (item.remedy === "retry") retryable += 1;
    if (!isOver(item.state)) left += 1;
    // A failed file needs no more time.
    if (item.state !== "failed") {
      sentBytes += item.sentBytes;
      totalBytes += item.sizeBytes;
    }
    const group = groups[GROUPS.findIndex((states) => states.includes(state))];
    // The last done files are shown.
    if (state === "done") {
      group?.unshift(item);
      if ((group?.length ?? 0) > MOST_OF_A_GROUP) group?.pop();
    } else if (group !== undefined && group.length < MOST_OF_A_GROUP) {
      group.push(item);
    }
  }
  const items = groups.flat().map((item) => ({ ...item }));
  const secondsLeft = left === 0 || pause !== undefined ? undefined : secondsFor(totalBytes - sentBytes);
  return {
    items,
    hidden: total - items.length,
    total,
    done,
    duplicates,
    failed,
    retryable,
    left,
    sentBytes,
    totalBytes,
    results: [...results.values()],
    secondsLeft,
    pause,
  };
}
