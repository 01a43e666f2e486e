/** The interval at which a waiting request checks for memory of ended holders, and signals that it still waits. */
const LOOK_EVERY_MS = 1000;
/** A waiting request that has not signalled for this long was ended, and so was a request that does not claim its share. */
const SILENT_AFTER_MS = 5000;
/** A holder that has not signalled for this long was ended without releasing its share. */
const LOST_AFTER_MS = 60_000;

/** The account that holds shares. */
export interface Owner {
  readonly id: string;
  /** The largest fraction of a budget that the owner's shares may hold together, from 0 to 1. */
  readonly maxShare: number;
}

/** A share of the budget, held until it is released. Releasing it again does nothing. */
export interface Lease {
  readonly bytes: number;
  /** Whether a request waits for memory that this share holds. */
  readonly isWanted: boolean;
  /** Gives back all but `bytes`. This is the share's new maximum. */
  shrinkTo(bytes: number): void;
  release(): void;
  [Symbol.dispose](): void;
}

/** A share that grows in steps, up to the maximum that was given when it was opened. */
export interface GrowingLease extends Lease {
  /** A larger share is never granted. */
  readonly maxBytes: number;
  /** Waits until the share may have this size. @returns false if that is not possible in time; the share then stays as it is */
  growTo(bytes: number, maxWaitMs: number): Promise<boolean>;
}

interface Holder {
  readonly owner: Owner | undefined;
  bytes: number;
  /** The size up to which the share may still grow. */
  maxBytes: number;
  lostAt: number;
}

interface Waiter {
  readonly holder: Holder;
  readonly bytes: number;
  /** The time at which it is dropped unless it has signalled since. */
  silentAt: number;
  readonly answer: (granted: boolean) => void;
}

/**
 * The memory that the requests of one isolate share, in bytes. A request that holds more than 64 KiB takes a lease
 * first.
 * Requests that hold a share and want more go first, because only they can give memory back. Of the others, requests of
 * the owner that holds the least go first, in order of arrival: small requests do not starve a large one. An owner at
 * its own limit waits for its own shares only, and keeps no other owner waiting. A share grows only if every other
 * share could still reach its maximum, one after the other (the banker's algorithm), so that growing shares never
 * deadlock.
 */
export class MemoryBudget {
  readonly totalBytes: number;
  readonly #holders = new Set<Holder>();
  readonly #line = new Set<Waiter>();
  readonly #bytesByOwner = new Map<string | undefined, number>();
  #heldBytes = 0;

  constructor(totalBytes: number) {
    this.totalBytes = totalBytes;
  }

  get freeBytes(): number {
    return this.totalBytes - this.#heldBytes;
  }

  get isWanted(): boolean {
    return this.waiting > 0;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** A share of this size, if memory is free now and no waiting request would be overtaken. */
  tryTake(bytes: number, owner?: Owner): Lease | undefined {
    this.#serve();
    const holder = newHolder(bytes, owner);
    if (this.#isWantedOf(holder) || !this.#tryGrant(holder, bytes)) return undefined;
    return this.#open(holder);
  }

  /** A share of this size when it is this request's turn; undefined if the turn does not come in time. */
  async take(bytes: number, maxWaitMs: number, owner?: Owner): Promise<Lease | undefined> {
    const holder = newHolder(bytes, owner);
    return (await this.#wait(holder, bytes, maxWaitMs)) ? this.#open(holder) : undefined;
  }

  /** An empty share that grows on request. */
  open(maxBytes: number, owner?: Owner): GrowingLease {
    return this.#open(newHolder(maxBytes, owner));
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
      get maxBytes() {
        return holder.maxBytes;
      },
      get isWanted() {
        return holder.bytes > 0 && budget.#isWantedOf(holder);
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
    if (bytes > holder.maxBytes || bytes > this.#limitOf(holder)) return false;
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
    // The share was taken back before the request claimed it, so it is lost.
    if (!granted || holder.bytes < bytes) return false;
    holder.lostAt = Date.now() + LOST_AFTER_MS;
    return true;
  }

  #answer(waiter: Waiter, granted: boolean): void {
    if (this.#line.delete(waiter)) waiter.answer(granted);
  }

  /** Gives free memory to waiting requests. */
  #serve(): void {
    const now = Date.now();
    for (const holder of this.#holders) if (holder.lostAt < now) this.#resize(holder, 0);
    const waiters = [...this.#line];
    for (const waiter of waiters) if (waiter.silentAt < now) this.#answer(waiter, false);
    for (const waiter of waiters) if (waiter.holder.bytes > 0) this.#tryServe(waiter, now);
    const left = new Set(waiters.filter((waiter) => this.#line.has(waiter) && waiter.holder.bytes === 0));
    for (let next = this.#first(left); next !== undefined; next = this.#first(left)) {
      const { owner } = next.holder;
      if (this.#tryServe(next, now)) left.delete(next);
      else if (this.#fitsOwner(next)) return;
      else for (const waiter of left) if (waiter.holder.owner?.id === owner?.id) left.delete(waiter);
    }
  }

  /** The next request to be served: the oldest request of the owner that holds the least. */
  #first(waiters: ReadonlySet<Waiter>): Waiter | undefined {
    let first: Waiter | undefined;
    for (const waiter of waiters) {
      if (first === undefined || this.#ownedBytes(waiter.holder) < this.#ownedBytes(first.holder)) first = waiter;
    }
    return first;
  }

  #ownedBytes({ owner }: Holder): number {
    return this.#bytesByOwner.get(owner?.id) ?? 0;
  }

  #tryServe(waiter: Waiter, now: number): boolean {
    if (!this.#line.has(waiter) || !this.#tryGrant(waiter.holder, waiter.bytes)) return false;
    waiter.holder.lostAt = Math.min(waiter.holder.lostAt, now + SILENT_AFTER_MS);
    this.#answer(waiter, true);
    return true;
  }

  #tryGrant(holder: Holder, bytes: number): boolean {
    if (!this.#isSafe([...this.#holders], { holder, bytes })) return false;
    this.#resize(holder, bytes);
    return true;
  }

  /** Whether the share would be within its owner's limit if no other owner held memory. */
  #fitsOwner({ holder, bytes }: Pick<Waiter, "holder" | "bytes">): boolean {
    if (holder.owner === undefined) return true;
    return this.#isSafe(
      [...this.#holders].filter(({ owner }) => owner?.id === holder.owner?.id),
      { holder, bytes },
    );
  }

  /**
   * Whether a share may have `bytes` besides these holders: the memory is free, and all shares that may still grow could reach their
   * maximum, one after the other.
   */
  #isSafe(holders: readonly Holder[], { holder, bytes }: Pick<Waiter, "holder" | "bytes">): boolean {
    const all = [...holders.filter((other) => other !== holder), { ...holder, bytes }];
    const held = new Map<string | undefined, number>();
    for (const one of all) held.set(one.owner?.id, (held.get(one.owner?.id) ?? 0) + one.bytes);
    let heldBytes = sumOf(all);
    const hasRoom = ({ owner }: Holder, moreBytes: number) =>
      heldBytes + moreBytes <= this.totalBytes &&
      (owner === undefined || (held.get(owner.id) ?? 0) + moreBytes <= this.#limitOf({ owner }));
    if (!hasRoom(holder, 0)) return false;
    // A share at its maximum ends without waiting for others. Each share that ends leaves more memory for the rest.
    let left = all;
    for (let before = left.length + 1; left.length > 0 && left.length < before; ) {
      before = left.length;
      left = left.filter((one) => {
        if (one.bytes < one.maxBytes && !hasRoom(one, one.maxBytes - one.bytes)) return true;
        heldBytes -= one.bytes;
        held.set(one.owner?.id, (held.get(one.owner?.id) ?? 0) - one.bytes);
        return false;
      });
    }
    return left.length === 0;
  }

  #limitOf({ owner }: Pick<Holder, "owner">): number {
    return Math.round(this.totalBytes * (owner?.maxShare ?? 1));
  }

  /** Whether a request waits for memory of this share, or would be overtaken by it. */
  #isWantedOf({ owner }: Holder): boolean {
    for (const waiter of this.#line) {
      const isOwn = owner !== undefined && waiter.holder.owner?.id === owner.id;
      if (isOwn || this.#fitsOwner(waiter)) return true;
    }
    return false;
  }

  #resize(holder: Holder, bytes: number): void {
    this.#heldBytes += bytes - holder.bytes;
    if (holder.owner !== undefined) this.#note(holder.owner.id, bytes - holder.bytes);
    holder.bytes = bytes;
    if (bytes > 0) this.#holders.add(holder);
    else this.#holders.delete(holder);
  }

  #note(ownerId: string, addedBytes: number): void {
    const bytes = (this.#bytesByOwner.get(ownerId) ?? 0) + addedBytes;
    if (bytes > 0) this.#bytesByOwner.set(ownerId, bytes);
    else this.#bytesByOwner.delete(ownerId);
  }
}

function sumOf(holders: readonly Holder[]): number {
  return holders.reduce((sum, { bytes }) => sum + bytes, 0);
}

function newHolder(maxBytes: number, owner: Owner | undefined): Holder {
  return { owner, bytes: 0, maxBytes, lostAt: Date.now() + LOST_AFTER_MS };
}

/** The interval at which a holder signals that it is alive. */
const EVERY_MS = 15_000;

/**
 * Calls `sign` regularly while the calling request lives. The timer belongs to the request and ends with it, even if
 * the platform ends the request without running its `finally` blocks.
 * @returns a function that stops the signals
 */
function keepAlive(sign: () => void): () => void {
  sign();
  const timer = setInterval(sign, EVERY_MS);
  return () => clearInterval(timer);
}
