import type { UploadResult } from "../../client/index.ts";

export interface Target {
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: readonly string[];
  /** Public if it is not given. */
  readonly visibility?: "private";
  /** ISO 8601: the time at which the service deletes the file. */
  readonly expiresAt?: string;
  /** Whether images are compressed, in place of the account's setting. */
  readonly compress?: boolean;
  /** False if the file is stored although the account has its bytes (UP-14). */
  readonly dedupe?: false;
}

/**
 * `sending`: bytes are being sent. `processing`: all bytes are sent, and there is no response yet. `waiting`: the file is retried
 * automatically, or when its queue resumes. `done`, `failed` and `cancelled` are final until the user acts.
 */
export type UploadState = "queued" | "sending" | "processing" | "waiting" | "done" | "failed" | "cancelled";

/** The action for a failed file. */
export type Remedy = "retry" | "root";

/** A file of the tray. */
export interface UploadItem {
  readonly id: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly target: Target;
  readonly state: UploadState;
  readonly sentBytes: number;
  /** The reason for waiting or failing, for people. */
  readonly message: string | undefined;
  readonly remedy: Remedy | undefined;
  /** Set once the file is stored. */
  readonly result: UploadResult | undefined;
  /** Undefined once it is stored, so that its bytes can be freed. A duplicate has it, because the user may keep both files. */
  readonly file?: File | undefined;
  /** The address of a small picture, made by this page. */
  readonly picture?: string | undefined;
}

/** A file of the queue, while the queue works on it. */
export interface Entry extends UploadItem {
  file: File | undefined;
  target: Target;
  state: UploadState;
  sentBytes: number;
  message: string | undefined;
  remedy: Remedy | undefined;
  result: UploadResult | undefined;
  /** Milliseconds since 1970. A request that was sent then may have stored the file, but its response was lost. */
  mayBeStoredSince: number | undefined;
}

/** Whether a file's state is final until the user acts. */
export function isOver(state: UploadState): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** Whether the account had the file's bytes before (UP-14). The result is then the older file. */
export function isDuplicate({ result }: Pick<UploadItem, "result">): boolean {
  return result?.deduplicated === true;
}

/** Changes a file so that it is stored although the account has its bytes. It must be queued again. @returns the file */
export function toUnique(entry: Entry): Entry {
  const target = { ...entry.target, dedupe: false as const };
  return Object.assign(entry, { target, state: "queued", sentBytes: 0, result: undefined, message: undefined });
}

/** @param remedy the action for the file; none if it is not given */
export function fail(entry: Entry, message: string, remedy?: Remedy): void {
  if (entry.state !== "cancelled") Object.assign(entry, { state: "failed", sentBytes: 0, message, remedy });
}
