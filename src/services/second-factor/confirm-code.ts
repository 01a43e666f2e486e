import type { SecondFactor } from "../../db/directory/schema.ts";
import { findSecondFactor, useRecoveryCode, useTotpStep } from "../../db/directory/second-factors.ts";
import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { findTotpStep, isTotpCode } from "../../domain/totp.ts";
import { tryPassword } from "../auth/try-password.ts";
import type { Services } from "../context.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { openTotpSecret } from "./totp-secrets.ts";

/** The limit of wrong codes of one account. A guesser who knows the password would need 63 years for an even chance. */
const WRONG_CODES = { count: 10, windowSeconds: 24 * 60 * 60 };

export type CodeServices = Pick<Services, "directory" | "addressMeterOf" | "now"> & {
  readonly config: Pick<Services["config"], "signInSecret">;
};

/**
 * Checks a code of the account's authenticator, or one of its recovery codes. Each counts once (RFC 6238, 5.2). Wrong
 * codes of the authenticator are limited; recovery codes are too long to be guessed, so the limit does not refuse them.
 * @throws ServiceError 403 for a wrong or used code, or an account without an authenticator; 429
 */
export async function confirmCode(services: CodeServices, accountId: string, code: string): Promise<void> {
  const factor = await findSecondFactor(services.directory, accountId);
  if (factor === undefined || factor.confirmedAt === null) throw ERRORS.WrongCode();
  const text = code.trim();
  const isRight = isTotpCode(text)
    ? await tryTotp(services, factor, (step, resealed) => useTotpStep(services.directory, factor, step, resealed), text)
    : await useRecoveryCode(services.directory, accountId, await hashRecoveryCode(accountId, text), services.now());
  if (!isRight) throw ERRORS.WrongCode();
}

/**
 * Compares an authenticator's code as one of the account's limited attempts. If its secret cannot be decrypted, each code is wrong.
 * @param use returns whether the step was not used before; it also stores the secret if it was encrypted again
 * @throws ServiceError 429
 */
export async function tryTotp(
  { addressMeterOf, config, now }: CodeServices,
  { accountId, secret }: SecondFactor,
  use: (step: number, resealed: string | undefined) => Promise<boolean>,
  code: string,
): Promise<boolean> {
  const meter = addressMeterOf(`code:${accountId}`);
  const answer = await meter.beginAttempt(WRONG_CODES);
  const confirmed = await tryPassword([{ answer, countFailure: () => meter.countOne(WRONG_CODES) }], async () => {
    const opened = openTotpSecret(secret, accountId, config.signInSecret);
    if (opened === undefined) console.error(toLogLine("totp.not-opened", { accountId }));
    const step = opened && (await findTotpStep(opened.totpSecret, code, now()));
    return step !== undefined && (await use(step, opened?.resealed)) ? true : undefined;
  });
  return confirmed === true;
}
