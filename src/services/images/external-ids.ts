import { findByExternalId } from "../../db/library/uploads.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { confinementOf } from "../../domain/principal.ts";
import type { AccountContext } from "../context.ts";

/**
 * Refuses an `externalId` that another upload has.
 * @param ownId the upload that may have it
 * @throws ServiceError 409
 */
export async function refuseTakenId(account: AccountContext, externalId: string, ownId?: string): Promise<void> {
  const holder = await findByExternalId(account.library, account.accountId, externalId);
  if (holder !== undefined && holder !== ownId) throw toError(account, holder);
}

/** The error after the index has refused an `externalId`. The upload that had it may be deleted by now. */
export async function takenId(account: AccountContext, externalId: string | null): Promise<ServiceError> {
  return toError(account, await findByExternalId(account.library, account.accountId, externalId ?? ""));
}

/** A caller that reaches only a part of the library does not learn which upload it is. */
function toError(account: AccountContext, holder: string | undefined): ServiceError {
  const isLimited = account.principal.kind === "upload-token" || confinementOf(account) !== undefined;
  return ERRORS.ExternalIdTaken(isLimited ? undefined : holder);
}
