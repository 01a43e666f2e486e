import { BodyTooLargeError, MultipartError } from "./multipart-error.ts";

/** How much of the stream is looked at at once; the memory that parsing costs. */
const WINDOW_BYTES = 64 * 1024;
/** A body that is refused is read on up to what it may have, and this much at least, so that its sender gets to read why. */
const MIN_DRAIN_BYTES = 32 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 5000;

/**
 * A window that slides over a byte stream. It reads into one buffer that it owns (a BYOB reader), so that its memory stays
 * the same however long the stream is. What `bytes()` returned is valid until the next `fill()`.
 */
export class ByteWindow {
  readonly #reader: ReadableStreamBYOBReader;
  readonly #maxBytes: number;
  #buffer = new ArrayBuffer(WINDOW_BYTES);
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

  /** Bytes that came from the stream so far. */
  get receivedBytes(): number {
    return this.#received;
  }

  /** Bytes of the stream that were consumed so far. */
  get consumedBytes(): number {
    return this.#received - this.#length;
  }

  /** For how long the sender has kept the read waiting that is under way; 0 where there is none. */
  get silentMs(): number {
    return this.#waitingSince === undefined ? 0 : Date.now() - this.#waitingSince;
  }

  /** For how long the sender has kept reads waiting so far. */
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
   * Reads more of the stream behind what is there already.
   * @returns false at the stream's end
   * @throws BodyTooLargeError, MultipartError where the client broke off
   */
  async fill(): Promise<boolean> {
    if (this.#start > 0) {
      new Uint8Array(this.#buffer).copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
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

  /** Tells the sender that the rest is not wanted. */
  async cancel(reason?: unknown): Promise<void> {
    this.#isCancelled = true;
    await this.#reader.cancel(reason).catch(() => undefined);
  }

  /**
   * Reads and forgets what the sender still has on its way, within bounds, then cancels. A connection that is closed on a
   * sender in full flow is reset, and the answer is lost with it (RFC 9112, 9.6).
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
    // A buffer of its own: a read that failed has taken the window's with it.
    let buffer = new ArrayBuffer(WINDOW_BYTES);
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
      // A read that is cancelled ends as if the body were complete (WHATWG Streams, "ReadableStreamCancel").
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
