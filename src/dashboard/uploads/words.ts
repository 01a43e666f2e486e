import type { UploadResult } from "../../client/index.ts";
import { formatBytes, formatDate, formatPlural, isolate } from "../design/format.ts";
import type { Pause } from "./pause.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Target, UploadItem } from "./upload-item.ts";

export function titleOf({ left, done, duplicates, failed, total, pause }: Snapshot): string {
  if (left > 0) {
    if (pause !== undefined) return `${formatPlural(left, "file")} waiting`;
    return `Uploading ${Math.min(total, done + failed + 1)} of ${total}`;
  }
  const stored = done - duplicates;
  if (stored === total) return `${formatPlural(stored, "file")} uploaded`;
  if (failed === total) return `${formatPlural(failed, "file")} failed`;
  if (duplicates === total)
    return `${formatPlural(duplicates, "file")} ${duplicates === 1 ? "was" : "were"} already here`;
  const parts = [
    [stored, "uploaded"],
    [duplicates, "already here"],
    [failed, "failed"],
  ] as const;
  return parts.flatMap(([count, word]) => (count > 0 ? `${count} ${word}` : [])).join(", ");
}

/** "40 s left". Whole minutes from two on, because seconds are meaningless in a long wait. */
export function remainingOf(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, seconds)} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min left`;
  return `${Math.round(minutes / 60)} h left`;
}

/** @param requestsPerMinute the account's limit, if it is known */
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
      return "You are offline. Uploads resume when you are back online.";
    case "storage":
      return message;
    case "operations": {
      const date = until === undefined ? "next month" : `on ${formatDate(until)}`;
      return `The month's operations are used up. Uploads resume ${date}.`;
    }
    case "suspended":
    case "session":
      return message;
  }
}

export function statusOf({ state, sizeBytes, sentBytes, message, result }: UploadItem): string {
  switch (state) {
    case "queued":
      return formatBytes(sizeBytes);
    case "sending":
      return `${percentOf(sentBytes, sizeBytes)} of ${formatBytes(sizeBytes)}`;
    case "processing":
      return "Saving";
    case "waiting":
    case "failed":
      return message ?? "Waiting";
    case "done":
      if (result?.deduplicated) return "You already have this file";
      if (result?.compressed) return `${formatBytes(sizeBytes)}, stored as ${formatBytes(result.fileSize)}`;
      return formatBytes(result?.fileSize ?? sizeBytes);
    case "cancelled":
      return "Cancelled";
  }
}

/** The place and options of an upload: "In Clients · private · deleted 27 Dec 2026 · tagged press". Empty for a plain upload to Root. */
export function optionsOf({ tags, visibility, expiresAt, compress }: Target, folderName: string | undefined): string {
  const parts = [
    folderName !== undefined && `In ${isolate(folderName)}`,
    visibility === "private" && "Private",
    compress !== undefined && (compress ? "Compressed" : "Not compressed"),
    expiresAt !== undefined && `Deleted ${formatDate(expiresAt)}`,
    tags.length > 0 && `Tagged ${tags.join(", ")}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The place of the older file: "In Clients", "As beach.jpg in Root". @param name of the file that was uploaded */
export function placeOf(
  { originalFilename }: Pick<UploadResult, "originalFilename">,
  name: string,
  folderName: string | undefined,
): string {
  const place = folderName === undefined ? "Root" : isolate(folderName);
  return originalFilename === name ? `In ${place}` : `As ${isolate(originalFilename)} in ${place}`;
}

function percentOf(sentBytes: number, sizeBytes: number): string {
  return `${sizeBytes === 0 ? 100 : Math.floor((100 * sentBytes) / sizeBytes)} %`;
}
