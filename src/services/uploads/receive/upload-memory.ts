import { type GrowingLease, type Lease, MemoryBudget } from "../../../isolate/memory-budget.ts";

/** Files up to this size have a budget of their own, so that they flow while large ones wait. */
export const SMALL_FILE_BYTES = 1024 * 1024;

/** An isolate has 128 MB; these two are what uploads may hold of it. */
export const smallFiles = new MemoryBudget(12 * 1024 * 1024);
export const largeFiles = new MemoryBudget(48 * 1024 * 1024);
/** Half of the small files' memory is kept for those that are known to be small. */
const KEPT_FOR_SMALL_BYTES = 6 * 1024 * 1024;

const MAX_WAIT_MS = 20_000;
/** What a client is asked to wait after a 503. */
export const RETRY_AFTER_SECONDS = 5;

interface Held {
  readonly budget: MemoryBudget;
  readonly lease: GrowingLease | Lease;
}

/** What one request holds of the isolate's memory. */
export class UploadMemory {
  readonly #held = new Set<Held>();

  /** Whether this request holds memory that others wait for. */
  get holdsUpOthers(): boolean {
    for (const { budget, lease } of this.#held) if (lease.bytes > 0 && budget.isWanted) return true;
    return false;
  }

  /**
   * A share for a file, or a part of one.
   * @param maxBytes what it may grow to
   * @param isExact whether the client has said that it is this large
   */
  open(maxBytes: number, isExact: boolean): MemoryShare {
    return new MemoryShare(this.#held, maxBytes, isExact);
  }
}

/** Memory for one file or part, which grows as its bytes come. */
export class MemoryShare {
  readonly #all: Set<Held>;
  readonly #maxBytes: number;
  readonly #isExact: boolean;
  #held: Held | undefined;

  constructor(all: Set<Held>, maxBytes: number, isExact: boolean) {
    this.#all = all;
    this.#maxBytes = maxBytes;
    this.#isExact = isExact;
  }

  /**
   * Waits for the memory; the body is not read meanwhile.
   * @returns false if it does not come in time
   */
  async growTo(bytes: number): Promise<boolean> {
    this.#held ??= this.#begin();
    const { lease, budget } = this.#held;
    if (bytes <= lease.bytes) return true;
    if ("growTo" in lease && (budget === largeFiles || this.#isSmall)) return lease.growTo(bytes, MAX_WAIT_MS);
    // The file turns out not to be small: what it has is given back once it has the memory of a large one.
    const grown = this.#hold(largeFiles, largeFiles.open(this.#maxBytes));
    if (!(await grown.lease.growTo(bytes, MAX_WAIT_MS))) {
      this.#drop(grown);
      return false;
    }
    this.#drop(this.#held);
    this.#held = grown;
    return true;
  }

  release(): void {
    if (this.#held !== undefined) this.#drop(this.#held);
    this.#held = undefined;
  }

  get #isSmall(): boolean {
    return this.#isExact && this.#maxBytes <= SMALL_FILE_BYTES;
  }

  #begin(): Held {
    if (this.#isSmall) return this.#hold(smallFiles, smallFiles.open(this.#maxBytes));
    // A file whose size nobody has said is small until it is not, as long as that leaves enough for the others.
    const mayBeSmall = !this.#isExact && smallFiles.freeBytes >= KEPT_FOR_SMALL_BYTES + SMALL_FILE_BYTES;
    const lease = mayBeSmall ? smallFiles.tryTake(SMALL_FILE_BYTES) : undefined;
    return lease === undefined
      ? this.#hold(largeFiles, largeFiles.open(this.#maxBytes))
      : this.#hold(smallFiles, lease);
  }

  #hold<L extends Lease>(budget: MemoryBudget, lease: L): { budget: MemoryBudget; lease: L } {
    const held = { budget, lease };
    this.#all.add(held);
    return held;
  }

  #drop(held: Held): void {
    this.#all.delete(held);
    held.lease.release();
  }
}
