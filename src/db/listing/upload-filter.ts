import type { UploadStatus } from "../../domain/upload-status.ts";
import type { NameSearch } from "./search-grams.ts";

/** What is neither of these prefixes is `other`. */
export const KNOWN_PREFIXES = ["image/", "video/"] as const;

/** Which of an account's uploads a listing shows: those for which all that is given holds. */
export interface UploadFilter {
  readonly status: UploadStatus | "all";
  /** A folder's id, null for Root, undefined for every folder. */
  readonly folderId: string | null | undefined;
  /** A part of a file name, or a whole tag. */
  readonly search?: { readonly tag: string; readonly names: NameSearch } | undefined;
  /** Days of creation (YYYY-MM-DD, UTC), both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** What the MIME type begins with, or `other`. */
  readonly mimePrefix?: string | undefined;
  readonly minSizeBytes?: number | undefined;
  readonly maxSizeBytes?: number | undefined;
  readonly favorite?: boolean | undefined;
  /** The upload has all of these. */
  readonly tags: readonly string[];
  /** The upload has none of these. */
  readonly excludedTags: readonly string[];
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
  /** The position behind which the slice begins, as an earlier slice told it. */
  readonly after?: string | undefined;
}
