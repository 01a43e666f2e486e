import { DAY_MS, MINUTE_MS } from "./calendar.ts";
import { MEDIA_TYPES, type MediaType } from "./media-types.ts";
import type { TierName } from "./tiers.ts";
import type { Visibility } from "./visibility.ts";

/** Upload tokens: rights to a few uploads, for browsers of strangers (TOK-1). */

/** Tokens of an account. Expired tokens do not count. */
export const MAX_UPLOAD_TOKENS = 1000;
export const DEFAULT_TOKEN_SECONDS = (60 * MINUTE_MS) / 1000;
/** `JWT_SECRET` signs tokens, and its older value is accepted for eight days after a rotation. */
export const MAX_TOKEN_SECONDS = (7 * DAY_MS) / 1000;
export const MAX_ORIGINS = 20;
export const MAX_ORIGIN_CHARACTERS = 256;

/** The part of the account's uploads in progress that visitors may hold, so that the owner can always upload. */
const VISITOR_SHARE = 0.5;

/** The most that visitors may hold, by tier or for every account. */
export function visitorShare<Limits extends number | Readonly<Record<TierName, number>>>(
  limits: Limits,
  tier: TierName,
): number {
  return Math.floor(
    (typeof limits === "number" ? limits : (limits as Readonly<Record<TierName, number>>)[tier]) * VISITOR_SHARE,
  );
}

/** A supported type, or all images or videos. */
export const TOKEN_TYPES = ["image/*", "video/*", ...MEDIA_TYPES] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/** The limits of a token. Empty lists limit nothing. */
export interface UploadTokenLimits {
  /** Files that the token may store; null: any number. */
  readonly maxFiles: number | null;
  /** Bytes that the token's files may have together, as they are stored; null: any number. */
  readonly maxBytes: number | null;
  readonly types: readonly TokenType[];
  /** The folder that the token is confined to; null for none. */
  readonly folderId: string | null;
  /** Whether uploads may name no folder below it: guests of a share upload only into its folder. */
  readonly isFolderFixed?: boolean;
  /** Tags of every file. */
  readonly tags: readonly string[];
  /** The visibility of every file; null: the visitor chooses. Earlier versions stored none. */
  readonly visibility?: Visibility | null;
  /** Origins of the pages that may use the token. */
  readonly origins: readonly string[];
  /** The client's own id of the token's only file. Tokens of earlier versions have none. */
  readonly externalId?: string | null;
  /** The client's own facts about every file, as JSON text. */
  readonly metadata?: string | null;
}

export function allowsType({ types }: Pick<UploadTokenLimits, "types">, mimeType: MediaType): boolean {
  const [family] = mimeType.split("/");
  return types.length === 0 || types.some((type) => type === mimeType || type === `${family}/*`);
}

/** Whether pages of an origin may use the token. Programs send no origin and are never refused. */
export function allowsOrigin({ origins }: Pick<UploadTokenLimits, "origins">, origin: string): boolean {
  return origins.length === 0 || origins.includes(origin);
}

/** Whether a text is an origin as browsers send it (RFC 6454, 6.2). */
export function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
