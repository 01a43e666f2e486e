import type { MediaType } from "../../domain/media-types.ts";

/** The facts in the request that created the upload. */
export interface ResumableFacts {
  /** `Upload-Metadata` as it was sent; null if it was not. */
  readonly metadata: string | null;
  readonly filename: string;
  /** Null for Root. */
  readonly folderId: string | null;
  readonly tags: string[];
  /** The key that pays for it; null for a session. */
  readonly keyId: string | null;
}

/** The facts in the upload's first part. */
export interface ResumableFile {
  readonly objectKey: string;
  readonly originalFilename: string;
  readonly mimeType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly multipartId: string;
  /** How far its metadata is removed, after its last part; undefined if all of it is kept. Only the writer reads it. */
  readonly scrub?: string | undefined;
}

/** `removed`: no client can reach it any more; its R2 upload is still to be aborted. */
export type ResumableState = "receiving" | "done" | "removed";

/** An upload in pieces. Sizes are bytes, times milliseconds since the epoch. */
export interface Resumable {
  readonly id: string;
  /** Null as long as the client has not said it. */
  readonly length: number | null;
  /** The number of stored bytes: those before `tailStart` are in R2's parts, the others in the tail. */
  readonly offset: number;
  readonly tailStart: number;
  readonly reservedBytes: number;
  readonly facts: ResumableFacts;
  /** Null until its first part was begun. */
  readonly file: ResumableFile | null;
  readonly nextPart: number;
  /** The request that may write until `leaseUntil`; null if there is none. */
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
