import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { IntentRetry, IntentSummary } from "../../meter/intents/outcomes.ts";
import type { RegisteredIntent } from "../../meter/service/overdue-registry.ts";
import type { Services } from "../context.ts";
import { type Page, toPage } from "./page.ts";

const MAX_INTENTS = 100;

/** An account's intents that are not settled, first due first; uploads in progress are included. @throws ServiceError 404 */
export async function listAccountIntents(
  { directory, meterOf }: Pick<Services, "directory" | "meterOf">,
  email: string,
): Promise<{ readonly accountId: string; readonly intents: IntentSummary[] }> {
  const account = await findAccountByEmail(directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return { accountId: account.id, intents: await meterOf(account.id).listIntents(MAX_INTENTS) };
}

/** The changes of all accounts whose replay failed, longest known first. @param after the previous page's `next` */
export async function listOverdueIntents(
  { serviceMeter }: Pick<Services, "serviceMeter">,
  after = 0,
): Promise<Page<RegisteredIntent>> {
  return toPage((limit) => serviceMeter().listIntents(after, limit));
}

/**
 * Replays an account's overdue intent at once. Every step is idempotent, so a replay is safe at any time.
 * @throws ServiceError 400 if `accountId` is not an id
 */
export async function retryIntent(
  { meterOf }: Pick<Services, "meterOf">,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<IntentRetry> {
  if (!isId(accountId)) throw ERRORS.InvalidRequest({ accountId: "must be an account's id" });
  return meterOf(accountId).retryIntent(id);
}
