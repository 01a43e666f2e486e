import { findAccount, findAccountByEmail } from "../../db/directory/accounts.ts";
import { listKeys } from "../../db/directory/keys.ts";
import type { Account } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { TIERS, type TierName } from "../../domain/tiers.ts";
import type { Services } from "../context.ts";
import { makeKey } from "../keys/make-key.ts";

export interface TierChange {
  readonly account: Account;
  /** A key that had to be made, shown once. */
  readonly uploadKey: string | undefined;
}

/**
 * Moves an account to a tier. The billing anniversary is the day on which a paid tier began after Free; a move between
 * paid tiers keeps it. A Free or Starter account without an upload key gets one.
 * @throws ServiceError 404
 */
export async function setTier(services: Services, email: string, tier: TierName): Promise<TierChange> {
  const account = await findAccountByEmail(services.directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  const now = services.now();
  const uploadKey = { accountId: account.id, kind: "upload", name: "Upload key", scopes: [] } as const;
  const made = TIERS[tier].keyKind === "upload" ? await makeKey(uploadKey, now) : undefined;
  const billingAnchorAt = tier === "free" ? null : (account.billingAnchorAt ?? now);
  await services.meterOf(account.id).setTier({ tier, billingAnchorAt, uploadKey: made?.key ?? null });
  const [changed, keys] = await Promise.all([
    // As it is now: another change may have come after this one.
    findAccount(services.directory, account.id),
    listKeys(services.directory, account.id, "upload"),
  ]);
  if (changed === undefined) throw ERRORS.AccountNotFound();
  return {
    account: changed,
    uploadKey: keys.some(({ id }) => id === made?.key.id) ? made?.secret : undefined,
  };
}
