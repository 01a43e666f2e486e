import { FAILURES_PER_ADDRESS, TRIES_PER_ADDRESS } from "../../domain/log-in-limits.ts";
import { SHARE_PASS_SECONDS } from "../../domain/share.ts";
import { verifyPassword } from "../auth/passwords.ts";
import { hashSecret } from "../auth/secrets.ts";
import { tryPassword } from "../auth/try-password.ts";
import type { Client, Services } from "../context.ts";
import type { LockedStored } from "./open-share.ts";
import { toSharePass } from "./share-secrets.ts";

/**
 * Compares a visitor's password, as one attempt of the share and one of the address. They have the limits of log-ins: wrong passwords of
 * strangers slow each other down, and never a visitor who has given the right one.
 * @returns the visitor's right; undefined for a wrong password
 * @throws ServiceError 429 without comparing, 503 if too many passwords wait
 */
export async function unlockShare(
  services: Services,
  { address }: Pick<Client, "address">,
  {
    accountId,
    share,
    password,
  }: { readonly accountId: string; readonly share: LockedStored; readonly password: string },
): Promise<string | undefined> {
  const { id, passwordHash } = share;
  const visitor = await hashSecret(`${id} ${address}`);
  const byShare = services.addressMeterOf(`share:${id}`);
  const byAddress = services.addressMeterOf(`ip:${address}`);
  const [ofShare, ofAddress] = await Promise.all([
    byShare.beginLogIn(visitor),
    byAddress.beginAttempt(FAILURES_PER_ADDRESS, TRIES_PER_ADDRESS),
  ]);
  const isRight = await tryPassword(
    [
      { answer: ofShare, countFailure: () => byShare.countFailedLogIn(visitor) },
      { answer: ofAddress, countFailure: () => byAddress.countOne(FAILURES_PER_ADDRESS) },
    ],
    async () => ((await verifyPassword(password, passwordHash)) ? true : undefined),
  );
  if (isRight === undefined) return undefined;
  if (ofShare.isForgetting) await byShare.rememberLogIn(visitor);
  const until = Math.floor(services.now() / 1000) + SHARE_PASS_SECONDS;
  return toSharePass({ accountId, id, passwordHash }, until, services.config.urlSigningSecret);
}
