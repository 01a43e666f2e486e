import type { Exhausted, Refused } from "./answers.ts";
import type { AccountFigures } from "./figures.ts";
import type { Resumable, ResumableFacts, ResumableFile } from "./resumable.ts";

/** What an account's meter is asked for of uploads that come in pieces, and what it answers. */

export interface NewResumable {
  readonly id: string;
  /** Null where the client says it later. */
  readonly length: number | null;
  readonly facts: ResumableFacts;
}

/** What a request wants of an upload. */
export interface ResumableClaim {
  /** Names the request: only the one that holds the lease may write. */
  readonly writer: string;
  /** Where its bytes begin; undefined for one that only asks how far the upload is. */
  readonly offset?: number;
  /** The upload's length, where the request says it. */
  readonly length?: number;
  /** The bytes that it brings, if it says how many; else 0. */
  readonly comingBytes?: number;
}

export type ResumableCreation =
  | Refused
  | Exhausted
  | { readonly outcome: "created"; readonly upload: Resumable; readonly figures: AccountFigures }
  | { readonly outcome: "storage-full"; readonly reservedBytes: number; readonly figures: AccountFigures }
  | { readonly outcome: "too-many" };

/**
 * `opened`: the request holds the lease. `idle`: nobody writes, and this request need not either. `conflict`: its bytes begin elsewhere than
 * those that are kept end. `misfit`: its length is not the one said before, or less than what is there. `held`: another request did not
 * let go in time, or the upload is being finished.
 */
export type ResumableOpening =
  | { readonly outcome: "opened" | "idle" | "conflict" | "misfit" | "done"; readonly upload: Resumable }
  | { readonly outcome: "storage-full"; readonly reservedBytes: number; readonly figures: AccountFigures }
  | { readonly outcome: "unknown" | "held" };

/** `wanted`: done, and the writer should stop as soon as it can. `lost`: not done, another request writes now. */
export type ResumableWrite =
  | { readonly outcome: "written" | "wanted"; readonly offset: number }
  | { readonly outcome: "storage-full"; readonly reservedBytes: number; readonly figures: AccountFigures }
  | { readonly outcome: "lost" };

/** A part that R2 has. */
export interface ReceivedPart {
  readonly part: R2UploadedPart;
  /** Where the upload is behind it. */
  readonly endsAt: number;
}

/** How an upload whose bytes are all there is to be finished. */
export interface Finish {
  readonly file: ResumableFile;
  /** Where its compressed form will be, if that is another key. */
  readonly resultKey?: string;
  /** The quality that it is being compressed with; undefined where it is to stay as it is. */
  readonly quality?: number;
}

export type ResumableCompletion =
  | Exhausted
  | { readonly outcome: "completed"; readonly figures: AccountFigures }
  | { readonly outcome: "lost" | "moving" };

/** An upload in a list of unfinished ones. */
export type UnfinishedUpload = Pick<Resumable, "id" | "length" | "offset" | "createdAt" | "touchedAt"> & {
  readonly filename: string;
};
