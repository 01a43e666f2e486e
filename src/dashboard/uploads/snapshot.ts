import type { UploadResult } from "../../client/index.ts";
import type { Pause } from "./pause.ts";
import { isOver, type UploadItem, type UploadState } from "./upload-item.ts";

/** The queue as the tray shows it. */
export interface Snapshot {
  /** The first files of each state, beginning with active and failed files. */
  readonly items: readonly UploadItem[];
  /** The number of files that are not in `items`. */
  readonly hidden: number;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Failed files that may be retried. */
  readonly retryable: number;
  /** Files that are not finished. */
  readonly left: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** The stored files, in the order of the uploads. */
  readonly results: readonly UploadResult[];
  /** Undefined if it cannot be estimated. */
  readonly secondsLeft: number | undefined;
  readonly pause: Pause | undefined;
}

const GROUPS: readonly (readonly UploadState[])[] = [
  ["sending", "processing", "waiting"],
  ["failed"],
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
  const results: UploadResult[] = [];
  let [total, done, failed, retryable, left, sentBytes, totalBytes] = [0, 0, 0, 0, 0, 0, 0];
  for (const item of all) {
    total += 1;
    if (item.state === "done") done += 1;
    if (item.result !== undefined) results.push(item.result);
    if (item.state === "failed") failed += 1;
    if (item.remedy === "retry") retryable += 1;
    if (!isOver(item.state)) left += 1;
    // A failed file needs no more time.
    if (item.state !== "failed") {
      sentBytes += item.sentBytes;
      totalBytes += item.sizeBytes;
    }
    const group = groups[GROUPS.findIndex((states) => states.includes(item.state))];
    // The last done files are shown.
    if (item.state === "done") {
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
    failed,
    retryable,
    left,
    sentBytes,
    totalBytes,
    results,
    secondsLeft,
    pause,
  };
}
