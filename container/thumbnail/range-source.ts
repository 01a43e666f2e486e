import { Refusal } from "../refusal.ts";

const BLOCK_BYTES = 64 * 1024;
const FIRST_READ_BYTES = 2 * BLOCK_BYTES;
const TOO_MUCH = new Refusal(422, "too much of the file would have to be read");

/**
 * A file at one URL, read in ranges (RFC 9110, section 14). Redirects are not followed. Blocks stay in memory, within the bound on reading,
 * because ffmpeg reads the same parts several times.
 */
export class RangeSource {
  readonly #url: URL;
  #allowedBytes: number;
  #reserveBytes: number;
  readonly #signal: AbortSignal;
  readonly #blocks = new Map<number, Buffer>();
  /** Blocks whose fetch is in progress. */
  readonly #coming = new Map<number, Promise<void>>();
  #sizeBytes: number | undefined;
  /** Fetched bytes, including fetches in progress. */
  #fetchedBytes = 0;
  #failure: Refusal | undefined;
  /** The time at which the oldest fetch in progress began. */
  #fetchingSince = 0;
  #fetchingMs = 0;

  /** @param maxBytes total bytes that may be fetched; three quarters of it are a reserve */
  constructor(url: URL, maxBytes: number, signal: AbortSignal) {
    this.#url = url;
    this.#allowedBytes = Math.floor(maxBytes / 4);
    this.#reserveBytes = maxBytes - this.#allowedBytes;
    this.#signal = signal;
  }

  /** The reason why reading failed. */
  get failure(): Refusal | undefined {
    return this.#failure;
  }

  /** Whether the bound stopped the reading. */
  get isExhausted(): boolean {
    return this.#failure === TOO_MUCH;
  }

  /** The time during which at least one fetch was in progress. */
  get fetchingSeconds(): number {
    const ongoingMs = this.#coming.size > 0 ? performance.now() - this.#fetchingSince : 0;
    return (this.#fetchingMs + ongoingMs) / 1000;
  }

  /** Continues reading after the bound stopped it. @returns false if reading stopped for another reason or the reserve is spent */
  spendReserve(): boolean {
    if (!this.isExhausted || this.#reserveBytes === 0) return false;
    this.#allowedBytes += this.#reserveBytes;
    this.#reserveBytes = 0;
    this.#failure = undefined;
    return true;
  }

  /** @throws Refusal like `read` */
  async size(): Promise<number> {
    if (this.#sizeBytes === undefined) await this.read(0, FIRST_READ_BYTES);
    return this.#sizeBytes ?? 0;
  }

  /**
   * Reads bytes from `start`: at least one and at most `wantedBytes`, none at the end of the file.
   * @throws Refusal 422 if too much of the file would be read, 502 if its server fails or does not have it
   */
  async read(start: number, wantedBytes: number): Promise<Buffer> {
    if (this.#sizeBytes !== undefined && start >= this.#sizeBytes) return Buffer.alloc(0);
    const index = Math.floor(start / BLOCK_BYTES);
    // The reader's earlier connection may still be fetching this block after a seek.
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
    // The reader may not need the whole block, so the last allowed blocks are fetched and not refused.
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

/**
 * A missing source proves nothing about the video: the address may be wrong. If the video was deleted, the Worker knows it and does not ask
 * again.
 */
function toRefusal(status: number): Refusal {
  if (status === 416) return new Refusal(422, "source is empty");
  return new Refusal(502, `the source answered ${status}`);
}
