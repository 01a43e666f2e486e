import { afterEach, describe, expect, it, vi } from "vitest";
import { type Lease, MemoryBudget } from "../../../src/isolate/memory-budget.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a memory budget", () => {
  it("grants what is free, and again what was released", async () => {
    const budget = new MemoryBudget(100);
    const one = budget.tryTake(60);
    const other = await budget.take(40, 0);
    expect([one?.bytes, other?.bytes, budget.freeBytes]).toEqual([60, 40, 0]);
    expect(budget.tryTake(1)).toBeUndefined();
    expect(await budget.take(1, 10)).toBeUndefined();
    one?.release();
    one?.release();
    other?.shrinkTo(30);
    other?.shrinkTo(35);
    expect(budget.freeBytes).toBe(70);
    expect(budget.tryTake(71)).toBeUndefined();
    {
      using rest = budget.tryTake(70);
      expect(rest?.bytes).toBe(70);
    }
    expect(budget.freeBytes).toBe(70);
  });

  it("grants what is free to one who cannot wait, though the clock moves on while it looks", async () => {
    let now = 1_000_000;
    vi.spyOn(Date, "now").mockImplementation(() => now++);
    expect((await new MemoryBudget(100).take(100, 0))?.bytes).toBe(100);
  });

  it("refuses at once what it will never have", async () => {
    expect(await new MemoryBudget(100).take(101, 60_000)).toBeUndefined();
  });

  it("serves requests in the order in which they came: small ones do not pass a large one", async () => {
    const budget = new MemoryBudget(100);
    const first = budget.tryTake(50);
    const order: string[] = [];
    const wait = async (name: string, bytes: number, maxWaitMs = 5000) => {
      const lease = await budget.take(bytes, maxWaitMs);
      order.push(lease === undefined ? `${name} gave up` : name);
      await new Promise((resolve) => setTimeout(resolve, 1));
      lease?.release();
    };
    const waiting = [wait("large", 90), wait("impatient", 10, 10), wait("small", 10), wait("another", 60)];
    expect(budget.isWanted).toBe(true);
    expect(budget.tryTake(10)).toBeUndefined();
    await waiting[1];
    expect(order).toEqual(["impatient gave up"]);
    first?.release();
    await Promise.all(waiting);
    expect(order).toEqual(["impatient gave up", "large", "small", "another"]);
    expect([budget.isWanted, budget.freeBytes]).toEqual([false, 100]);
  });

  it("serves those behind a large request once that gives up", async () => {
    const budget = new MemoryBudget(100);
    budget.tryTake(50);
    const [large, small] = await Promise.all([budget.take(90, 20), budget.take(10, 1000)]);
    expect([large, small?.bytes]).toEqual([undefined, 10]);
  });

  it("takes back what ended requests held and waited for, and nothing from those that live, however long", async () => {
    vi.useFakeTimers();
    const budget = new MemoryBudget(100);
    const alive = budget.tryTake(100);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(budget.tryTake(1)).toBeUndefined();
    void budget.take(100, 30_000);
    // Their requests are ended, and their timers with them.
    const endedAt = Date.now();
    vi.clearAllTimers();
    vi.setSystemTime(endedAt + 20_000);
    expect(budget.tryTake(1)).toBeUndefined();
    vi.setSystemTime(endedAt + 61_000);
    expect(budget.tryTake(100)?.bytes).toBe(100);
    alive?.release();
    expect(budget.freeBytes).toBe(0);
  });

  it("takes back soon what was handed to a request that ended while it waited", async () => {
    vi.useFakeTimers();
    const budget = new MemoryBudget(100);
    const first = budget.tryTake(100);
    void budget.take(100, 30_000);
    vi.clearAllTimers();
    first?.release();
    expect(budget.freeBytes).toBe(0);
    vi.setSystemTime(Date.now() + 11_000);
    expect(budget.tryTake(100)?.bytes).toBe(100);
  });
});

describe("shares that grow in steps", () => {
  it("hold no more than they have grown to, and never more than they said", async () => {
    const budget = new MemoryBudget(100);
    const lease = budget.open(80);
    expect(budget.freeBytes).toBe(100);
    expect(await lease.growTo(30, 0)).toBe(true);
    expect(await lease.growTo(20, 0)).toBe(true);
    expect([lease.bytes, budget.freeBytes]).toEqual([30, 70]);
    expect(await lease.growTo(81, 1000)).toBe(false);
    expect(await lease.growTo(80, 0)).toBe(true);
    lease.release();
    expect(budget.freeBytes).toBe(100);
    expect(await lease.growTo(10, 0)).toBe(false);
  });

  it("do not wait for each other in a circle: all of many reach their maximum", async () => {
    const budget = new MemoryBudget(100);
    let done = 0;
    const upload = async () => {
      const lease = budget.open(40);
      for (let bytes = 5; bytes <= 40; bytes += 5) {
        if (!(await lease.growTo(bytes, 5000))) return lease.release();
        expect(budget.freeBytes).toBeGreaterThanOrEqual(0);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
      }
      done += 1;
      lease.release();
    };
    await Promise.all(Array.from({ length: 30 }, upload));
    expect([done, budget.freeBytes]).toEqual([30, 100]);
  });

  it("pass those who hold nothing yet, as only they can give anything back", async () => {
    const budget = new MemoryBudget(100);
    const growing = budget.open(60);
    await growing.growTo(50, 0);
    const waiting: Promise<Lease | undefined> = budget.take(90, 5000);
    expect(await growing.growTo(60, 0)).toBe(true);
    growing.release();
    expect((await waiting)?.bytes).toBe(90);
  });

  it("leave room for the one that can finish first", async () => {
    const budget = new MemoryBudget(100);
    const [one, other] = [budget.open(80), budget.open(80)];
    expect(await one.growTo(40, 0)).toBe(true);
    expect(await other.growTo(20, 0)).toBe(true);
    // 35 bytes would be left, of which the one needs 40 and the other 55.
    expect(await other.growTo(25, 10)).toBe(false);
    expect(await one.growTo(80, 0)).toBe(true);
  });
});
