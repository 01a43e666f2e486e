import { seededRandom } from "../jpeg/seeded-random.ts";

export type Moment = "before" | "after";

/** A seed decides which calls to a store fail: one in `every`, before or after its effect. */
export class Faults {
  /** 0: none. */
  every = 0;
  injected = 0;
  /** The number of calls that could have failed while some did. */
  drawn = 0;
  /** Durable Objects, by name, that are reset in the next call: early in it, or at its end. */
  readonly doomed = new Map<string, Moment>();
  #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Starts another series. */
  seed(seed: number): void {
    this.#random = seededRandom(seed);
    this.doomed.clear();
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)] as T;
  }

  draw(): Moment | undefined {
    if (this.every === 0) return undefined;
    this.drawn += 1;
    if (this.#random() * this.every >= 1) return undefined;
    this.injected += 1;
    return this.pick(["before", "after"]);
  }

  /** Makes a call that may fail before or after its effect. */
  async call<T>(run: () => Promise<T>, fail: () => Error, moment: Moment | undefined): Promise<T> {
    if (moment === "before") throw fail();
    const result = await run();
    if (moment !== "after") return result;
    // An answer by reference is released, as when a connection is lost.
    (result as Partial<Disposable> | undefined)?.[Symbol.dispose]?.();
    throw fail();
  }
}

declare global {
  /** One instance for the isolate of tests, Worker and Durable Objects; its first user makes it. */
  var faults: Faults;
}

globalThis.faults ??= new Faults(20_261_122);
