import { BodyTooLargeError, MultipartError } from "./multipart-error.ts";

/** The size of the window, and so the memory of parsing. */
export const WINDOW_BYTES = 64 * 1024;
/** The rest of a refused body is read up to its allowed length, and at least this many bytes, so that its sender reads the answer. */
const MIN_DRAIN_BYTES = 32 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 5000;
/** The buffer for the rest if there is no window yet. */
const DRAIN_BYTES = 16 * 1024;

/**
 * A window that slides over a byte stream. It reads into one buffer that it owns (a BYOB reader), so its memory does not grow with the
 * stream. The result of `bytes()` is valid until the next `fill()`.
 */
export class ByteWindow {
  readonly #reader: ReadableStreamBYOBReader;
  readonly #maxBytes: number;
  /** Allocated with the first read, so that a body that waits costs no memory. */
  #buffer = new ArrayBuffer(0);
  #start = 0;
  #end = 0;
  #received = 0;
  #waitedMs = 0;
  #waitingSince: number | undefined;
  #isCancelled = false;

  /** @param maxBytes of the whole stream */
  constructor(stream: ReadableStream<Uint8Array>, maxBytes: number) {
    this.#reader = stream.getReader({ mode: "byob" });
    this.#maxBytes = maxBytes;
  }

  /** Bytes received from the stream. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Bytes of the stream that were consumed. */
  get consumedBytes(): number {
    return this.#received - this.#length;
  }

  /** The time that the read in progress has waited for the sender; 0 if there is none. */
  get silentMs(): number {
    return this.#waitingSince === undefined ? 0 : Date.now() - this.#waitingSince;
  }

  /** The total time that reads have waited for the sender. */
  get waitedMs(): number {
    return this.#waitedMs + this.silentMs;
  }

  get #length(): number {
    return this.#end - this.#start;
  }

  bytes(): Buffer {
    return Buffer.from(this.#buffer, this.#start, this.#length);
  }

  consume(count: number): void {
    this.#start += count;
  }

  /**
   * Reads more of the stream after the existing bytes.
   * @returns false at the stream's end
   * @throws BodyTooLargeError, MultipartError if the client broke off
   */
  async fill(): Promise<boolean> {
    if (this.#start > 0) {
      new Uint8Array(this.#buffer).copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    if (this.#buffer.byteLength === 0) this.#buffer = new ArrayBuffer(WINDOW_BYTES);
    if (this.#end === WINDOW_BYTES) throw new RangeError("The window is full");
    const { value, done } = await this.#read(new Uint8Array(this.#buffer, this.#end));
    if (value !== undefined) {
      this.#buffer = value.buffer as ArrayBuffer;
      this.#end += value.byteLength;
      this.#received += value.byteLength;
    }
    if (this.#received > this.#maxBytes) throw new BodyTooLargeError(this.#maxBytes);
    return !done;
  }

  /** Cancels the stream, so that the sender can stop. */
  async cancel(reason?: unknown): Promise<void> {
    this.#isCancelled = true;
    await this.#reader.cancel(reason).catch(() => undefined);
  }

  /**
   * Reads and discards bytes that are already sent, within limits, then cancels. Closing a connection while the sender is sending resets it
   * and loses the answer (RFC 9112, 9.6).
   */
  async refuse(): Promise<void> {
    const bytes = Math.max(this.#maxBytes - this.#received, MIN_DRAIN_BYTES);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_TIMEOUT_MS);
    });
    await Promise.race([this.#discard(bytes).catch(() => undefined), timeout]);
    clearTimeout(timer);
    await this.cancel();
  }

  async #discard(maxBytes: number): Promise<void> {
    // A failed read has detached the window's buffer.
    let buffer = this.#buffer.byteLength > 0 ? this.#buffer : new ArrayBuffer(DRAIN_BYTES);
    for (let left = maxBytes; left > 0; ) {
      const { value, done } = await this.#reader.read(new Uint8Array(buffer));
      if (done) return;
      buffer = value.buffer as ArrayBuffer;
      left -= value.byteLength;
    }
  }

  async #read(view: Uint8Array<ArrayBuffer>) {
    this.#waitingSince = Date.now();
    try {
      const read = await this.#reader.read(view);
      // A cancelled read ends as if the body were complete (WHATWG Streams, "ReadableStreamCancel").
      if (this.#isCancelled) throw new MultipartError("The body broke off");
      return read;
    } catch {
      throw new MultipartError("The body broke off");
    } finally {
      this.#waitedMs += this.silentMs;
      this.#waitingSince = undefined;
    }
  }
}

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
