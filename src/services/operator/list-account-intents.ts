import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { IntentSummary } from "../../meter/answers.ts";
import type { Services } from "../context.ts";

const MAX_INTENTS = 100;

/**
 * What an account has announced and not settled, those that are due first: uploads under way are among them.
 * @throws ServiceError 404
 */
export async function listAccountIntents(
  { directory, meterOf }: Pick<Services, "directory" | "meterOf">,
  email: string,
): Promise<{ readonly accountId: string; readonly intents: IntentSummary[] }> {
  const account = await findAccountByEmail(directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return { accountId: account.id, intents: await meterOf(account.id).listIntents(MAX_INTENTS) };
}
