import { findMailProof } from "../../db/directory/mail-proofs.ts";
import type { MailProof } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { ProofPurpose } from "../../domain/mail-proofs.ts";
import { hashSecret } from "../auth/secrets.ts";
import { type AskedMeter, tryPassword } from "../auth/try-password.ts";
import type { Client, Services } from "../context.ts";

const HOUR_SECONDS = 60 * 60;
/** The limit of wrong links of an address. Guesses cannot succeed, but each costs a query. */
const WRONG_PER_ADDRESS = { count: 60, windowSeconds: HOUR_SECONDS } as const;
/** The limit of wrong codes for one account. A code has 38 bits; the link in its mail needs no such limit. */
const WRONG_CODES_PER_ACCOUNT = { count: 20, windowSeconds: HOUR_SECONDS } as const;

/**
 * Uses a mailed link or code. Wrong links and codes count for the client's address, wrong codes also for the account.
 * @param use returns undefined if the link is not valid any more
 * @throws ServiceError 400 `invalid_link`, 429
 */
export async function useProof<Result>(
  services: Services,
  client: Client,
  use: () => Promise<Result | undefined>,
  codeOf?: string,
): Promise<Result> {
  const asked = [await beginAttempt(services, `proof:${client.address}`, WRONG_PER_ADDRESS)];
  if (codeOf !== undefined)
    asked.push(await beginAttempt(services, `code:${await hashSecret(codeOf)}`, WRONG_CODES_PER_ACCOUNT));
  const result = await tryPassword(asked, use);
  if (result === undefined) throw ERRORS.InvalidLink();
  return result;
}

/** A valid link; undefined if it is unknown, expired or for another purpose. */
export async function findProof(
  { directory, now }: Pick<Services, "directory" | "now">,
  token: string,
  purposes: readonly ProofPurpose[],
): Promise<MailProof | undefined> {
  return findMailProof(directory, await hashSecret(token), purposes, now());
}

async function beginAttempt(
  { addressMeterOf }: Pick<Services, "addressMeterOf">,
  name: string,
  limit: typeof WRONG_PER_ADDRESS | typeof WRONG_CODES_PER_ACCOUNT,
): Promise<AskedMeter> {
  const meter = addressMeterOf(name);
  return { answer: await meter.beginAttempt(limit), countFailure: () => meter.countOne(limit) };
}
