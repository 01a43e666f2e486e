/** Calls that wait for something that has a name, each for a bounded time. Those that the object forgets, as it was reset, are made again. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** @returns when the name is woken, or the time is up */
  wait(name: string, maxWaitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(name) === waiting) this.#waiting.delete(name);
        resolve();
      };
      const timer = setTimeout(done, maxWaitMs);
      waiting.add(done);
    });
  }

  wake(name: string): void {
    for (const done of [...(this.#waiting.get(name) ?? [])]) done();
  }
}
