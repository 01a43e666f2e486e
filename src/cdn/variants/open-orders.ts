/** An order is made again after this time, because its message may be lost or its job may have ended. */
const ORDER_MS = 5 * 60_000;

interface OpenOrder {
  readonly openedAt: number;
  readonly end: PromiseWithResolvers<boolean>;
}

/**
 * Orders of one upload that the media processor has not answered. They are only in memory, because a second order for the same object does
 * no harm.
 */
export class OpenOrders {
  readonly #orders = new Map<string, OpenOrder>();

  /** @returns false if the object is ordered already */
  open(objectKey: string): boolean {
    if (this.isOpen(objectKey)) return false;
    this.#orders.get(objectKey)?.end.resolve(false);
    this.#orders.set(objectKey, { openedAt: Date.now(), end: Promise.withResolvers() });
    return true;
  }

  isOpen(objectKey: string): boolean {
    const known = this.#orders.get(objectKey);
    return known !== undefined && Date.now() - known.openedAt < ORDER_MS;
  }

  /** @param isMade whether the object is stored */
  close(objectKey: string, isMade: boolean): void {
    this.#orders.get(objectKey)?.end.resolve(isMade);
    this.#orders.delete(objectKey);
  }

  /** Waits until an order is closed. @returns whether the object is stored; false after the time */
  async wait(objectKey: string, timeoutMs: number): Promise<boolean> {
    const order = this.#orders.get(objectKey);
    if (order === undefined) return false;
    const timer = new AbortController();
    try {
      const late = scheduler.wait(timeoutMs, { signal: timer.signal }).then(() => false);
      return await Promise.race([order.end.promise, late]);
    } finally {
      timer.abort();
    }
  }

  /** The keys of objects whose orders are open. */
  keys(): IterableIterator<string> {
    return this.#orders.keys();
  }
}
