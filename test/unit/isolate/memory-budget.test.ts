import { afterEach, describe, expect, it, vi } from "vitest";
import { type Lease, MemoryBudget, type Owner } from "../../../src/isolate/memory-budget.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("Memory budget", () => {
  it("A memory budget grants free memory, and released memory again", async () => {
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

  it("A memory budget grants free memory without waiting, even if the clock advances meanwhile", async () => {
    let now = 1_000_000;
    vi.spyOn(Date, "now").mockImplementation(() => now++);
    expect((await new MemoryBudget(100).take(100, 0))?.bytes).toBe(100);
  });

  it("A memory budget refuses at once more than its total", async () => {
    expect(await new MemoryBudget(100).take(101, 60_000)).toBeUndefined();
  });

  it("A memory budget serves requests in order: small ones do not pass a large one", async () => {
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

  it("A memory budget serves the requests after a large one when the large one gives up", async () => {
    const budget = new MemoryBudget(100);
    budget.tryTake(50);
    const [large, small] = await Promise.all([budget.take(90, 20), budget.take(10, 1000)]);
    expect([large, small?.bytes]).toEqual([undefined, 10]);
  });

  it("A memory budget takes back what ended requests held and waited for, and nothing of running ones", async () => {
    vi.useFakeTimers();
    const budget = new MemoryBudget(100);
    const alive = budget.tryTake(100);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(budget.tryTake(1)).toBeUndefined();
    void budget.take(100, 30_000);
    // These requests are ended, and their timers with them.
    const endedAt = Date.now();
    vi.clearAllTimers();
    vi.setSystemTime(endedAt + 20_000);
    expect(budget.tryTake(1)).toBeUndefined();
    vi.setSystemTime(endedAt + 61_000);
    expect(budget.tryTake(100)?.bytes).toBe(100);
    alive?.release();
    expect(budget.freeBytes).toBe(0);
  });

  it("A memory budget soon reclaims a grant to a request that ended while it waited", async () => {
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

describe("Growing shares", () => {
  it("A growing share holds only the memory it has grown to, up to its declared maximum", async () => {
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

  it("Growing shares do not wait for each other in a circle: all reach their maximum", async () => {
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

  it("Growing shares precede requests that hold nothing and so cannot release anything", async () => {
    const budget = new MemoryBudget(100);
    const growing = budget.open(60);
    await growing.growTo(50, 0);
    const waiting: Promise<Lease | undefined> = budget.take(90, 5000);
    expect(await growing.growTo(60, 0)).toBe(true);
    growing.release();
    expect((await waiting)?.bytes).toBe(90);
  });

  it("Growing shares leave memory for the share that can finish first", async () => {
    const budget = new MemoryBudget(100);
    const [one, other] = [budget.open(80), budget.open(80)];
    expect(await one.growTo(40, 0)).toBe(true);
    expect(await other.growTo(20, 0)).toBe(true);
    // 35 bytes would be left. One share needs 40, the other 55.
    expect(await other.growTo(25, 10)).toBe(false);
    expect(await one.growTo(80, 0)).toBe(true);
  });
});

describe("Shares of owners", () => {
  const [A, B, C]: [Owner, Owner, Owner] = [
    { id: "a", maxShare: 1 / 3 },
    { id: "b", maxShare: 1 / 3 },
    { id: "c", maxShare: 1 / 3 },
  ];

  function watch(waiting: Promise<Lease | undefined>): { result?: Lease | "given up" } {
    const seen: { result?: Lease | "given up" } = {};
    void waiting.then((lease) => {
      seen.result = lease ?? "given up";
    });
    return seen;
  }

  it("An owner's share is a third of the budget at most, even if more is free", async () => {
    const budget = new MemoryBudget(90);
    expect(budget.tryTake(31, A)).toBeUndefined();
    const share = budget.tryTake(20, A);
    expect(budget.tryTake(11, A)).toBeUndefined();
    expect(await budget.take(10, 0, A)).toMatchObject({ bytes: 10 });
    expect(await budget.open(20, A).growTo(1, 0)).toBe(false);
    expect([budget.tryTake(30, B)?.bytes, budget.tryTake(30, C)?.bytes, budget.freeBytes]).toEqual([30, 30, 0]);
    share?.release();
    expect(budget.tryTake(20, A)?.bytes).toBe(20);
  });

  it("An owner's request is refused at once if it exceeds the owner's third", async () => {
    expect(await new MemoryBudget(90).take(31, 60_000, A)).toBeUndefined();
  });

  it("Requests wait only for their owner's share: requests of other owners pass, and one owner's keep their order", async () => {
    vi.useFakeTimers();
    const budget = new MemoryBudget(90);
    const slow = budget.tryTake(30, A);
    const waiting = [20, 5, 10].map((bytes) => watch(budget.take(bytes, 20_000, A)));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await budget.take(30, 0, B))?.bytes).toBe(30);
    expect(budget.tryTake(30, C)?.bytes).toBe(30);
    expect(waiting).toEqual([{}, {}, {}]);
    slow?.shrinkTo(15);
    await vi.advanceTimersByTimeAsync(0);
    // The second request would fit, but the first would then wait forever.
    expect(waiting).toEqual([{}, {}, {}]);
    slow?.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting).toMatchObject([{ result: { bytes: 20 } }, { result: { bytes: 5 } }, {}]);
  });

  it("Waiting requests give up after their time, and let the next ones through", async () => {
    vi.useFakeTimers();
    const budget = new MemoryBudget(90);
    budget.tryTake(20, A);
    const [large, small] = [watch(budget.take(20, 20_000, A)), watch(budget.take(10, 30_000, A))];
    await vi.advanceTimersByTimeAsync(19_999);
    expect([large, small]).toEqual([{}, {}]);
    await vi.advanceTimersByTimeAsync(1);
    expect([large, small]).toMatchObject([{ result: "given up" }, { result: { bytes: 10 } }]);
    const late = watch(budget.take(10, 20_000, A));
    await vi.advanceTimersByTimeAsync(20_000);
    expect([late, budget.waiting]).toEqual([{ result: "given up" }, 0]);
  });

  it("Requests of the owner that holds the least go first when all memory is held", async () => {
    vi.useFakeTimers();
    const budget = new MemoryBudget(90);
    const held = [A, B, C].map((owner) => budget.tryTake(owner === C ? 20 : 30, owner));
    const other = budget.tryTake(10);
    const waiting = [C, { id: "d", maxShare: 1 / 3 }, C].map((owner) => watch(budget.take(10, 20_000, owner)));
    other?.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting).toMatchObject([{}, { result: { bytes: 10 } }, {}]);
    held[2]?.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting).toMatchObject([{ result: { bytes: 10 } }, {}, { result: { bytes: 10 } }]);
  });

  it("Memory returns to its owner's share when the requests have ended", async () => {
    vi.useFakeTimers();
    const budget = new MemoryBudget(90);
    budget.tryTake(30, A);
    void budget.take(30, 30_000, A);
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + 61_000);
    expect(budget.tryTake(30, A)?.bytes).toBe(30);
  });

  it("A lease is wanted by its owner's requests, and by other requests only if they could get it", () => {
    const budget = new MemoryBudget(90);
    const shares = [A, B].map((owner) => budget.tryTake(30, owner));
    void budget.take(10, 10, A);
    expect(shares.map((share) => share?.isWanted)).toEqual([true, false]);
    budget.tryTake(30, C);
    void budget.take(10, 10, { id: "d", maxShare: 1 / 3 });
    expect(shares.map((share) => share?.isWanted)).toEqual([true, true]);
  });

  it("Owners' shares grow without a circular wait, within each owner's part and the total", async () => {
    const owners = [A, B, C, { id: "d", maxShare: 1 / 3 }, { id: "a", maxShare: 2 / 3 }];
    const crowd = async () => {
      const budget = new MemoryBudget(90);
      let done = 0;
      const upload = async (owner: Owner) => {
        const lease = budget.open(20, owner);
        for (let bytes = 4; bytes <= 20; bytes += 4) {
          if (!(await lease.growTo(bytes, 10_000))) return lease.release();
          expect(budget.freeBytes).toBeGreaterThanOrEqual(0);
          const turns = 1 + Math.floor(Math.random() * 4);
          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        }
        done += 1;
        lease.release();
      };
      await Promise.all(Array.from({ length: 50 }, (_, i) => upload(owners[i % owners.length] ?? A)));
      return [done, budget.freeBytes];
    };
    // One after the other: a share that a busy machine keeps waiting for ten seconds would be given up.
    for (let run = 0; run < 200; run++) expect(await crowd()).toEqual([50, 90]);
  }, 30_000);
});
