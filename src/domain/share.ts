import type { Orientation } from "./orientation.ts";
import type { TierName } from "./tiers.ts";
import type { UploadTokenLimits } from "./upload-token.ts";
import type { Visibility } from "./visibility.ts";

/** Shares: pages that show files to everyone who has their URL (SHARE-1). */

/** Shares of an account. Those whose time is over count until they are deleted, because their time can be changed. */
export const MAX_SHARES = 1000;
/** Files that a share may name one by one. An account's shares then fit into an answer of its object. */
export const MAX_SHARED_IDS = 250;
export const MAX_SHARE_TITLE_CHARACTERS = 200;
export const MAX_SHARE_PASSWORD_CHARACTERS = 200;
/** Files on a page of a share. */
export const SHARED_FILES_A_PAGE = 60;
/** The time for which a visitor's browser keeps the right that a password gave, in seconds. */
export const SHARE_PASS_SECONDS = 24 * 60 * 60;

/** Pages of all shares of an account that are opened in a minute. Visitors never use up the owner's requests. */
export const SHARE_VISITS_PER_MINUTE: Readonly<Record<TierName, number>> = {
  free: 60,
  starter: 300,
  pro: 1000,
  business: 3000,
};

/** What guests may upload into the folder of a share. */
export type GuestLimits = Pick<UploadTokenLimits, "maxFiles" | "maxBytes" | "types">;

/** A filter as clients write it (LIST-3). It is kept as sent. */
export interface SharedFilter {
  /** A folder's id, `root` (or null) or `all`. Absent: Root, or every folder if `q` is given. */
  readonly folderId?: string | null | undefined;
  readonly q?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly takenFrom?: string | undefined;
  readonly takenTo?: string | undefined;
  readonly mimePrefix?: string | undefined;
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
  readonly favorite?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
  readonly camera?: string | undefined;
  readonly orientation?: Orientation | undefined;
  readonly expires?: boolean | undefined;
  readonly expiresFrom?: string | undefined;
  readonly expiresTo?: string | undefined;
  readonly hasAlt?: boolean | undefined;
  readonly takenDown?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly excludeTags?: readonly string[] | undefined;
}

/** The files of a share: a folder without the folders below it (null: Root), some files, or the files that match a filter. */
export type SharedFiles =
  | { readonly kind: "folder"; readonly folderId: string | null }
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  | { readonly kind: "filter"; readonly filter: SharedFilter };
