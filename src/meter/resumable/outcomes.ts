import type { AccountFigures, Exhausted, Refused, TokenUsedUp } from "../books/figures.ts";
import type { Resumable, ResumableFacts, ResumableFile } from "./resumable.ts";

/** Arguments and results of the meter's calls about uploads in pieces. */

export interface NewResumable {
  readonly id: string;
  /** Null if the client sends the length later. */
  readonly length: number | null;
  readonly facts: ResumableFacts;
}

/** A request that opens an upload. */
export interface ResumableClaim {
  /** The request's own id: only the request that holds the lease may write. */
  readonly writer: string;
  /** The position of the first byte; undefined if the request only asks for the offset. */
  readonly offset?: number;
  /** The upload's length, if the request contains it. */
  readonly length?: number;
  /** The request's `Content-Length`, if it has one; else 0. */
  readonly comingBytes?: number;
  /** The key that must have created the upload; undefined if any caller of the account may open it. */
  readonly ofKey?: string;
}

/** A piece that is small enough to need no writer. */
export interface Drop {
  readonly offset: number;
  /** The upload's length, if the request contains it. */
  readonly length?: number;
  readonly bytes: Uint8Array;
  /** Bytes from the file's start that decide its type. A writer checks them. */
  readonly sniffedBytes: number;
  /** As in `ResumableClaim`. */
  readonly ofKey?: string;
}

/**
 * `added`: the bytes are stored, and the answer has to wait. `refused`: the account sends drops too fast. `writer-needed`: the upload has a
 * writer, or these bytes complete it or a part, or it has another state that a writer handles.
 */
export type DropOutcome =
  | { readonly outcome: "added"; readonly offset: number; readonly waitMs: number }
  | { readonly outcome: "refused"; readonly retryAfterSeconds: number }
  | { readonly outcome: "writer-needed" };

export interface StorageFull {
  readonly outcome: "storage-full";
  /** The reservations of all uploads in progress. */
  readonly reservedBytes: number;
  readonly figures: AccountFigures;
}

export type ResumableCreation =
  | Refused
  | Exhausted
  | TokenUsedUp
  | { readonly outcome: "created"; readonly upload: Resumable; readonly figures: AccountFigures }
  | StorageFull
  | { readonly outcome: "too-many" };

/**
 * `opened`: the request holds the lease. `idle`: no request writes, and this one need not write either. `conflict`: its bytes do not begin
 * at the upload's offset. `misfit`: its length contradicts the recorded length, or is below the offset. `held`: another request did not
 * release the lease in time, or the upload is being finished.
 */
export type ResumableOpening =
  | TokenUsedUp
  | { readonly outcome: "opened" | "idle" | "conflict" | "misfit" | "done"; readonly upload: Resumable }
  | StorageFull
  | { readonly outcome: "unknown" | "held" };

/**
 * `written`: the write is done. `wanted`: the write is done, and the writer should stop soon. `lost`: the write is not done, because
 * another request writes now.
 */
export type ResumableWrite =
  | TokenUsedUp
  | { readonly outcome: "written" | "wanted"; readonly offset: number }
  | StorageFull
  | { readonly outcome: "lost" };

/** A part that R2 has. */
export interface ReceivedPart {
  readonly part: R2UploadedPart;
  /** The upload's offset after this part. */
  readonly endsAt: number;
  /** The file's states after this part. */
  readonly states?: Pick<ResumableFile, "scrub" | "hashes" | "sha256">;
}

/** How to finish an upload whose bytes have all arrived. */
export interface Finish {
  readonly file: ResumableFile;
  /** The key of the compressed file, if it is another key. */
  readonly resultKey?: string;
  /** The quality of the compression; undefined if the file stays as uploaded. */
  readonly quality?: number;
  /** Set if a blocked file has this upload's size, so that its hash decides. */
  readonly isSuspect?: boolean;
}

export type ResumableCompletion =
  | Exhausted
  | { readonly outcome: "completed"; readonly figures: AccountFigures }
  /** `blocked`: the operator has blocked the bytes, and nothing of the upload is left. */
  | { readonly outcome: "lost" | "moving" | "blocked" };

/** An unfinished upload in a list. */
export type UnfinishedUpload = Pick<Resumable, "id" | "length" | "offset" | "createdAt" | "touchedAt"> & {
  readonly filename: string;
};
