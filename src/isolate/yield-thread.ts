/** Computing that may pass before others get the thread. */
const SHARE_MS = 20;

/**
 * One task's share of the thread. A codec asks `yieldIfDue` between its steps; where it has computed for long enough, what
 * comes back lets the event loop serve everybody else first.
 *
 * Clocks of Workers stand still while they compute (Workers, "Performance and timers"), so a step says how long it has taken
 * by a careful estimate; where the clock moves, as it does locally, it is heeded as well.
 */
export class ThreadShare {
  #computedMs = 0;
  #resumedAt = performance.now();

  /**
   * @param stepMs what the computing since the last call takes on a slow machine, about
   * @returns undefined while the task may go on at once
   */
  yieldIfDue(stepMs: number): Promise<void> | undefined {
    this.#computedMs += stepMs;
    if (Math.max(this.#computedMs, performance.now() - this.#resumedAt) < SHARE_MS) return undefined;
    return this.#yield();
  }

  async #yield(): Promise<void> {
    // A timer: promises that are settled already would all run before any other request's input.
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#computedMs = 0;
    this.#resumedAt = performance.now();
  }
}
