import { secondsUntil } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import { type AccountContext, payingKey } from "../context.ts";

/**
 * Announces an upload to the account's meter and sets storage aside for it.
 * @returns the bytes set aside: at least `minimumBytes`, at most `maximumBytes`
 * @throws ServiceError 413 where the storage limit is reached, 429 where the month's operations are
 */
export async function reserveStorage(
  account: AccountContext,
  file: { readonly uploadId: string; readonly objectKey: string },
  minimumBytes: number,
  maximumBytes: number,
): Promise<number> {
  const { uploadId, objectKey } = file;
  const reservation = await account.meter.reserve(
    { kind: "upload", uploadId, objectKey, keyId: payingKey(account.principal) },
    minimumBytes,
    maximumBytes,
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
  }
}

/**
 * Refuses what could not be stored however small it became, before work is spent on it. Figures that allow it are believed,
 * as nothing is set aside yet; those that do not are looked up again.
 * @throws ServiceError 413 where the storage limit is reached, 429 where the month's operations are
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
