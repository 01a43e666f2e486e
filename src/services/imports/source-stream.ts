import { ERRORS, type ServiceError } from "../../domain/errors.ts";

/**
 * A source that sends fewer bytes in this time is cut off. Only the time in which the service waits for bytes counts. `answerMs` is the time
 * until a source begins to answer. Tests change them.
 */
export const sourcePace = { leastBytes: 64 * 1024, withinMs: 30_000, answerMs: 20_000 };

interface Watched {
  /** The bytes that the source has declared; undefined if it has not. */
  readonly totalBytes: number | undefined;
  /** The time at which the stream is cut off. */
  readonly endsAt: number;
  now(): number;
  /** Closes the connection. */
  abort(): void;
}

/** The runtime's own streams give 4 KB at a time to a reader without a buffer. */
const READ_BYTES = 64 * 1024;

interface ChunkReader {
  read(): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(): Promise<void>;
}

/** A reader with a large buffer, if the stream can fill one. */
function openReader(body: ReadableStream<Uint8Array>): ChunkReader {
  try {
    const reader = body.getReader({ mode: "byob" });
    return { read: () => reader.read(new Uint8Array(READ_BYTES)), cancel: () => reader.cancel() };
  } catch {
    return body.getReader();
  }
}

/** The bytes of a source. The stream fails if the source stalls, or sends fewer or more bytes than it has declared. */
export class SourceStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #reader: ChunkReader;
  readonly #watched: Watched;
  #fault: ServiceError | undefined;
  #isStopped = false;
  #receivedBytes = 0;
  /** Bytes and time since the pace was judged last. */
  #pace = { bytes: 0, waitedMs: 0 };

  constructor(body: ReadableStream<Uint8Array>, watched: Watched) {
    this.#reader = openReader(body);
    this.#watched = watched;
    this.stream = new ReadableStream({
      type: "bytes",
      pull: (controller) => this.#pull(controller),
      cancel: () => this.stop(),
    });
  }

  /** Why the stream failed, if that is the source's fault. */
  get fault(): ServiceError | undefined {
    return this.#fault;
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Stops reading, and closes the connection. */
  stop(): void {
    this.#isStopped = true;
    this.#watched.abort();
    this.#reader.cancel().catch(() => undefined);
  }

  async #pull(controller: ReadableByteStreamController): Promise<void> {
    try {
      for (;;) {
        const chunk = await this.#read();
        if (chunk === undefined) {
          controller.close();
          // A read into the reader's own buffer ends only by an answer.
          controller.byobRequest?.respond(0);
          return;
        }
        if (chunk.length === 0) continue;
        controller.enqueue(chunk);
        return;
      }
    } catch (error) {
      this.stop();
      controller.error(error);
    }
  }

  /** @returns undefined at the end */
  async #read(): Promise<Uint8Array | undefined> {
    const { totalBytes } = this.#watched;
    const read = await this.#readInTime();
    if (read.done) {
      if (totalBytes !== undefined && this.#receivedBytes < totalBytes) throw this.#fail("length");
      return undefined;
    }
    this.#receivedBytes += read.value.length;
    this.#pace.bytes += read.value.length;
    if (totalBytes !== undefined && this.#receivedBytes > totalBytes) throw this.#fail("length");
    return read.value;
  }

  async #readInTime() {
    const { now, endsAt } = this.#watched;
    const startedAt = now();
    this.#judgePace();
    const leftMs = Math.min(sourcePace.withinMs - this.#pace.waitedMs, endsAt - startedAt);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), Math.max(0, leftMs));
    });
    try {
      const read = await Promise.race([this.#reader.read(), late]);
      this.#pace.waitedMs += now() - startedAt;
      if (read !== "late") return read;
      throw this.#fail("stalled");
    } catch {
      throw this.#fail("connection");
    } finally {
      clearTimeout(timer);
    }
  }

  #judgePace(): void {
    if (this.#pace.bytes >= sourcePace.leastBytes) this.#pace = { bytes: 0, waitedMs: 0 };
  }

  /** Only the first fault counts: the end of reading causes others. */
  #fail(reason: "length" | "stalled" | "connection"): ServiceError {
    const failure = this.#fault ?? ERRORS.SourceFailed(reason);
    if (!this.#isStopped) this.#fault = failure;
    return failure;
  }
}
