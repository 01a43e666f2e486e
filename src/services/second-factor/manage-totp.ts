import {
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  putSecondFactor,
  replaceRecoveryCodes,
} from "../../db/directory/second-factors.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isTotpCode, newTotpSecret, toBase32, totpUri } from "../../domain/totp.ts";
import { getAccount } from "../accounts/get-account.ts";
import type { AccountContext } from "../context.ts";
import { tryTotp } from "./confirm-code.ts";
import { makeRecoveryCodes } from "./recovery-codes.ts";
import { sealTotpSecret } from "./totp-secrets.ts";

/** The account's second factor: an authenticator app with recovery codes (SIGN-6). It is required after its confirmation. */

/** Makes an authenticator's secret, which is shown once. @throws ServiceError 409 if an authenticator is confirmed */
export async function beginTotp(context: AccountContext): Promise<{ secret: string; uri: string }> {
  const { accountId, directory, config, now } = context;
  const { email } = await getAccount(context);
  const secret = newTotpSecret();
  const sealed = sealTotpSecret(secret, accountId, config.signInSecret);
  if (!(await putSecondFactor(directory, { accountId, secret: sealed, createdAt: now() }))) throw ERRORS.TotpInUse();
  return { secret: toBase32(secret), uri: totpUri(secret, { issuer: new URL(config.apiOrigin).hostname, email }) };
}

/**
 * Confirms that the app has the secret. From then on, a log-in by password needs a code.
 * @returns the recovery codes, which are shown once
 * @throws ServiceError 403 for a wrong code, 404 without a begun authenticator, 409 if it is confirmed already, 429
 */
export async function confirmTotp(context: AccountContext, code: string): Promise<string[]> {
  const { accountId, directory, now } = context;
  const factor = await findSecondFactor(directory, accountId);
  if (factor === undefined) throw ERRORS.TotpNotFound();
  if (factor.confirmedAt !== null) throw ERRORS.TotpInUse();
  let usedStep = 0;
  const note = async (step: number) => {
    usedStep = step;
    return true;
  };
  if (!isTotpCode(code) || !(await tryTotp(context, factor, note, code))) throw ERRORS.WrongCode();
  const { codes, hashes } = await makeRecoveryCodes(accountId);
  await confirmSecondFactor(directory, factor, { usedStep, confirmedAt: now(), hashes });
  return codes;
}

/** Whether log-ins by password need a code, and how many recovery codes are left. */
export async function readTotp({ accountId, directory }: AccountContext) {
  const factor = await findSecondFactor(directory, accountId);
  const confirmedAt = factor?.confirmedAt ?? null;
  return { confirmedAt, recoveryCodes: confirmedAt === null ? 0 : await countRecoveryCodes(directory, accountId) };
}

/** New recovery codes in place of all earlier ones. @throws ServiceError 404 without an authenticator */
export async function renewRecoveryCodes(context: AccountContext): Promise<string[]> {
  const { accountId, directory } = context;
  if ((await readTotp(context)).confirmedAt === null) throw ERRORS.TotpNotFound();
  const { codes, hashes } = await makeRecoveryCodes(accountId);
  await replaceRecoveryCodes(directory, accountId, hashes);
  return codes;
}

/** Removes the authenticator and its recovery codes. @throws ServiceError 404 without one */
export async function removeTotp({ accountId, directory }: AccountContext): Promise<void> {
  if (!(await deleteSecondFactor(directory, accountId))) throw ERRORS.TotpNotFound();
}
