/** The computing time after which other requests get the thread. */
const SHARE_MS = 15;
/** A waiting task that has not checked for this long was ended with its request. */
const LOST_AFTER_MS = 5000;

interface Waiter {
  lookedAt: number;
}

/** Tasks of this isolate that wait to compute, in order of arrival. */
const line: Waiter[] = [];

/**
 * One task's share of the thread. A codec calls `yieldIfDue` between its steps. When its share is used up, the returned promise lets the
 * event loop serve other requests first. One task of an isolate computes in each turn of the event loop, so a request that takes ten turns
 * waits for ten shares and not for ten shares of every task. After a step of many shares, which cannot be divided, a task waits for as many
 * turns of the others. Clocks of Workers do not advance during computing (Workers, "Performance and timers"), so a step passes a careful
 * estimate of its time. A clock that advances, as it does locally, counts as well.
 */
export class ThreadShare {
  #computedMs = 0;
  #resumedAt = performance.now();

  /**
   * @param stepMs estimated computing time since the last call on a slow machine
   * @returns undefined if the task may continue at once
   */
  yieldIfDue(stepMs: number): Promise<void> | undefined {
    this.#computedMs += stepMs;
    if (Math.max(this.#computedMs, performance.now() - this.#resumedAt) < SHARE_MS) return undefined;
    return this.#yield();
  }

  async #yield(): Promise<void> {
    let turns = Math.max(1, Math.floor(this.#computedMs / SHARE_MS));
    do await nextTurn();
    while (--turns > 0 && line.length > 0);
    this.#computedMs = 0;
    this.#resumedAt = performance.now();
  }
}

/**
 * Waits in line. Each waiter has its own timer: a shared timer would end with its request. Timers are used because
 * promises that are already settled would all run before any other request's input.
 */
async function nextTurn(): Promise<void> {
  const waiter: Waiter = { lookedAt: Date.now() };
  line.push(waiter);
  for (;;) {
    // A waiter that becomes first in this turn of the event loop waits for the next one.
    const wasFirst = line[0] === waiter;
    await new Promise((resolve) => setTimeout(resolve, 0));
    waiter.lookedAt = Date.now();
    if (wasFirst && line[0] === waiter) break;
    while (line[0] !== undefined && line[0].lookedAt < waiter.lookedAt - LOST_AFTER_MS) line.shift();
    if (!line.includes(waiter)) line.push(waiter);
  }
  line.shift();
}
