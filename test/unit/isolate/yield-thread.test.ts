import { describe, expect, it, vi } from "vitest";
import { ThreadShare } from "../../../src/isolate/yield-thread.ts";

// DESIGN, "Memory and time in an isolate": no computation holds the thread longer than 50 ms without yielding.

describe("a task's share of the thread", () => {
  it("lasts for 15 ms of steps, whatever the clock says", async () => {
    const share = new ThreadShare();
    expect(share.yieldIfDue(0)).toBeUndefined();
    const due = share.yieldIfDue(15);
    expect(due).toBeInstanceOf(Promise);
    await due;
    expect(share.yieldIfDue(0)).toBeUndefined();
  });

  it("lets timers of others run, not only what waits for promises", async () => {
    const share = new ThreadShare();
    let others = 0;
    const timer = setInterval(() => others++, 0);
    for (let step = 0; step < 10; step++) await share.yieldIfDue(15);
    clearInterval(timer);
    expect(others).toBeGreaterThan(3);
  });

  it("comes once in a turn of the event loop, however many tasks there are, in order", async () => {
    const computed: number[] = [];
    const tasks = [0, 1, 2, 3, 4].map(async (task) => {
      const share = new ThreadShare();
      for (let step = 0; step < 20; step++) {
        await share.yieldIfDue(15);
        computed.push(task);
      }
    });
    const atOnce: number[] = [];
    let before = 0;
    const timer = setInterval(() => {
      atOnce.push(computed.length - before);
      before = computed.length;
    }, 0);
    await Promise.all(tasks);
    clearInterval(timer);
    expect(computed).toEqual(Array.from({ length: 100 }, (_, step) => step % 5));
    expect(atOnce.filter((steps) => steps > 2)).toEqual([]);
  });

  it("passes to others some seconds after a request has ended with its task in line", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    // The runtime drops the timers of a request that has ended.
    timers.mockImplementationOnce((() => 0) as never);
    void new ThreadShare().yieldIfDue(15);
    timers.mockRestore();
    let hasGoneOn = false;
    const other = new ThreadShare().yieldIfDue(15)?.then(() => {
      hasGoneOn = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(hasGoneOn).toBe(false);
    await other;
  }, 15_000);
});
