import type { Bill } from "../../support/costs/prices.ts";

/** Adds up the time in which an object has one call or more in progress: it is billed once for all of them. */
export class BusySeconds {
  readonly #bill: Bill;
  #running = 0;
  #since = 0;

  constructor(bill: Bill) {
    this.#bill = bill;
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    if (this.#running++ === 0) this.#since = Date.now();
    try {
      return await call();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#bill.objectSeconds += (Date.now() - this.#since) / 1000;
    }
  }
}
