import type { Pause } from "./pause.ts";
import { isOver, type UploadItem, type UploadState } from "./upload-item.ts";

/** The queue as it is shown. */
export interface Snapshot {
  /** Of many files only the first ones of each kind, those that need somebody before all others. */
  readonly items: readonly UploadItem[];
  /** Files that are not among the items. */
  readonly hidden: number;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Of the failed ones, those that may be sent again. */
  readonly retryable: number;
  /** Files of which nothing has become yet. */
  readonly left: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Undefined where it cannot be said. */
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

/** @param secondsFor how long so many bytes take */
export function toSnapshot(
  all: Iterable<UploadItem>,
  pause: Pause | undefined,
  secondsFor: (bytes: number) => number | undefined,
): Snapshot {
  const groups: UploadItem[][] = GROUPS.map(() => []);
  let [total, done, failed, retryable, left, sentBytes, totalBytes] = [0, 0, 0, 0, 0, 0, 0];
  for (const item of all) {
    total += 1;
    if (item.state === "done") done += 1;
    if (item.state === "failed") failed += 1;
    if (item.remedy === "retry") retryable += 1;
    if (!isOver(item.state)) left += 1;
    // What failed takes no time any more.
    if (item.state !== "failed") {
      sentBytes += item.sentBytes;
      totalBytes += item.sizeBytes;
    }
    const group = groups[GROUPS.findIndex((states) => states.includes(item.state))];
    // Of what is done, the last ones.
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
    ...{ items, hidden: total - items.length, total, done, failed, retryable, left },
    ...{ sentBytes, totalBytes, secondsLeft, pause },
  };
}
