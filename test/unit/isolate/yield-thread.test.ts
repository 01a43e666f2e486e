import { describe, expect, it, vi } from "vitest";
import { ThreadShare } from "../../../src/isolate/yield-thread.ts";

// No computation holds the thread for more than 50 ms without yielding.

describe("Time slices", () => {
  it("A time slice lasts for 15 ms of steps, independent of the clock", async () => {
    const share = new ThreadShare();
    expect(share.yieldIfDue(0)).toBeUndefined();
    const due = share.yieldIfDue(15);
    expect(due).toBeInstanceOf(Promise);
    await due;
    expect(share.yieldIfDue(0)).toBeUndefined();
  });

  it("A time slice lets other timers run, not only promise callbacks", async () => {
    const share = new ThreadShare();
    let others = 0;
    const timer = setInterval(() => others++, 0);
    for (let step = 0; step < 10; step++) await share.yieldIfDue(15);
    clearInterval(timer);
    expect(others).toBeGreaterThan(3);
  });

  it("One time slice is run in each turn of the event loop, for any number of tasks, in order", async () => {
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

  it("A step of ten time slices waits until another task has had ten", async () => {
    let others = 0;
    const other = async () => {
      const share = new ThreadShare();
      for (; others < 30; others++) await share.yieldIfDue(15);
    };
    const ended = other();
    await new ThreadShare().yieldIfDue(150);
    expect(others).toBeGreaterThanOrEqual(9);
    expect(others).toBeLessThanOrEqual(11);
    await ended;
    const alone = new ThreadShare().yieldIfDue(60_000);
    await alone;
  });

  it("A time slice passes to others some seconds after a request ended with its task in line", async () => {
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
