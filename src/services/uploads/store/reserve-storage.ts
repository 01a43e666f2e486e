import { secondsUntil } from "../../../domain/calendar.ts";
import { ERRORS } from "../../../domain/errors.ts";
import { type AccountContext, payingKey } from "../../context.ts";

/** Most libraries are in their new shard by then. */
export const MOVING_RETRY_AFTER_SECONDS = 5;

/** What is announced of an upload before anything of it is in R2. */
export interface AnnouncedUpload {
  readonly uploadId: string;
  /** The key it is stored under, then the one that its compressed form will have, if that is another one. */
  readonly objectKeys: readonly string[];
}

/**
 * Announces an upload to the account's meter and sets storage aside for it.
 * @param size the least that is useful, and the most that is wanted, in bytes
 * @returns the bytes set aside: from `leastBytes` to `mostBytes`; if the least is 0, all or nothing
 * @throws ServiceError 413 if the storage limit is reached, 429 if the month's operations are used up, 503 while
 * the library moves to another shard
 */
export async function reserveStorage(
  account: AccountContext,
  { uploadId, objectKeys }: AnnouncedUpload,
  { leastBytes, mostBytes }: { readonly leastBytes: number; readonly mostBytes: number },
): Promise<number> {
  const [objectKey = "", resultKey] = objectKeys;
  const reservation = await account.meter.reserve(
    {
      kind: "upload",
      uploadId,
      objectKey,
      ...(resultKey === undefined ? {} : { resultKey }),
      keyId: payingKey(account.principal),
      ...(account.claim === undefined ? {} : { claim: account.claim }),
    },
    leastBytes,
    mostBytes,
  );
  if (reservation.outcome === "refused") throw ERRORS.InvalidKey();
  account.figures = reservation.figures;
  switch (reservation.outcome) {
    case "reserved":
      return reservation.reservedBytes;
    case "storage-full":
      throw storageLimit(account);
    case "operations-exhausted":
      throw ERRORS.OperationsExhausted(reservation.retryAfterSeconds);
    case "moving":
      throw ERRORS.Unavailable(MOVING_RETRY_AFTER_SECONDS);
  }
}

/**
 * Refuses a file that could not be stored however small it became, before work is spent on it. Figures that allow it are
 * believed, as nothing is set aside yet; figures that do not are looked up again.
 * @throws ServiceError 413 if the storage limit is reached, 429 if the month's operations are used up
 */
export async function requireRoom(account: AccountContext): Promise<void> {
  if (!isStorageFull(account) && !isExhausted(account)) return;
  const figures = await account.meter.read();
  if (figures === undefined) throw ERRORS.InvalidKey();
  account.figures = figures;
  if (isExhausted(account)) {
    throw ERRORS.OperationsExhausted(secondsUntil(figures.operationsResetAt, account.now()));
  }
  if (isStorageFull(account)) throw storageLimit(account);
}

function isStorageFull({ figures }: AccountContext): boolean {
  return figures.storageUsedBytes >= figures.storageLimitBytes;
}

function isExhausted({ figures }: AccountContext): boolean {
  return figures.operationsUsedTenths >= figures.operationsLimit * 10;
}

/** The 413 of the specification, with the account's own figures. */
export function storageLimit({ figures }: AccountContext) {
  return ERRORS.StorageLimit(figures.storageUsedBytes, figures.storageLimitBytes);
}
