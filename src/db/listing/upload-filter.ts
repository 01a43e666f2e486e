import type { Orientation } from "../../domain/orientation.ts";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { NameSearch } from "./search-grams.ts";

/** Types with another prefix are `other`. */
export const KNOWN_PREFIXES = ["image/", "video/"] as const;

/** A listing's filter: it shows the account's uploads that meet every given criterion. */
export interface UploadFilter {
  readonly status: UploadStatus | "all";
  /** A folder's id, null for Root, undefined for every folder. */
  readonly folderId: string | null | undefined;
  /** A part of a file name, or a whole tag. The look-up of one file has no tag. */
  readonly search?: { readonly tag: string | undefined; readonly names: NameSearch } | undefined;
  /** Days of creation (YYYY-MM-DD, UTC), both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Days on which the picture was taken, both included. Pictures of unknown time do not match. */
  readonly takenFrom?: string | undefined;
  readonly takenTo?: string | undefined;
  /** Prefixes of the MIME type, or `other`, comma-separated: the upload has one of them. */
  readonly mimePrefix?: string | undefined;
  readonly minSizeBytes?: number | undefined;
  readonly maxSizeBytes?: number | undefined;
  readonly favorite?: boolean | undefined;
  /** SHA-256 of the stored or of the uploaded bytes, hexadecimal. */
  readonly sha256?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** A part of the camera's maker and model, without the case of A to Z. */
  readonly camera?: string | undefined;
  readonly orientation?: Orientation | undefined;
  /** Whether the upload is deleted at a time. */
  readonly expires?: boolean | undefined;
  /** Days on which the upload is deleted, both included. Uploads that stay do not match. */
  readonly expiresFrom?: string | undefined;
  readonly expiresTo?: string | undefined;
  readonly hasAlt?: boolean | undefined;
  /** Whether the operator took the upload down. */
  readonly takenDown?: boolean | undefined;
  /** Tags that the upload must have, all of them. */
  readonly tags: readonly string[];
  /** Tags that the upload must not have. */
  readonly excludedTags: readonly string[];
}

/** The prefixes in `mimePrefix`. */
export function prefixesOf(mimePrefix: string): string[] {
  return mimePrefix
    .split(",")
    .map((prefix) => prefix.trim())
    .filter((prefix) => prefix !== "");
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
  /** The slice begins after this position, which an earlier slice returned as `next`. */
  readonly after?: string | undefined;
}

/** Whether a filter chooses uploads by more than status and folder. */
export function hasFilters({ status: _, folderId: __, tags, excludedTags, ...others }: UploadFilter): boolean {
  return tags.length + excludedTags.length > 0 || Object.values(others).some((value) => value !== undefined);
}
