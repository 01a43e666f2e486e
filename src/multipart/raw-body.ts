import { ByteWindow } from "./byte-window.ts";
import { MultipartError } from "./multipart-error.ts";

/** A body that is one file, read as a stream: its memory is one window for any length. */
export class RawBody {
  readonly #window: ByteWindow;
  readonly #totalBytes: number;
  /** Whether the body's length was announced. */
  readonly isSizeKnown: boolean;

  /**
   * @param totalBytes of the body, if it is known
   * @param maxBytes the most that the body may have
   */
  constructor(body: ReadableStream<Uint8Array>, totalBytes: number | undefined, maxBytes: number) {
    this.#window = new ByteWindow(body, maxBytes);
    this.#totalBytes = totalBytes ?? maxBytes;
    this.isSizeKnown = totalBytes !== undefined;
  }

  get receivedBytes(): number {
    return this.#window.receivedBytes;
  }

  get silentMs(): number {
    return this.#window.silentMs;
  }

  get waitedMs(): number {
    return this.#window.waitedMs;
  }

  /** The most bytes that can still follow. */
  get remainingContentBytes(): number {
    return Math.max(0, this.#totalBytes - this.#window.consumedBytes);
  }

  /**
   * The next bytes; undefined at the end. They are valid only until the next call.
   * @throws BodyTooLargeError; MultipartError if the client broke off
   */
  async read(): Promise<Uint8Array | undefined> {
    while (this.#window.bytes().length === 0) {
      if (!(await this.#window.fill())) return this.#end();
    }
    const bytes = this.#window.bytes();
    this.#window.consume(bytes.length);
    return bytes;
  }

  #end(): undefined {
    if (this.isSizeKnown && this.#window.receivedBytes < this.#totalBytes)
      throw new MultipartError("The body broke off");
  }

  /** Stops reading and lets the sender stop. */
  async cancel(): Promise<void> {
    await this.#window.cancel();
  }

  /** Stops reading after bytes that are already sent, within limits, so that the sender can read the answer. */
  async refuse(): Promise<void> {
    await this.#window.refuse();
  }
}
