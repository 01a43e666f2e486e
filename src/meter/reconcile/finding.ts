import type { Shard } from "../../domain/shard.ts";

/**
 * What the stores of an account can disagree in, and what is done about it. The account's object is right about what was answered (its
 * log, its credentials), R2 about bytes, D1 about the rest.
 */
export const FINDINGS = {
  "account-lost": "the directory has lost an account: it is written again, unless another one has its email by now",
  "account-differs":
    "the directory has another tier, password, shard or settings than the account's object: it is told",
  "key-lost": "the directory has lost a key that lives: it is written again",
  "revoked-key-lives": "the directory has a key as living that was revoked: it is told",
  "library-lost": "the account's shard does not know of its library, or says that it has left: it is told",
  "library-elsewhere": "another shard has rows of the library: those that are missing are copied home, then they go",
  "erased-account": "an erased account is there again: it is erased again",
  "unknown-account": "a store has something of an account that nothing else knows of",
  "foreign-object": "an object's key is none that the service makes",
  "row-lost": "an upload has no row: it is written again, as the log has it",
  "row-of-deleted": "a deleted upload has a row: it goes",
  "object-of-deleted": "a deleted upload has a file: it goes",
  "orphan-object": "a file is of no upload, and older than a day: it goes",
  "preview-left": "a preview is of no upload: it goes",
  "unexplained-object": "a file is of no upload, and older than the log: nobody can tell whether it should be there",
  "file-lost": "an upload has a row and no file",
  "upload-lost": "an upload was answered, and neither its row nor its file is there",
  "size-differs": "a row has another size than its file: it gets the file's",
  "thumbnail-differs": "the thumbnail, its row and its figure differ: both get what R2 has; one of no upload goes",
  "search-missing": "an upload cannot be found by its name: it is put into the index",
  "search-stray": "the index has an entry of no upload: it goes",
  "tags-missing": "an upload cannot be found by its tags: they are put into their index",
  "tags-stray": "an index of tags has an entry of no upload: it goes",
  "counts-differ": "a count is not the number of its uploads: it is counted again",
  "storage-figure": "the storage used is not the sum of what is stored: it becomes that",
  failed: "an account could not be compared: the log has the error",
} as const;

export type FindingKind = keyof typeof FINDINGS;

export interface Finding {
  readonly kind: FindingKind;
  /** Of which upload, key, object or count. */
  readonly subject?: string;
  readonly detail?: string;
  /** False where nothing could, or should, be done about it. */
  readonly repaired: boolean;
}

export interface ReconcileOrder {
  /** Where to go on: what the step before has answered; undefined at the beginning. */
  readonly from?: string | undefined;
  /** Whether to repair what is safe, and not only to say it. */
  readonly repair: boolean;
  /** An object of no upload is deleted when it is as old as this. */
  readonly orphanAgeMs: number;
  /** The shards that have a row of the account's library. */
  readonly places: readonly Shard[];
}

/**
 * `busy`: the library is on its way to another shard, or the account is being opened or erased, or changed all the time: another night.
 * `unknown`: the account's object knows of no such account.
 */
export type ReconcileStep =
  | {
      readonly outcome: "compared";
      /** Null where nothing is left. */
      readonly next: string | null;
      readonly findings: readonly Finding[];
      readonly uploads: number;
      readonly objects: number;
    }
  | { readonly outcome: "busy" | "unknown" };
