import { describeRefusal } from "../api/describe-refusal.ts";
import { formatBytes } from "../design/format.ts";

/** An error of the service (`MediaHostError`); `statusCode` is 0 if there was no response. */
export interface Failure {
  readonly message: string;
  readonly statusCode: number;
  readonly code?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export type PauseReason =
  | "rate"
  | "busy"
  | "connection"
  | "offline"
  | "storage"
  | "operations"
  | "suspended"
  | "session";

/**
 * The consequence of a failed request. `refused`: do not retry automatically. `again`: retry this request up to three times. `lost`: it is
 * unknown whether the files were stored. `pause`: all requests would fail in the same way.
 */
export type Verdict =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "folder-gone"; readonly message: string }
  | { readonly kind: "again"; readonly message: string }
  | { readonly kind: "lost" }
  | { readonly kind: "pause"; readonly reason: PauseReason; readonly message: string; readonly seconds?: number };

const DEFAULT_WAIT_SECONDS = 5;

/**
 * Judges the response to an upload (docs/using/errors.md).
 * @param largestBytes the size of the largest file of the request
 */
export function judgeFailure(failure: Failure, largestBytes: number, hasFolder: boolean): Verdict {
  const { message, statusCode, details = {} } = failure;
  const seconds = failure.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
  switch (statusCode) {
    case 0:
      return { kind: "lost" };
    case 401:
      return { kind: "pause", reason: "session", message: "Log in to continue" };
    case 403:
      return failure.code === "account_suspended"
        ? { kind: "pause", reason: "suspended", message: `${message}.` }
        : { kind: "refused", message };
    case 404:
      return hasFolder ? { kind: "folder-gone", message: "The folder was deleted" } : { kind: "again", message };
    case 408:
    case 422:
      return { kind: "again", message };
    // An earlier request whose response was lost is still storing the same upload.
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
      return statusCode >= 500
        ? { kind: "again", message }
        : { kind: "refused", message: describeRefusal(message, details) };
  }
}

function judgeTooLarge(message: string, details: Readonly<Record<string, unknown>>, largestBytes: number): Verdict {
  const { maxBytes, limitBytes } = details;
  if (typeof maxBytes === "number") return { kind: "refused", message: tooLarge(maxBytes) };
  // Deleting other files would not make enough room.
  if (typeof limitBytes === "number" && largestBytes > limitBytes) {
    return { kind: "refused", message: tooLargeForTier(limitBytes) };
  }
  return { kind: "pause", reason: "storage", message };
}

function tooLarge(maxBytes: number): string {
  return `Larger than ${formatBytes(maxBytes)}, the limit for one file`;
}

export function tooLargeForTier(limitBytes: number): string {
  return `Larger than ${formatBytes(limitBytes)}, the account's whole storage`;
}
