import { afterEach, describe, expect, it, vi } from "vitest";
import { Slots } from "../../../src/media/slots.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("slots", () => {
  it("are handed out as many as there are, and again once given back", async () => {
    const slots = new Slots(2);
    const one = slots.tryTake();
    expect(await slots.take(0)).toBeDefined();
    expect(slots.tryTake()).toBeUndefined();
    expect(await slots.take(10)).toBeUndefined();
    one?.release();
    one?.release();
    expect(slots.tryTake()).toBeDefined();
    expect(slots.tryTake()).toBeUndefined();
  });

  it("go to those who wait in the order in which they came, and to nobody before them", async () => {
    const slots = new Slots(1);
    const first = slots.tryTake();
    const order: string[] = [];
    const wait = async (name: string, maxWaitMs = 5000) => {
      const slot = await slots.take(maxWaitMs);
      order.push(slot === undefined ? `${name} gave up` : name);
      await new Promise((resolve) => setTimeout(resolve, 1));
      slot?.release();
    };
    const waiting = [wait("a"), wait("b", 10), wait("c"), wait("d")];
    expect(slots.isWanted).toBe(true);
    await waiting[1];
    first?.release();
    expect(slots.tryTake()).toBeUndefined();
    await Promise.all(waiting);
    expect(order).toEqual(["b gave up", "a", "c", "d"]);
    expect(slots.isWanted).toBe(false);
    expect(slots.tryTake()).toBeDefined();
  });

  it("leave as many free as they are told to", () => {
    const slots = new Slots(3);
    expect(slots.tryTake(3)).toBeUndefined();
    expect(slots.tryTake(2)).toBeDefined();
    expect(slots.tryTake(2)).toBeUndefined();
  });

  it("stay with holders that live, however long, and come back from those that ended without a word", async () => {
    vi.useFakeTimers();
    const slots = new Slots(1);
    const alive = slots.tryTake();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(slots.tryTake()).toBeUndefined();
    alive?.release();
    expect(slots.tryTake()).toBeDefined();
    // Its request is ended, and its timers with it.
    const endedAt = Date.now();
    vi.clearAllTimers();
    vi.setSystemTime(endedAt + 60_000);
    expect(slots.tryTake()).toBeUndefined();
    vi.setSystemTime(endedAt + 120_000);
    expect(slots.tryTake()).toBeDefined();
  });
});
