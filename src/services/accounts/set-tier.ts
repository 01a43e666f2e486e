import { findAccount, findAccountByEmail } from "../../db/directory/accounts.ts";
import { listKeys } from "../../db/directory/keys.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { TIER_NAMES, TIERS, type TierName } from "../../domain/tiers.ts";
import type { Services } from "../context.ts";
import { makeKey } from "../keys/make-key.ts";

export interface TierChange {
  readonly account: Account;
  /** A new key that the tier requires; shown once. */
  readonly uploadKey: string | undefined;
}

/**
 * Moves an account to a tier (AUTH-8). The billing anniversary is the day on which a paid tier began after Free; a move
 * between paid tiers keeps it. A Free or Starter account without an upload key gets one. Anyone can register an
 * address that is not theirs, so an upgrade needs a verified e-mail or the account's id, which its owner knows.
 * @throws ServiceError 404; 409 for an upgrade of an account that may be a stranger's
 */
export async function setTier(
  services: Services,
  email: string,
  { tier, accountId }: { readonly tier: TierName; readonly accountId?: string | undefined },
): Promise<TierChange> {
  const account = await findAccountByEmail(services.directory, email);
  if (account === undefined || (accountId !== undefined && accountId !== account.id)) throw ERRORS.AccountNotFound();
  const isUpgrade = TIER_NAMES.indexOf(tier) > TIER_NAMES.indexOf(account.tier);
  if (isUpgrade && account.emailVerifiedAt === null && accountId === undefined) throw ERRORS.EmailUnverified();
  const now = services.now();
  const uploadKey = { accountId: account.id, kind: "upload", name: "Upload key", scopes: [] } as const;
  const made = TIERS[tier].keyKind === "upload" ? await makeKey(uploadKey, now) : undefined;
  const billingAnchorAt = tier === "free" ? null : (account.billingAnchorAt ?? now);
  await services.meterOf(account.id).setTier({ tier, billingAnchorAt, uploadKey: made?.key ?? null });
  const [changed, keys] = await Promise.all([
    // The account is read again, because another change may have followed.
    findAccount(services.directory, account.id),
    listKeys(services.directory, account.id, { kind: "upload" }),
  ]);
  if (changed === undefined) throw ERRORS.AccountNotFound();
  return {
    account: changed,
    uploadKey: keys.some(({ id }) => id === made?.key.id) ? made?.secret : undefined,
  };
}
