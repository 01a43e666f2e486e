import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { IntentRetry, IntentSummary } from "../../meter/intents/outcomes.ts";
import type { RegisteredIntent } from "../../meter/service/overdue-registry.ts";
import type { Services } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

/**
 * An account's intents that are not settled, by id, because due times change; uploads in progress are included.
 * @throws ServiceError 404
 */
export async function listAccountIntents(
  services: Pick<Services, "directory" | "meterOf" | "config">,
  email: string,
  query: PageQuery,
): Promise<Page<IntentSummary> & { readonly accountId: string }> {
  const account = await findAccountByEmail(services.directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  const page = await readPage(services, query, {
    list: { name: "listAccountIntents", accountId: account.id },
    read: async (after: [id: string] | undefined, limit): Promise<IntentSummary[]> =>
      services.meterOf(account.id).listIntents(limit, after?.[0]),
    positionOf: ({ id }) => [id],
  });
  return { accountId: account.id, ...page };
}

/** The changes of all accounts whose replay failed, longest known first. */
export async function listOverdueIntents(
  services: Pick<Services, "serviceMeter" | "config">,
  query: PageQuery,
): Promise<Page<RegisteredIntent>> {
  return readPage(services, query, {
    list: { name: "listOverdueIntents" },
    read: async (after: [number: number] | undefined, limit): Promise<RegisteredIntent[]> =>
      services.serviceMeter().listIntents(after?.[0] ?? 0, limit),
    positionOf: ({ number }) => [number],
  });
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
