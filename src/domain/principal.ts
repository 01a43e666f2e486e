import { TIERS, type TierName } from "./tiers.ts";
import type { UploadTokenLimits } from "./upload-token.ts";

/** The caller of a request, and its permissions (AUTH-2, AUTH-3, AUTH-4). */

const FOLDER_SCOPES = ["folders:read", "folders:write"] as const;

/** A key that names any of these scopes has only the scopes that it names. */
const LIMITING_SCOPES = ["upload", "images:read", "images:write", "images:delete", "settings", "account"] as const;

export const SCOPES = [...LIMITING_SCOPES, ...FOLDER_SCOPES] as const;
export type Scope = (typeof SCOPES)[number];

export type Principal =
  | { readonly kind: "upload-key"; readonly accountId: string; readonly keyId: string }
  | {
      readonly kind: "api-key";
      readonly accountId: string;
      readonly keyId: string;
      readonly scopes: readonly Scope[];
      /** The folder that the key is confined to; null if it is not. */
      readonly folderId: string | null;
    }
  | {
      readonly kind: "upload-token";
      readonly accountId: string;
      /** The token's id. Its operations are logged with it. */
      readonly keyId: string;
      /** The share whose guests have the token. */
      readonly shareId?: string;
      readonly limits: UploadTokenLimits;
    }
  | { readonly kind: "session"; readonly accountId: string; readonly sessionId: string };

/**
 * The credential that an endpoint requires. `session`: sessions only. A scope is required of API keys; sessions have all
 * scopes; upload keys have only the scope `upload`. `account-of-api-tier`: the scope `account`, on a tier that has API
 * keys (Pro and Business).
 */
export type Access = "session" | "account-of-api-tier" | Scope;

/** Whether a principal may use an endpoint. Every value but `granted` is a 403 with its own message. */
export type AccessVerdict = "granted" | "other-tier" | "session-only" | "missing-scope" | "confined" | "token";

/**
 * @param tier the account's current tier
 * @param endpoint `isConfinable`: the endpoint keeps to the folder of a confined key; all others refuse such keys.
 * `takesToken`: the endpoint accepts upload tokens
 */
export function judgeAccess(
  principal: Principal,
  access: Access,
  tier: TierName,
  { isConfinable = false, takesToken = false }: { readonly isConfinable?: boolean; readonly takesToken?: boolean },
): AccessVerdict {
  if (principal.kind === "upload-token") return takesToken ? "granted" : "token";
  if (access === "account-of-api-tier" && TIERS[tier].keyKind !== "api") return "other-tier";
  if (principal.kind === "session") return "granted";
  if (principal.kind === "upload-key") return access === "upload" ? "granted" : "other-tier";
  if (access === "session") return "session-only";
  if (!holdsScope(principal.scopes, requiredScope(access))) return "missing-scope";
  return principal.folderId === null || isConfinable ? "granted" : "confined";
}

/** The scope that an API key needs for an endpoint. */
export function requiredScope(access: Exclude<Access, "session">): Scope {
  return access === "account-of-api-tier" ? "account" : access;
}

/** A key that names no limiting scope has all of them. The folder scopes must always be named (AUTH-4). */
function holdsScope(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || (isLimiting(wanted) && !held.some(isLimiting));
}

/**
 * The key whose unfinished uploads the caller may continue; undefined if the caller may continue all of them. A key that can only upload
 * has no access to other uploads (AUTH-2).
 */
export function keyOfOwnUploads(principal: Principal): string | undefined {
  if (principal.kind === "session") return undefined;
  const isLimited = principal.kind !== "api-key" || principal.folderId !== null || principal.scopes.some(isLimiting);
  return isLimited ? principal.keyId : undefined;
}

function isLimiting(scope: Scope): boolean {
  return LIMITING_SCOPES.some((limiting) => limiting === scope);
}

/** The key or upload token that an operation is logged with; null for a session. */
export function payingKey(principal: Principal): string | null {
  return principal.kind === "session" ? null : principal.keyId;
}

/** The credential that an upload is logged with, and the upload token that counts it. */
export function payerOf(principal: Principal): { readonly keyId: string | null; readonly tokenId?: string } {
  return {
    keyId: payingKey(principal),
    ...(principal.kind === "upload-token" ? { tokenId: principal.keyId } : {}),
  };
}

/** The caller that changed a file: `session`, or a kind and an id. `share` is a guest of the share. */
export type Actor = "session" | `${"key" | "upload_token" | "share"}:${string}`;

/** The caller as the history of a file names it. */
export function actorOf(principal: Principal): Actor {
  if (principal.kind === "session") return "session";
  if (principal.kind !== "upload-token") return `key:${principal.keyId}`;
  return principal.shareId === undefined ? `upload_token:${principal.keyId}` : `share:${principal.shareId}`;
}

/** Keys and tokens that are confined to a folder reach it and its descendants (AUTH-13). Root, as they see it, is that folder. */

interface Caller {
  readonly principal: Principal;
}

/** The folder that the caller is confined to; undefined if it reaches the whole library. */
export function confinementOf({ principal }: Caller): string | undefined {
  if (principal.kind === "upload-token") return principal.limits.folderId ?? undefined;
  return principal.kind === "api-key" && principal.folderId !== null ? principal.folderId : undefined;
}

/** Root as the caller sees it: null, or the folder that it is confined to. */
export function rootOf(account: Caller): string | null {
  return confinementOf(account) ?? null;
}
