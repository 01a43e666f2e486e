import { ERRORS } from "../../../domain/errors.ts";
import { type GrowingLease, type Lease, MemoryBudget, type Owner } from "../../../isolate/memory-budget.ts";
import { WINDOW_BYTES } from "../../../multipart/byte-window.ts";

/** Files up to this size have their own budget, so that they proceed while large ones wait. */
const SMALL_FILE_BYTES = 1024 * 1024;

/**
 * An isolate has 128 MB. Uploads may hold these budgets of it: the bytes of files, the windows through which bodies are
 * read, and the copies that calls to accounts' objects carry.
 */
export const smallFiles = new MemoryBudget(16 * 1024 * 1024);
export const largeFiles = new MemoryBudget(48 * 1024 * 1024);
export const windows = new MemoryBudget(8 * 1024 * 1024);
const calls = new MemoryBudget(3 * 1024 * 1024);
/**
 * The fraction of each budget that an account may hold, so that its slow clients delay no other account. Of the large
 * files' budget it is two full parts. Tests change it.
 */
export const memoryShare = { ofAccount: 1 / 3 };
/** Half of the small files' memory is reserved for files that are known to be small. */
const KEPT_FOR_SMALL_BYTES = 8 * 1024 * 1024;

const MAX_WAIT_MS = 20_000;
/** `Retry-After` of a 503. */
export const RETRY_AFTER_SECONDS = 5;

interface Held {
  readonly budget: MemoryBudget;
  readonly lease: GrowingLease | Lease;
}

/** One request's share of the isolate's memory. */
export class UploadMemory {
  readonly #owner: Owner;
  readonly #leases = new Set<Lease>();
  #window: Lease | undefined;

  /** @param maxShare the fraction of each budget that the account may hold while this request asks for more */
  constructor(accountId: string, maxShare = memoryShare.ofAccount) {
    this.#owner = { id: accountId, maxShare };
  }

  /** Whether this request holds memory for which others wait. */
  get holdsUpOthers(): boolean {
    for (const { isWanted } of this.#leases) if (isWanted) return true;
    return this.#window?.isWanted ?? false;
  }

  /**
   * Waits for memory to read the body.
   * @throws ServiceError 503 if that takes too long
   */
  async openWindow(): Promise<void> {
    this.#window = await windows.take(WINDOW_BYTES, MAX_WAIT_MS, this.#owner);
    if (this.#window === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }

  /** Frees the memory for reading the body. Call it when the body is no longer read. */
  closeWindow(): void {
    this.#window?.release();
  }

  /**
   * Waits for memory to send bytes to the account's object.
   * @throws ServiceError 503 if that takes too long
   */
  async openCall(bytes: number): Promise<Lease> {
    const lease = await calls.take(bytes, MAX_WAIT_MS, this.#owner);
    if (lease === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
    return lease;
  }

  /**
   * A share for a file, or a part of it.
   * @param maxBytes its largest size
   * @param isExact whether the client has declared this size
   */
  open(maxBytes: number, isExact: boolean): MemoryShare {
    return new MemoryShare({ leases: this.#leases, owner: this.#owner }, maxBytes, isExact);
  }
}

/** Memory for one file or part, which grows as its bytes arrive. */
export class MemoryShare {
  readonly #leases: Set<Lease>;
  readonly #owner: Owner;
  readonly #maxBytes: number;
  readonly #isExact: boolean;
  #held: Held | undefined;

  constructor(request: { readonly leases: Set<Lease>; readonly owner: Owner }, maxBytes: number, isExact: boolean) {
    this.#leases = request.leases;
    this.#owner = request.owner;
    this.#maxBytes = maxBytes;
    this.#isExact = isExact;
  }

  /**
   * Waits for the memory; the body is not read during that time.
   * @returns false if the memory is not free in time
   */
  async growTo(bytes: number, maxWaitMs = MAX_WAIT_MS): Promise<boolean> {
    this.#held ??= this.#begin();
    const { lease, budget } = this.#held;
    if (bytes <= lease.bytes) return true;
    if ("growTo" in lease && (budget === largeFiles || this.#isSmall)) return lease.growTo(bytes, maxWaitMs);
    // The file turned out to be large: its small share is given back after it gets a large one.
    const grown = this.#hold(largeFiles, largeFiles.open(this.#maxBytes, this.#owner));
    if (!(await grown.lease.growTo(bytes, maxWaitMs))) {
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
    if (this.#isSmall) return this.#hold(smallFiles, smallFiles.open(this.#maxBytes, this.#owner));
    // A file of unknown size counts as small until it has grown, if enough memory remains for others.
    const mayBeSmall = !this.#isExact && smallFiles.freeBytes >= KEPT_FOR_SMALL_BYTES + SMALL_FILE_BYTES;
    const lease = mayBeSmall ? smallFiles.tryTake(SMALL_FILE_BYTES, this.#owner) : undefined;
    return lease === undefined
      ? this.#hold(largeFiles, largeFiles.open(this.#maxBytes, this.#owner))
      : this.#hold(smallFiles, lease);
  }

  #hold<L extends Lease>(budget: MemoryBudget, lease: L): { budget: MemoryBudget; lease: L } {
    this.#leases.add(lease);
    return { budget, lease };
  }

  #drop({ lease }: Held): void {
    this.#leases.delete(lease);
    lease.release();
  }
}
