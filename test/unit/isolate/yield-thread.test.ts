import { describe, expect, it } from "vitest";
import { ThreadShare } from "../../../src/isolate/yield-thread.ts";

// DESIGN, "Memory and time in an isolate": no computation holds the thread longer than 50 ms without yielding.

describe("a task's share of the thread", () => {
  it("lasts for 20 ms of steps, whatever the clock says", async () => {
    const share = new ThreadShare();
    expect(share.yieldIfDue(0)).toBeUndefined();
    const due = share.yieldIfDue(20);
    expect(due).toBeInstanceOf(Promise);
    await due;
    expect(share.yieldIfDue(0)).toBeUndefined();
  });

  it("lets timers of others run, not only what waits for promises", async () => {
    const share = new ThreadShare();
    let others = 0;
    const timer = setInterval(() => others++, 0);
    for (let step = 0; step < 10; step++) await share.yieldIfDue(20);
    clearInterval(timer);
    expect(others).toBeGreaterThan(3);
  });
});
