import { formatBytes } from "../design/format.ts";

/** What is known of an error of the service (`MediaHostError`); `statusCode` is 0 where no answer came. */
export interface Failure {
  readonly message: string;
  readonly statusCode: number;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Why the whole queue does nothing for a while. */
export type PauseReason = "rate" | "busy" | "connection" | "offline" | "storage" | "operations" | "session";

/**
 * What follows from a request that failed. `refused`: the file is never sent again by itself. `again`: this request is, up to three times.
 * `lost`: nobody knows whether the files are stored. `pause`: what is true of one request is true of all.
 */
export type Verdict =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "folder-gone"; readonly message: string }
  | { readonly kind: "again"; readonly message: string }
  | { readonly kind: "lost" }
  | { readonly kind: "pause"; readonly reason: PauseReason; readonly message: string; readonly seconds?: number };

const DEFAULT_WAIT_SECONDS = 5;

/**
 * Judges the answer to an upload (README, Errors).
 * @param largestBytes the size of the largest file that was sent
 */
export function judgeFailure(failure: Failure, largestBytes: number, hasFolder: boolean): Verdict {
  const { message, statusCode, details = {} } = failure;
  const seconds = failure.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
  switch (statusCode) {
    case 0:
      return { kind: "lost" };
    case 401:
      return { kind: "pause", reason: "session", message: "Log in to go on" };
    case 404:
      return hasFolder ? { kind: "folder-gone", message: "The folder is gone" } : { kind: "again", message };
    case 408:
    case 422:
      return { kind: "again", message };
    // The same upload is under way, in a request whose answer was lost.
    case 409:
    case 423:
      return { kind: "pause", reason: "busy", message, seconds };
    case 413:
      return judgeTooLarge(message, details, largestBytes);
    case 429:
      return details.reason === "operations"
        ? { kind: "pause", reason: "operations", message, seconds }
        : { kind: "pause", reason: "rate", message, seconds };
    case 503:
      return { kind: "pause", reason: "busy", message, seconds };
    default:
      return statusCode >= 500 ? { kind: "again", message } : { kind: "refused", message };
  }
}

function judgeTooLarge(message: string, details: Readonly<Record<string, unknown>>, largestBytes: number): Verdict {
  const { maxBytes, limitBytes } = details;
  if (typeof maxBytes === "number") return { kind: "refused", message: tooLarge(maxBytes) };
  // Nothing that is deleted makes room for it.
  if (typeof limitBytes === "number" && largestBytes > limitBytes) {
    return { kind: "refused", message: tooLargeForTier(limitBytes) };
  }
  return { kind: "pause", reason: "storage", message };
}

export function tooLarge(maxBytes: number): string {
  return `Larger than ${formatBytes(maxBytes)}, the most one file may be`;
}

export function tooLargeForTier(limitBytes: number): string {
  return `Larger than ${formatBytes(limitBytes)}, all of the account's storage`;
}
