import { keepAlive } from "./keep-alive.ts";

/** How often a waiting request looks for memory whose holder was ended, and shows that it still waits. */
const LOOK_EVERY_MS = 1000;
/** A waiting request that has not looked for this long was ended meanwhile; so was one that does not claim what it is handed. */
const SILENT_AFTER_MS = 5000;
/** A holder that has shown no sign of life for this long was ended without a chance to release anything. */
const LOST_AFTER_MS = 60_000;

/** A share of the budget. It is held until it is released; releasing it again does nothing. */
export interface Lease {
  readonly bytes: number;
  /** Gives back all but `bytes`. */
  shrinkTo(bytes: number): void;
  release(): void;
  [Symbol.dispose](): void;
}

/** A share that grows in steps, up to the maximum that was named when it was opened. */
export interface GrowingLease extends Lease {
  /**
   * Waits until the share may be this large.
   * @returns false if that is not possible in time; the share stays as it is
   */
  growTo(bytes: number, maxWaitMs: number): Promise<boolean>;
}

interface Holder {
  bytes: number;
  /** What it may still grow to. */
  maxBytes: number;
  lostAt: number;
}

interface Waiter {
  readonly holder: Holder;
  readonly bytes: number;
  /** When it is left out unless it has looked again by then. */
  silentAt: number;
  readonly answer: (granted: boolean) => void;
}

/**
 * The memory that the requests of one isolate share, in bytes. Whoever holds more than 64 KiB takes a lease first.
 *
 * Requests that hold nothing yet are served in the order in which they came, so a large one is not starved by small ones.
 * Requests that hold something and want more go first, as only they can give anything back. A share grows only if every
 * other share could still reach its maximum, one after the other (the banker's algorithm): shares that grow in steps never
 * wait for each other in a circle.
 */
export class MemoryBudget {
  readonly #totalBytes: number;
  readonly #holders = new Set<Holder>();
  readonly #line = new Set<Waiter>();
  #heldBytes = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  get freeBytes(): number {
    return this.#totalBytes - this.#heldBytes;
  }

  /** Whether anybody waits for memory. */
  get isWanted(): boolean {
    return this.waiting > 0;
  }

  /** How many wait for memory. */
  get waiting(): number {
    return this.#line.size;
  }

  /** A share of this size, if nobody waits and there is room for it now. */
  tryTake(bytes: number): Lease | undefined {
    this.#serve();
    const holder = newHolder(bytes);
    if (this.isWanted || !this.#tryGrant(holder, bytes)) return undefined;
    return this.#open(holder);
  }

  /** A share of this size as soon as it is this request's turn; undefined if that does not come in time. */
  async take(bytes: number, maxWaitMs: number): Promise<Lease | undefined> {
    const holder = newHolder(bytes);
    return (await this.#wait(holder, bytes, maxWaitMs)) ? this.#open(holder) : undefined;
  }

  /** A share of nothing at first, which grows as its holder asks for it. */
  open(maxBytes: number): GrowingLease {
    return this.#open(newHolder(maxBytes));
  }

  #open(holder: Holder): GrowingLease {
    const budget = this;
    const stopSigns = keepAlive(() => {
      holder.lostAt = Date.now() + LOST_AFTER_MS;
    });
    const release = () => {
      stopSigns();
      holder.maxBytes = 0;
      budget.#resize(holder, 0);
      budget.#serve();
    };
    return {
      get bytes() {
        return holder.bytes;
      },
      async growTo(bytes, maxWaitMs) {
        return bytes <= holder.bytes || budget.#wait(holder, bytes, maxWaitMs);
      },
      shrinkTo(bytes) {
        holder.maxBytes = Math.min(holder.maxBytes, bytes);
        if (bytes < holder.bytes) budget.#resize(holder, bytes);
        budget.#serve();
      },
      release,
      [Symbol.dispose]: release,
    };
  }

  async #wait(holder: Holder, bytes: number, maxWaitMs: number): Promise<boolean> {
    if (bytes > holder.maxBytes || bytes > this.#totalBytes) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter = { holder, bytes, silentAt: Date.now() + SILENT_AFTER_MS, answer: resolve };
    this.#line.add(waiter);
    this.#serve();
    const looking = setInterval(() => {
      waiter.silentAt = Date.now() + SILENT_AFTER_MS;
      this.#serve();
    }, LOOK_EVERY_MS);
    const ending = setTimeout(() => {
      this.#answer(waiter, false);
      this.#serve();
    }, maxWaitMs);
    const granted = await promise;
    clearInterval(looking);
    clearTimeout(ending);
    // A share that was taken back before it was claimed is not this request's any more.
    if (!granted || holder.bytes < bytes) return false;
    holder.lostAt = Date.now() + LOST_AFTER_MS;
    return true;
  }

  #answer(waiter: Waiter, granted: boolean): void {
    if (this.#line.delete(waiter)) waiter.answer(granted);
  }

  /** Hands what is free to those who wait. */
  #serve(): void {
    const now = Date.now();
    for (const holder of this.#holders) if (holder.lostAt < now) this.#resize(holder, 0);
    const waiters = [...this.#line];
    for (const waiter of waiters) if (waiter.silentAt < now) this.#answer(waiter, false);
    for (const waiter of waiters) if (waiter.holder.bytes > 0) this.#tryServe(waiter, now);
    for (const waiter of waiters) {
      if (this.#line.has(waiter) && waiter.holder.bytes === 0 && !this.#tryServe(waiter, now)) return;
    }
  }

  #tryServe(waiter: Waiter, now: number): boolean {
    if (!this.#line.has(waiter) || !this.#tryGrant(waiter.holder, waiter.bytes)) return false;
    waiter.holder.lostAt = Math.min(waiter.holder.lostAt, now + SILENT_AFTER_MS);
    this.#answer(waiter, true);
    return true;
  }

  #tryGrant(holder: Holder, bytes: number): boolean {
    if (bytes - holder.bytes > this.freeBytes || !this.#isSafe(holder, bytes)) return false;
    this.#resize(holder, bytes);
    return true;
  }

  /** Whether all shares that may still grow could reach their maximum, if this one had `bytes`. */
  #isSafe(holder: Holder, bytes: number): boolean {
    const growing = [...this.#holders]
      .filter((other) => other !== holder && other.bytes < other.maxBytes)
      .map((other) => ({ heldBytes: other.bytes, neededBytes: other.maxBytes - other.bytes }));
    if (bytes < holder.maxBytes) growing.push({ heldBytes: bytes, neededBytes: holder.maxBytes - bytes });
    growing.sort((a, b) => a.neededBytes - b.neededBytes);
    let availableBytes = this.#totalBytes - growing.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    for (const { heldBytes, neededBytes } of growing) {
      if (neededBytes > availableBytes) return false;
      availableBytes += heldBytes;
    }
    return true;
  }

  #resize(holder: Holder, bytes: number): void {
    this.#heldBytes += bytes - holder.bytes;
    holder.bytes = bytes;
    if (bytes > 0) this.#holders.add(holder);
    else this.#holders.delete(holder);
  }
}

function newHolder(maxBytes: number): Holder {
  return { bytes: 0, maxBytes, lostAt: Date.now() + LOST_AFTER_MS };
}
