import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { IntentRetry } from "../../meter/answers.ts";
import type { Services } from "../context.ts";

/**
 * Replays an account's intent at once whose time is up. Every step of it is idempotent, so that this may be done at any time and again.
 * @throws ServiceError 400 for what is no account's id
 */
export async function retryIntent(
  { meterOf }: Pick<Services, "meterOf">,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<IntentRetry> {
  if (!isId(accountId)) throw ERRORS.InvalidRequest({ accountId: "must be an account's id" });
  return meterOf(accountId).retryIntent(id);
}
