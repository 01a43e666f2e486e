import { formatBytes, formatDate, formatPlural } from "../design/format.ts";
import type { Pause } from "./pause.ts";
import type { Snapshot } from "./snapshot.ts";
import type { UploadItem } from "./upload-item.ts";

/** What a tray says at its top. */
export function titleOf({ left, done, failed, total, pause }: Snapshot): string {
  if (left > 0) {
    if (pause !== undefined) return `${formatPlural(left, "file")} waiting`;
    return `Uploading ${Math.min(total, done + failed + 1)} of ${total}`;
  }
  if (failed === 0) return `${formatPlural(done, "file")} uploaded`;
  return done === 0 ? `${formatPlural(failed, "file")} not uploaded` : `${done} uploaded, ${failed} not`;
}

/** "40 s left"; whole minutes from two on, as seconds of an hour's wait say nothing. */
export function remainingOf(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, seconds)} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min left`;
  return `${Math.round(minutes / 60)} h left`;
}

/** @param requestsPerMinute of the account's tier, where it is known */
export function pauseOf({ reason, message, until }: Pause, now: number, requestsPerMinute?: number): string {
  const seconds = until === undefined ? 0 : Math.max(1, Math.ceil((until - now) / 1000));
  switch (reason) {
    case "rate": {
      const limit = requestsPerMinute === undefined ? "" : ` (${requestsPerMinute} requests a minute)`;
      return `Waiting ${seconds} s${limit}`;
    }
    case "busy":
      return `Waiting ${seconds} s: the service is busy`;
    case "connection":
      return `Connection lost. Next try in ${seconds} s`;
    case "offline":
      return "You are offline. Uploads go on when you are back.";
    case "storage":
      return message;
    case "operations": {
      const date = until === undefined ? "the month's end" : formatDate(until);
      return `The month's operations are used up until ${date}`;
    }
    case "session":
      return message;
  }
}

/** What stands below a file's name. */
export function statusOf({ state, sizeBytes, sentBytes, message, result }: UploadItem): string {
  switch (state) {
    case "queued":
      return formatBytes(sizeBytes);
    case "sending":
      return `${percentOf(sentBytes, sizeBytes)} of ${formatBytes(sizeBytes)}`;
    case "processing":
      return "Being stored";
    case "waiting":
    case "failed":
      return message ?? "Waiting";
    case "done":
      if (result?.compressed) return `${formatBytes(sizeBytes)}, stored as ${formatBytes(result.fileSize)}`;
      return formatBytes(result?.fileSize ?? sizeBytes);
    case "cancelled":
      return "Cancelled";
  }
}

export function percentOf(sentBytes: number, sizeBytes: number): string {
  return `${sizeBytes === 0 ? 100 : Math.floor((100 * sentBytes) / sizeBytes)} %`;
}
