import { insertApiKey } from "../../db/directory/keys.ts";
import type { Key } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { TIERS } from "../../domain/tiers.ts";
import { requireSession } from "../accounts/require-session.ts";
import type { AccountContext } from "../context.ts";
import { resolveFolder } from "../folders/resolve-folder.ts";
import { type KeyLimits, makeKey } from "./make-key.ts";

export const MAX_API_KEYS = 100;

/**
 * Another API key for a Pro or Business account (AUTH-3, AUTH-12, AUTH-13).
 * @throws ServiceError 403 on the other tiers; 404 for an unknown folder; 400 if it has expired already, or there are too
 * many keys, also for concurrent requests; 401 if the session has ended meanwhile
 */
export async function createApiKey(
  account: AccountContext,
  { name, scopes, ...limits }: KeyLimits & { readonly name: string },
): Promise<{ secret: string; key: Key }> {
  const { directory, accountId, figures, meter, principal } = account;
  const sessionId = requireSession(principal);
  if (TIERS[figures.tier].keyKind !== "api") throw ERRORS.ApiTierRequired();
  const now = account.now();
  if (limits.expiresAt !== null && limits.expiresAt <= now)
    throw ERRORS.InvalidRequest({ expiresAt: "Must be in the future" });
  const folderId = await resolveFolder(account, limits.folderId);
  const description = { name, scopes: [...new Set(scopes)], expiresAt: limits.expiresAt, folderId };
  const made = await makeKey({ accountId, kind: "api", ...description }, now);
  if (!(await insertApiKey(directory, made.key, MAX_API_KEYS))) throw ERRORS.TooManyOf("API keys", MAX_API_KEYS);
  if (!(await meter.learnKey(made.key, sessionId))) {
    await meter.revokeKey(made.key.id);
    throw ERRORS.InvalidSession();
  }
  return made;
}
