import { type Lease, MemoryBudget } from "./memory-budget.ts";

export interface LineOptions {
  /** The most requests that wait in one line. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

/**
 * A line for each id: the first has the turn, and the others wait in order of arrival. Lines are independent. A turn is
 * the only share of a memory budget, so that a request that the platform ended releases its turn as it would release
 * memory.
 */
export class Lines {
  readonly #options: LineOptions;
  readonly #lines = new Map<string, MemoryBudget>();

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** @returns the turn, until it is released; undefined if the line is full or the wait too long */
  async take(id: string): Promise<Lease | undefined> {
    const { maxWaiting, maxWaitMs } = this.#options;
    const line = this.#lines.get(id) ?? new MemoryBudget(1);
    this.#lines.set(id, line);
    const turn = line.tryTake(1) ?? (line.waiting < maxWaiting ? await line.take(1, maxWaitMs) : undefined);
    if (turn === undefined) return undefined;
    const release = () => {
      turn.release();
      if (line.freeBytes > 0 && this.#lines.get(id) === line) this.#lines.delete(id);
    };
    return { ...turn, release, [Symbol.dispose]: release };
  }
}
