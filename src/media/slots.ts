/** How often a holder says that it is still there. */
const ALIVE_EVERY_MS = 30_000;
/** A holder that has said nothing for this long was ended without a chance to give anything back. */
const LOST_AFTER_MS = 3 * ALIVE_EVERY_MS;

/** Leave to use what an isolate has little of. */
export interface Slot {
  /** Gives it back; a second time does nothing. */
  release(): void;
}

/** What an isolate has little of, shared by its requests: so many hold a slot at a time, the others wait in line. */
export class Slots {
  readonly #count: number;
  readonly #seenAt = new Map<Slot, number>();
  readonly #line = new Set<(slot: Slot) => void>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Whether somebody waits for a slot. */
  get isWanted(): boolean {
    return this.#line.size > 0;
  }

  /**
   * A slot, if there is one to be had at once and nobody waits.
   * @param leaveFree slots that must be left for others
   */
  tryTake(leaveFree = 0): Slot | undefined {
    this.#takeBackLost();
    return this.isWanted || this.#seenAt.size + leaveFree >= this.#count
      ? undefined
      : keepAlive(this.#hand(), this.#seenAt);
  }

  /** A slot, as soon as it is this caller's turn; undefined where that does not come in time. */
  async take(maxWaitMs: number): Promise<Slot | undefined> {
    const slot = this.tryTake();
    if (slot !== undefined) return slot;
    const { promise, resolve } = Promise.withResolvers<Slot | undefined>();
    const timer = setTimeout(() => {
      this.#line.delete(resolve);
      resolve(undefined);
    }, maxWaitMs);
    this.#line.add(resolve);
    const handed = await promise;
    clearTimeout(timer);
    return handed && keepAlive(handed, this.#seenAt);
  }

  #hand(): Slot {
    const slot = { release: () => this.#release(slot) };
    this.#seenAt.set(slot, Date.now());
    return slot;
  }

  #release(slot: Slot): void {
    if (this.#seenAt.delete(slot)) this.#handToNext();
  }

  #handToNext(): void {
    const [next] = this.#line;
    if (next === undefined) return;
    this.#line.delete(next);
    next(this.#hand());
  }

  #takeBackLost(): void {
    const lostBefore = Date.now() - LOST_AFTER_MS;
    for (const [slot, seenAt] of this.#seenAt) if (seenAt < lostBefore) slot.release();
  }
}

/** The timer belongs to the request that holds the slot, and ends with it. */
function keepAlive(slot: Slot, seenAt: Map<Slot, number>): Slot {
  const timer = setInterval(() => {
    if (seenAt.has(slot)) seenAt.set(slot, Date.now());
    else clearInterval(timer);
  }, ALIVE_EVERY_MS);
  return {
    release: () => {
      clearInterval(timer);
      slot.release();
    },
  };
}
