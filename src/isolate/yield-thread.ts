/** Computing that may pass before others get the thread. */
const SHARE_MS = 15;
/** A task that has waited for its turn without looking for this long was ended with its request. */
const LOST_AFTER_MS = 5000;

/** A task that waits for its turn. */
interface Waiter {
  lookedAt: number;
}

/** Who waits to compute in this isolate, in order. */
const line: Waiter[] = [];

/**
 * One task's share of the thread. A codec asks `yieldIfDue` between its steps; where it has computed for long enough, what
 * comes back lets the event loop serve everybody else first. Of all tasks of an isolate one computes in each turn of the event
 * loop, however many there are: a request that takes ten turns waits for ten shares, not for ten of every task.
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
    await nextTurn();
    this.#computedMs = 0;
    this.#resumedAt = performance.now();
  }
}

/**
 * Waits in line. Everybody has a timer of their own: one that wakes others would end with its request. Timers, as promises that
 * are settled already would all run before any other request's input.
 */
async function nextTurn(): Promise<void> {
  const waiter: Waiter = { lookedAt: Date.now() };
  line.push(waiter);
  for (;;) {
    // Who becomes the first in this turn of the event loop waits for the next one.
    const wasFirst = line[0] === waiter;
    await new Promise((resolve) => setTimeout(resolve, 0));
    waiter.lookedAt = Date.now();
    if (wasFirst && line[0] === waiter) break;
    while (line[0] !== undefined && line[0].lookedAt < waiter.lookedAt - LOST_AFTER_MS) line.shift();
    if (!line.includes(waiter)) line.push(waiter);
  }
  line.shift();
}
