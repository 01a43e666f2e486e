import { Refusal } from "../refusal.ts";

const BLOCK_BYTES = 64 * 1024;
const FIRST_READ_BYTES = 2 * BLOCK_BYTES;
const TOO_MUCH = new Refusal(422, "too much of the file would have to be read");

/**
 * A file behind one URL, read in ranges (RFC 9110, section 14) and nothing but that URL: redirects are not followed. What was read
 * stays in memory (the bound on reading bounds that too), as ffmpeg comes back to the same parts several times.
 */
export class RangeSource {
  readonly #url: URL;
  #allowedBytes: number;
  #reserveBytes: number;
  readonly #signal: AbortSignal;
  readonly #blocks = new Map<number, Buffer>();
  /** Blocks on their way. */
  readonly #coming = new Map<number, Promise<void>>();
  #sizeBytes: number | undefined;
  /** What is on its way included. */
  #fetchedBytes = 0;
  #failure: Refusal | undefined;
  /** When the first of what is on its way was asked for. */
  #fetchingSince = 0;
  #fetchingMs = 0;

  /** @param maxBytes that may be fetched in all; three quarters of it are a reserve */
  constructor(url: URL, maxBytes: number, signal: AbortSignal) {
    this.#url = url;
    this.#allowedBytes = Math.floor(maxBytes / 4);
    this.#reserveBytes = maxBytes - this.#allowedBytes;
    this.#signal = signal;
  }

  /** Why reading failed, once it did. */
  get failure(): Refusal | undefined {
    return this.#failure;
  }

  /** Whether the bound on reading is why it failed. */
  get isExhausted(): boolean {
    return this.#failure === TOO_MUCH;
  }

  /** How long anything was on its way so far. */
  get fetchingSeconds(): number {
    const ongoingMs = this.#coming.size > 0 ? performance.now() - this.#fetchingSince : 0;
    return (this.#fetchingMs + ongoingMs) / 1000;
  }

  /** Lets reading go on after it stopped because too much was read. @returns false where that was not why, or the reserve is spent */
  spendReserve(): boolean {
    if (!this.isExhausted || this.#reserveBytes === 0) return false;
    this.#allowedBytes += this.#reserveBytes;
    this.#reserveBytes = 0;
    this.#failure = undefined;
    return true;
  }

  /** @throws Refusal as `read` */
  async size(): Promise<number> {
    if (this.#sizeBytes === undefined) await this.read(0, FIRST_READ_BYTES);
    return this.#sizeBytes ?? 0;
  }

  /**
   * Some bytes from `start` on: at least one and at most `wantedBytes`, none at the end of the file.
   * @throws Refusal 422 where too much of the file would have to be read, 502 where its server fails or does not have it
   */
  async read(start: number, wantedBytes: number): Promise<Buffer> {
    if (this.#sizeBytes !== undefined && start >= this.#sizeBytes) return Buffer.alloc(0);
    const index = Math.floor(start / BLOCK_BYTES);
    // After a seek the reader's former connection may still be fetching what the new one wants.
    await this.#coming.get(index);
    if (!this.#blocks.has(index)) await this.#fetchBlocks(index, this.#countMissing(index, wantedBytes));
    const block = this.#blocks.get(index);
    if (block === undefined) return Buffer.alloc(0);
    const offset = start - index * BLOCK_BYTES;
    return block.subarray(offset, offset + wantedBytes);
  }

  #countMissing(first: number, wantedBytes: number): number {
    let count = 1;
    const isMissing = (index: number) => !this.#blocks.has(index) && !this.#coming.has(index);
    while (count * BLOCK_BYTES < wantedBytes && isMissing(first + count)) count++;
    return count;
  }

  async #fetchBlocks(first: number, wantedCount: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    // Most of it may be more than the reader will take: the last of what is allowed is not refused for that.
    const count = Math.min(wantedCount, Math.floor((this.#allowedBytes - this.#fetchedBytes) / BLOCK_BYTES));
    if (count < 1) {
      this.#failure = TOO_MUCH;
      throw TOO_MUCH;
    }
    if (this.#coming.size === 0) this.#fetchingSince = performance.now();
    const fetching = this.#fetchInto(first, count);
    const indexes = Array.from({ length: count }, (_, i) => first + i);
    for (const index of indexes) this.#coming.set(index, fetching);
    try {
      await fetching;
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#failure ??= error instanceof Refusal ? error : new Refusal(502, "the source cannot be reached");
      throw this.#failure;
    } finally {
      for (const index of indexes) this.#coming.delete(index);
      if (this.#coming.size === 0) this.#fetchingMs += performance.now() - this.#fetchingSince;
    }
  }

  async #fetchInto(first: number, count: number): Promise<void> {
    const start = first * BLOCK_BYTES;
    const end = Math.min(start + count * BLOCK_BYTES, this.#sizeBytes ?? Number.POSITIVE_INFINITY);
    this.#fetchedBytes += end - start;
    const bytes = await this.#fetchRange(start, end);
    this.#fetchedBytes -= end - start - bytes.length;
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      this.#blocks.set((start + at) / BLOCK_BYTES, bytes.subarray(at, at + BLOCK_BYTES));
    }
  }

  async #fetchRange(start: number, end: number): Promise<Buffer> {
    const response = await fetch(this.#url, {
      headers: { Range: `bytes=${start}-${end - 1}`, "Accept-Encoding": "identity" },
      redirect: "manual",
      signal: this.#signal,
    });
    if (response.status !== 206) {
      await response.body?.cancel();
      throw toRefusal(response.status);
    }
    const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "");
    const [from, last, sizeBytes] = range?.slice(1).map(Number) ?? [];
    const isWhole = last !== undefined && sizeBytes !== undefined && last === Math.min(end, sizeBytes) - 1;
    if (!isWhole || from !== start || sizeBytes !== (this.#sizeBytes ?? sizeBytes)) {
      await response.body?.cancel();
      throw new Refusal(502, "the source answered another range");
    }
    const bytes = await readExactly(response, last - start + 1);
    this.#sizeBytes = sizeBytes;
    return bytes;
  }
}

async function readExactly(response: Response, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.alloc(sizeBytes);
  let filled = 0;
  for await (const chunk of response.body ?? []) {
    if (filled + chunk.length > sizeBytes) throw new Refusal(502, "the source sent more than it announced");
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < sizeBytes) throw new Refusal(502, "the source broke off");
  return bytes;
}

/** A source that is not there says nothing of the video: its address may be wrong. Who deleted it knows, and asks no more. */
function toRefusal(status: number): Refusal {
  if (status === 416) return new Refusal(422, "source is empty");
  return new Refusal(502, `the source answered ${status}`);
}
