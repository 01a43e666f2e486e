import { TIERS, type TierName } from "./tiers.ts";

/** Who makes a request, and what they may do (specification, Authentication). */

export const SCOPES = ["folders:read", "folders:write"] as const;
export type Scope = (typeof SCOPES)[number];

export type Principal =
  | { readonly kind: "upload-key"; readonly accountId: string; readonly keyId: string }
  | { readonly kind: "api-key"; readonly accountId: string; readonly keyId: string; readonly scopes: readonly Scope[] }
  | { readonly kind: "session"; readonly accountId: string; readonly sessionId: string };

/**
 * What an endpoint asks of its caller: `upload` lets every credential in, `api` API keys and sessions, `api-tier` the same of
 * accounts whose tier has API keys (Pro and Business), `session` only a person who logged in; a scope is asked of API keys, a
 * session has them all.
 */
export type Access = "upload" | "api" | "api-tier" | "session" | Scope;

/** The verdict on a principal at an endpoint; every value but `granted` is a 403 with a message of its own. */
export type AccessVerdict = "granted" | "other-tier" | "session-only" | "missing-scope";

/** @param tier the account's, as it is now */
export function judgeAccess(principal: Principal, access: Access, tier: TierName): AccessVerdict {
  if (access === "api-tier" && TIERS[tier].keyKind !== "api") return "other-tier";
  if (principal.kind === "session" || access === "upload") return "granted";
  if (principal.kind === "upload-key") return "other-tier";
  if (access === "session") return "session-only";
  if (access === "api" || access === "api-tier" || principal.scopes.includes(access)) return "granted";
  return "missing-scope";
}
