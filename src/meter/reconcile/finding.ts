import type { Shard } from "../../domain/ids.ts";

/**
 * The kinds of differences between the stores of an account, and their repairs. The account's object decides about answers (its log, its
 * credentials), R2 about bytes, D1 about everything else.
 */
const FINDINGS = {
  "account-lost": "the directory has lost an account: it is written again, unless another account has its email by now",
  "account-differs":
    "the directory's tier, password, shard or settings differ from the account's object: they are corrected",
  "key-lost": "the directory has lost a valid key: it is written again",
  "revoked-key-lives": "a revoked key is valid in the directory: it is revoked there",
  "library-lost":
    "the account's shard has no record of its library, or records it as moved away: the record is corrected",
  "library-elsewhere":
    "another shard has rows of the library: missing rows are copied to the account's shard, then all are deleted there",
  "erased-account": "an erased account exists again: it is erased again",
  "unknown-account": "a store has data of an account that no other store knows",
  "foreign-object": "an object's key has none of the service's forms",
  "row-lost": "an upload has no row: it is written again from the log",
  "row-of-deleted": "a deleted upload has a row: the row is deleted",
  "object-of-deleted": "a deleted upload has a file: the file is deleted",
  "orphan-object": "a file belongs to no upload and is older than a day: it is deleted",
  "preview-left": "a preview belongs to no file: it is deleted",
  "variants-left": "variants belong to no file: they are deleted",
  "variants-miscounted": "the record of a file's variants differs from R2: the variants are counted again",
  "variants-public": "a private file has public variants, which a maker that died has left: they are deleted",
  "pointer-left": "an upload's earlier URLs lead to bytes that it never had: the object that leads there is deleted",
  "pointer-differs": "earlier URLs of an upload do not lead to its present bytes: they do again",
  "row-outdated": "a row has former bytes, or another visibility than its file: it gets the file's",
  "expiry-differs": "a row has another time of deletion than the account's object: it gets the object's",
  "unexplained-object":
    "a file may be wanted, so it stays: it belongs to no upload and is older than the log, or its upload has lost the file of its row",
  "takedown-undone":
    "a taken-down upload's file is served, or its row does not record the takedown: it is taken down again",
  "takedown-stray": "an upload is marked as taken down, but the account's object knows no takedown",
  "file-lost": "an upload has a row and no file",
  "upload-lost": "an answered upload has neither a row nor a file",
  "size-differs": "a row's size differs from its file's: it gets the file's size",
  "thumbnail-differs":
    "a thumbnail, its row and its figure differ: both get R2's size; a thumbnail of no upload is deleted",
  "search-missing": "an upload has no search entry: it gets one",
  "search-wrong": "a search entry has other names than its upload: it gets the upload's names",
  "search-stray": "a search entry belongs to no upload: it is deleted",
  "tags-missing": "an upload is missing in the index of its tags: it is added",
  "tags-stray": "an entry of a tag index belongs to no upload: it is deleted",
  "counts-differ": "a count differs from the number of its uploads: it is counted again",
  "storage-figure": "the storage figure differs from the sum of stored bytes: it is set to the sum",
  "operations-differ": "the counts of the month's uploads and deletions differ from the log: they are counted again",
  "moved-missing": "an upload's home shard has no record of it: the record is added",
  "moved-stray": "a shard records an upload that does not exist, or that it has itself: the record is deleted",
  failed: "an account could not be compared: the log has the error",
} as const;

export type FindingKind = keyof typeof FINDINGS;

export interface Finding {
  readonly kind: FindingKind;
  /** The upload, key, object or count. */
  readonly subject?: string;
  readonly detail?: string;
  /** False if no repair was possible or safe. */
  readonly repaired: boolean;
}

export interface ReconcileOrder {
  /** The `next` of the previous step; undefined at the beginning. */
  readonly from?: string | undefined;
  /** Whether safe repairs are made. Otherwise differences are only reported. */
  readonly repair: boolean;
  /** The age at which a file of no upload is deleted. */
  readonly orphanAgeMs: number;
  /** The most orphans that are deleted. Further ones are reported, and left for another night. */
  readonly maxOrphans: number;
  /** The search entry and the variants of one in this many uploads are compared each day. */
  readonly searchedEvery: number;
  /** The shards that have a row of the account's library. */
  readonly places: readonly Shard[];
}

/**
 * `busy`: the account is being moved, opened or erased, or changed in every attempt, and is postponed. `unknown`: the object knows no such
 * account.
 */
export type ReconcileStep =
  | {
      readonly outcome: "compared";
      /** Null at the end. */
      readonly next: string | null;
      readonly findings: readonly Finding[];
      readonly uploads: number;
      readonly objects: number;
    }
  | { readonly outcome: "busy" | "unknown" };
