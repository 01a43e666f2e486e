import type { UploadResult } from "../../client/index.ts";

/** Where files go. */
export interface Target {
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: readonly string[];
}

/**
 * `sending`: bytes are on their way. `processing`: all of them are sent, and the answer is not there. `waiting`: it will be sent again, by
 * itself or when its queue goes on. Done, failed and cancelled ones stay what they are until somebody does something.
 */
export type UploadState = "queued" | "sending" | "processing" | "waiting" | "done" | "failed" | "cancelled";

/** What a person can do about a file that failed. */
export type Remedy = "retry" | "root";

/** A file of the tray. */
export interface UploadItem {
  readonly id: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly target: Target;
  readonly state: UploadState;
  readonly sentBytes: number;
  /** Why it waits or failed, for people. */
  readonly message: string | undefined;
  readonly remedy: Remedy | undefined;
  /** Of a stored file. */
  readonly result: UploadResult | undefined;
}

/** A file of the queue, while the queue works on it. */
export interface Entry extends UploadItem {
  /** Undefined once it is stored: nothing holds its bytes any longer. */
  file: File | undefined;
  target: Target;
  state: UploadState;
  sentBytes: number;
  message: string | undefined;
  remedy: Remedy | undefined;
  result: UploadResult | undefined;
  /** Milliseconds since 1970: a request of then may have stored it, as its answer is not known. */
  mayBeStoredSince: number | undefined;
}

/** Whether nothing becomes of a file by itself any more. */
export function isOver(state: UploadState): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** @param remedy what can be done about it; nothing where it is not given */
export function fail(entry: Entry, message: string, remedy?: Remedy): void {
  if (entry.state !== "cancelled") Object.assign(entry, { state: "failed", sentBytes: 0, message, remedy });
}
