import { insertApiKey } from "../../db/directory/keys.ts";
import type { Key } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Scope } from "../../domain/principal.ts";
import { TIERS } from "../../domain/tiers.ts";
import type { AccountContext } from "../context.ts";
import { makeKey } from "./make-key.ts";

export const MAX_API_KEYS = 100;

/**
 * A further API key for a Pro or Business account.
 * @throws ServiceError 403 on the other tiers, 400 where there are too many, also where several are asked for at once
 */
export async function createApiKey(
  account: AccountContext,
  name: string,
  scopes: readonly Scope[],
): Promise<{ secret: string; key: Key }> {
  const { directory, accountId, figures, meter } = account;
  if (TIERS[figures.tier].keyKind !== "api") throw ERRORS.ApiTierRequired();
  const made = await makeKey({ accountId, kind: "api", name, scopes: [...new Set(scopes)] }, account.now());
  if (!(await insertApiKey(directory, made.key, MAX_API_KEYS))) throw ERRORS.TooManyOf("API keys", MAX_API_KEYS);
  await meter.learnKey(made.key);
  return made;
}
