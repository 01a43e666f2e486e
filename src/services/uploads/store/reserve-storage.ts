import { secondsUntil } from "../../../domain/calendar.ts";
import { ERRORS } from "../../../domain/errors.ts";
import type { ImportItemRef } from "../../../domain/imports.ts";
import { PART_BYTES } from "../../../domain/parts.ts";
import { payerOf } from "../../../domain/principal.ts";
import type { AccountContext } from "../../context.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import { RETRY_AFTER_SECONDS } from "../receive/upload-memory.ts";
import type { AnnouncedUpload } from "../upload-run.ts";

const TOO_MANY_RETRY_AFTER_SECONDS = 10;
/** By then, most libraries have moved. */
export const MOVING_RETRY_AFTER_SECONDS = 5;

/**
 * Announces an upload to the account's meter and reserves storage for it.
 * @param size the least that is useful, and the most that is wanted, in bytes
 * @returns the reserved bytes: from `leastBytes` to `mostBytes`; if the least is 0, all or nothing
 * @throws ServiceError 403 if the upload token is used up, 413 if the storage limit is reached, 429 if the month's operations are used up,
 * 503 while the library moves to another shard
 */
export async function reserveStorage(
  account: AccountContext,
  { uploadId, objectKeys, visibility }: AnnouncedUpload,
  { leastBytes, mostBytes }: { readonly leastBytes: number; readonly mostBytes: number },
): Promise<number> {
  const [objectKey = "", resultKey] = objectKeys;
  const reservation = await account.meter.reserve(
    {
      kind: "upload",
      uploadId,
      objectKey,
      ...(resultKey === undefined ? {} : { resultKey }),
      ...(visibility === "public" ? {} : { visibility }),
      ...payerOf(account.principal),
      ...(account.claim === undefined ? {} : { claim: account.claim }),
      ...importItemOf(account),
      ...(account.replaces === undefined ? {} : { replaces: account.replaces.id }),
    },
    leastBytes,
    mostBytes,
  );
  if (reservation.outcome === "refused") throw ERRORS.InvalidKey();
  if (reservation.outcome === "token-used-up") throw ERRORS.UploadTokenUsedUp(reservation.limit);
  account.figures = reservation.figures;
  switch (reservation.outcome) {
    case "reserved":
      return reservation.reservedBytes;
    case "storage-full":
      throw storageLimit(account);
    case "operations-exhausted":
      throw ERRORS.OperationsExhausted(reservation.retryAfterSeconds);
    case "too-many":
      throw ERRORS.TooManyUploads(TOO_MANY_RETRY_AFTER_SECONDS);
    case "moving":
      throw ERRORS.Unavailable(MOVING_RETRY_AFTER_SECONDS);
  }
}

/**
 * Refuses a file that cannot be stored at any compressed size, before it is compressed. Known figures with enough free storage are trusted,
 * because nothing is reserved yet; others are read again.
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

/** A replacement may fit into a full account, because the bytes that it replaces become free. */
function isStorageFull({ figures, replaces }: AccountContext): boolean {
  return replaces === undefined && figures.storageUsedBytes >= figures.storageLimitBytes;
}

function isExhausted({ figures }: AccountContext): boolean {
  return figures.operationsUsedTenths >= figures.operationsLimit * 10;
}

/** The 413 of ERR-3, with the account's figures. */
export function storageLimit({ figures }: AccountContext) {
  return ERRORS.StorageLimit(figures.storageUsedBytes, figures.storageLimitBytes);
}

/** Bytes reserved beyond those received, if the file's size is unknown. */
const SPARE_BYTES = PART_BYTES;
const RETRY_AFTER_MS = 250;

interface Receiving {
  readonly incoming: IncomingFile;
  /** Bytes of the file that were already received. */
  readonly headBytes: number;
  /** A file up to this size may exceed the free storage: its compressed size is checked instead. */
  readonly lenientBytes: number;
}

/**
 * The storage that is reserved for a file while it is received: everything that the request can still send if its size is known; otherwise
 * a little more than was received, doubled whenever it is used up.
 */
export class StorageReservation {
  readonly #account: AccountContext;
  readonly #uploadId: string;
  readonly #receiving: Receiving;
  #bytes: number;

  private constructor(account: AccountContext, uploadId: string, receiving: Receiving, bytes: number) {
    this.#account = account;
    this.#uploadId = uploadId;
    this.#receiving = receiving;
    this.#bytes = bytes;
  }

  /**
   * Announces the upload.
   * @throws ServiceError 413, 429
   */
  static async open(
    account: AccountContext,
    upload: AnnouncedUpload,
    receiving: Receiving,
  ): Promise<StorageReservation> {
    const { incoming, headBytes, lenientBytes } = receiving;
    const spareBytes = incoming.isSizeKnown ? incoming.remainingBytes : Math.min(incoming.remainingBytes, SPARE_BYTES);
    const bytes = await reserveStorage(account, upload, {
      leastBytes: headBytes <= lenientBytes ? 0 : headBytes,
      mostBytes: headBytes + spareBytes,
    });
    return new StorageReservation(account, upload.uploadId, receiving, bytes);
  }

  /**
   * Reserves more if the received bytes need it.
   * @throws ServiceError 401 if the account is erased, 413; 503 if the account's alarm has undone the upload
   */
  async cover(sizeBytes: number): Promise<void> {
    if (sizeBytes > this.#receiving.lenientBytes)
      await this.#require(sizeBytes, this.#receiving.incoming.remainingBytes);
  }

  /**
   * Increases or lowers the reservation to the stored size.
   * @throws ServiceError 401 if the account is erased, 413; 503 if the account's alarm has undone the upload
   */
  async fitTo(sizeBytes: number): Promise<void> {
    await this.#require(sizeBytes, 0);
    await this.#shrinkTo(sizeBytes);
  }

  async #require(sizeBytes: number, comingBytes: number): Promise<void> {
    if (sizeBytes <= this.#bytes || (await this.#grow(sizeBytes, comingBytes))) return;
    // Uploads that block each other's last bytes all give back their reservations before they ask again, so that one of them succeeds.
    await this.#shrinkTo(0);
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    if (await this.#grow(sizeBytes, comingBytes)) return;
    throw storageLimit(this.#account);
  }

  /** The next file may need the bytes that this file did not need. */
  async #shrinkTo(sizeBytes: number): Promise<void> {
    if (sizeBytes >= this.#bytes) return;
    await this.#account.meter.shrink(this.#uploadId, sizeBytes);
    this.#bytes = sizeBytes;
  }

  async #grow(sizeBytes: number, comingBytes: number): Promise<boolean> {
    const spareBytes = comingBytes === 0 ? 0 : Math.min(comingBytes + PART_BYTES, sizeBytes);
    const growth = await this.#account.meter.grow(this.#uploadId, sizeBytes, sizeBytes + spareBytes);
    switch (growth.outcome) {
      case "grown":
        this.#bytes = growth.reservedBytes;
        return true;
      case "storage-full":
        this.#account.figures = growth.figures;
        return false;
      case "token-used-up":
        throw ERRORS.UploadTokenUsedUp(growth.limit);
      // The account was erased, so a second request would not help.
      case "refused":
        throw ERRORS.InvalidKey();
      case "gone":
        throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    }
  }
}

/** The item of an import that the upload completes, as its intent and an upload in pieces have it. */
export function importItemOf({ importItem }: AccountContext): { readonly importItem?: ImportItemRef } {
  if (importItem === undefined) return {};
  const { importId, number } = importItem;
  return { importItem: { importId, number } };
}
