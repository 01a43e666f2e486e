import { afterEach, describe, expect, it, vi } from "vitest";
import { oneAtATime } from "../../../src/media/one-at-a-time.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("tasks that must not run at once", () => {
  it("run in their order, whatever becomes of those before them", async () => {
    const log: string[] = [];
    const task = (name: string, fails = false) =>
      oneAtATime(async () => {
        log.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`${name} ends`);
        if (fails) throw new Error(`${name} failed`);
        return name;
      });
    const results = await Promise.allSettled([task("a"), task("b", true), task("c")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("are given up after half a minute of waiting, and keep nobody behind them from running", async () => {
    vi.useFakeTimers();
    const { promise, resolve } = Promise.withResolvers<string>();
    const long = oneAtATime(() => promise);
    let ran = false;
    const refused = expect(
      oneAtATime(async () => {
        ran = true;
      }),
    ).rejects.toThrow("for too long");
    await vi.advanceTimersByTimeAsync(20_000);
    const later = oneAtATime(async () => "later");
    await vi.advanceTimersByTimeAsync(11_000);
    await refused;
    resolve("long");
    expect(await Promise.all([long, later])).toEqual(["long", "later"]);
    expect(ran).toBe(false);
  });
});
