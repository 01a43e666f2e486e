import { type Lease, MemoryBudget } from "./memory-budget.ts";

export interface LineOptions {
  /** How many wait in one line, at most. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

/**
 * A line for each id: whoever is at its head has the turn, and the others wait in the order in which they came. Different lines
 * do not wait for each other. A turn is a budget's only share, so that requests that were ended while they waited or worked
 * hold up the line no longer than they would hold memory.
 */
export class Lines {
  readonly #options: LineOptions;
  readonly #lines = new Map<string, MemoryBudget>();

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** @returns the turn, until it is released; undefined where too many wait, or the wait is too long */
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
