import { ERRORS } from "../../domain/errors.ts";
import type { AccountContext } from "../context.ts";
import type { IncomingFile } from "./incoming-file.ts";
import { PART_BYTES } from "./part-buffer.ts";
import { reserveStorage, storageLimit } from "./reserve-storage.ts";
import type { IdentifiedFile } from "./stored-file.ts";

/** Beyond what is there of a file whose size nobody has told. */
const SPARE_BYTES = 2 * PART_BYTES;
const RETRY_AFTER_MS = 250;
const RETRY_AFTER_SECONDS = 5;

/**
 * What is set aside for a file while it is being received: all that the request can still bring where its size is known,
 * else a little more than is there, and twice as much whenever that is used up.
 */
export class StreamReservation {
  readonly #account: AccountContext;
  readonly #uploadId: string;
  readonly #incoming: IncomingFile;
  #bytes: number;

  private constructor(account: AccountContext, uploadId: string, incoming: IncomingFile, bytes: number) {
    this.#account = account;
    this.#uploadId = uploadId;
    this.#incoming = incoming;
    this.#bytes = bytes;
  }

  /**
   * Announces the upload.
   * @param headBytes of it that are there
   * @throws ServiceError 413, 429
   */
  static async open(
    account: AccountContext,
    file: IdentifiedFile,
    headBytes: number,
    incoming: IncomingFile,
  ): Promise<StreamReservation> {
    const spareBytes = incoming.isSizeKnown ? incoming.remainingBytes : Math.min(incoming.remainingBytes, SPARE_BYTES);
    const bytes = await reserveStorage(account, file, headBytes, headBytes + spareBytes);
    return new StreamReservation(account, file.uploadId, incoming, bytes);
  }

  /**
   * Sets more aside where that is needed.
   * @param sizeBytes of the file that are there
   * @throws ServiceError 413, 503 where its account's alarm has undone the upload
   */
  async cover(sizeBytes: number): Promise<void> {
    if (sizeBytes <= this.#bytes || (await this.#grow(sizeBytes))) return;
    // Uploads that keep the last bytes from each other all give back what they have before they ask again: one of them wins.
    await this.settle(0);
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    if (await this.#grow(sizeBytes)) return;
    throw storageLimit(this.#account);
  }

  /** What the file did not need may be what the next one does. */
  async settle(sizeBytes: number): Promise<void> {
    if (sizeBytes >= this.#bytes) return;
    await this.#account.meter.shrink(this.#uploadId, sizeBytes);
    this.#bytes = sizeBytes;
  }

  async #grow(sizeBytes: number): Promise<boolean> {
    const spareBytes = Math.min(this.#incoming.remainingBytes + PART_BYTES, sizeBytes);
    const growth = await this.#account.meter.grow(this.#uploadId, sizeBytes, sizeBytes + spareBytes);
    switch (growth.outcome) {
      case "grown":
        this.#bytes = growth.reservedBytes;
        return true;
      case "storage-full":
        this.#account.figures = growth.figures;
        return false;
      case "gone":
        throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    }
  }
}
