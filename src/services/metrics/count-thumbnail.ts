import { count } from "./counts.ts";

/** `failed` and `timed-out` attempts are made again; `given-up` are those whose time was up once more hours after the upload. */
export type ThumbnailOutcome =
  | "made"
  | "impossible"
  | "storage-full"
  | "nobody-makes-them"
  | "failed"
  | "timed-out"
  | "given-up";

/** Counts an attempt at a video's thumbnail. */
export function countThumbnail(outcome: ThumbnailOutcome): void {
  count("media_thumbnails_total", { outcome });
}
