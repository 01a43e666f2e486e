import { afterEach, describe, expect, it } from "vitest";
import { CrashStack } from "../support/views/crash-stack.ts";

// FILE-3: every accepted view is recorded, and none twice.

const CYCLES = 8;
const CLIENTS = 16;
const ACCOUNTS = 5;

let stack: CrashStack | undefined;

afterEach(() => stack?.dispose());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each([
  ["no other failure", 0],
  ["one call in three lost, before or after its effect", 3],
] as const)("SIGKILL under load, with %s", (_, faultsEvery) => {
  it("SIGKILL loses no accepted view and counts none twice", { timeout: 240_000 }, async () => {
    const running = await CrashStack.start(faultsEvery);
    stack = running;
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => running.openAccount()));
    const accepted = new Map(accounts.map((id) => [id, new Set<string>()]));
    let sent = 0;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const viewUntilKilled = async () => {
        for (;;) {
          const account = accounts[Math.floor(Math.random() * ACCOUNTS)] ?? "";
          sent += 1;
          const told = await running.view(account).catch(() => undefined);
          if (told === undefined) return;
          if (told.keeper !== "nobody") accepted.get(account)?.add(told.viewId);
        }
      };
      const clients = Array.from({ length: CLIENTS }, viewUntilKilled);
      await sleep(300 + Math.random() * 2200);
      await running.kill();
      await Promise.all(clients);
      await running.restart();
    }
    await expect.poll(() => running.isSettled(), { timeout: 60_000, interval: 250 }).toBe(true);
    let [told, counted] = [0, 0];
    for (const account of accounts) {
      const { ids, tenths } = await running.counted(account);
      expect(new Set(ids).size).toBe(ids.length);
      expect(tenths).toBe(ids.length);
      expect([...(accepted.get(account) ?? [])].filter((id) => !ids.includes(id))).toEqual([]);
      told += accepted.get(account)?.size ?? 0;
      counted += ids.length;
    }
    console.log(`${sent} views sent, ${told} accepted, ${counted} counted, ${CYCLES} kills`);
    expect(told).toBeGreaterThan(CYCLES * CLIENTS);
    // A view whose answer was lost with the process may have been recorded.
    expect(counted).toBeLessThanOrEqual(sent);
  });
});
