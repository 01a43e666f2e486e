import { afterEach, describe, expect, it, vi } from "vitest";
import { Lines } from "../../../src/isolate/lines.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("Line", () => {
  it("A line gives one turn at a time, in the order of requests", async () => {
    const lines = new Lines({ maxWaiting: 3, maxWaitMs: 5000 });
    const first = await lines.take("a");
    const order: number[] = [];
    const others = [1, 2, 3].map(async (number) => {
      const turn = await lines.take("a");
      order.push(number);
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(order.at(-1)).toBe(number);
      turn?.release();
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(order).toEqual([]);
    first?.release();
    await Promise.all(others);
    expect(order).toEqual([1, 2, 3]);
  });

  it("A line does not wait for another line", async () => {
    const lines = new Lines({ maxWaiting: 1, maxWaitMs: 5000 });
    await lines.take("a");
    expect(await lines.take("b")).toBeDefined();
  });

  it("A line refuses at once when it is full, and after too long a wait", async () => {
    vi.useFakeTimers();
    const lines = new Lines({ maxWaiting: 1, maxWaitMs: 5000 });
    const turn = await lines.take("a");
    const waiting = lines.take("a");
    expect(await lines.take("a")).toBeUndefined();
    await vi.advanceTimersByTimeAsync(5001);
    expect(await waiting).toBeUndefined();
    turn?.release();
    expect(await lines.take("a")).toBeDefined();
  });

  it("A line continues after a request that ended during its turn", async () => {
    vi.useFakeTimers();
    const lines = new Lines({ maxWaiting: 1, maxWaitMs: 5000 });
    await lines.take("a");
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + 61_000);
    expect(await lines.take("a")).toBeDefined();
  });
});
