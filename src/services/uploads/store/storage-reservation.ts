import { ERRORS } from "../../../domain/errors.ts";
import { PART_BYTES } from "../../../domain/parts.ts";
import type { AccountContext } from "../../context.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import { RETRY_AFTER_SECONDS } from "../receive/upload-memory.ts";
import { type AnnouncedUpload, reserveStorage, storageLimit } from "./reserve-storage.ts";

/** What is reserved beyond the bytes that are there, if nobody has said how long the file is. */
const SPARE_BYTES = PART_BYTES;
const RETRY_AFTER_MS = 250;

interface Receiving {
  readonly incoming: IncomingFile;
  /** Bytes of the file that are there already. */
  readonly headBytes: number;
  /** A file that stays this small may be larger than what is free: it is judged by what it is compressed to. */
  readonly lenientBytes: number;
}

/**
 * The storage that is set aside for a file while it is received: all that the request can still bring if its size is known;
 * else a little more than is there, and twice as much whenever that is used up.
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
   * Sets more aside if that is needed for what is there of the file by now.
   * @throws ServiceError 401 if the account is erased, 413; 503 if the account's alarm has undone the upload
   */
  async cover(sizeBytes: number): Promise<void> {
    if (sizeBytes > this.#receiving.lenientBytes)
      await this.#require(sizeBytes, this.#receiving.incoming.remainingBytes);
  }

  /**
   * Makes the reservation exactly what is stored of the file in the end.
   * @throws ServiceError 401 if the account is erased, 413; 503 if the account's alarm has undone the upload
   */
  async fitTo(sizeBytes: number): Promise<void> {
    await this.#require(sizeBytes, 0);
    await this.#shrinkTo(sizeBytes);
  }

  async #require(sizeBytes: number, comingBytes: number): Promise<void> {
    if (sizeBytes <= this.#bytes || (await this.#grow(sizeBytes, comingBytes))) return;
    // Uploads that keep the last bytes from each other all give back what they have before they ask again: one of them wins.
    await this.#shrinkTo(0);
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    if (await this.#grow(sizeBytes, comingBytes)) return;
    throw storageLimit(this.#account);
  }

  /** What the file did not need may be what the next one does. */
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
      // Its account was erased: asking again would not help.
      case "refused":
        throw ERRORS.InvalidKey();
      case "gone":
        throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    }
  }
}
