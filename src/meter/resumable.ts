import type { MediaType } from "../domain/media-types.ts";

/** What a client said of an upload when it created it. */
export interface ResumableFacts {
  /** `Upload-Metadata` as it was sent; null where there was none. */
  readonly metadata: string | null;
  readonly filename: string;
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: string[];
  /** The key that pays for it, null for a session. */
  readonly keyId: string | null;
}

/** What its first part has shown. */
export interface ResumableFile {
  readonly objectKey: string;
  readonly originalFilename: string;
  readonly mimeType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly multipartId: string;
}

/** `removed`: nobody can reach it any more; its R2 upload has still to be aborted. */
export type ResumableState = "receiving" | "done" | "removed";

/** An upload that comes in pieces. Sizes are bytes, times milliseconds since the epoch. */
export interface Resumable {
  readonly id: string;
  /** Null as long as the client has not said it. */
  readonly length: number | null;
  /** So many bytes are kept: those before `tailStart` in R2's parts, the others in the tail. */
  readonly offset: number;
  readonly tailStart: number;
  readonly reservedBytes: number;
  readonly facts: ResumableFacts;
  /** Null until its first part was begun. */
  readonly file: ResumableFile | null;
  readonly nextPart: number;
  /** The request that may write to it, until `leaseUntil`; null where there is none. */
  readonly writer: string | null;
  readonly leaseUntil: number;
  /** Whether another request waits for the writer to stop. */
  readonly isWanted: boolean;
  readonly state: ResumableState;
  /** When the last byte came. */
  readonly touchedAt: number;
  readonly createdAt: number;
  /** When the alarm looks at it next. */
  readonly dueAt: number;
}
