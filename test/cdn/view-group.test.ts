import { describe, expect, it } from "vitest";
import type { JournaledView } from "../../src/cdn/journal-store.ts";
import { ViewGroup } from "../../src/cdn/view-group.ts";
import { newViewId } from "../../src/domain/view-pack.ts";
import { ACCOUNT_ID, UPLOAD_ID } from "./harness.ts";

const view = (at = Date.now()): JournaledView => ({
  id: newViewId(),
  at,
  accountId: ACCOUNT_ID,
  resourceId: UPLOAD_ID,
});

/** Records the calls of a group. Each call records every second view. */
function everySecond() {
  const calls: string[][] = [];
  const recordViews = async (views: readonly JournaledView[]) => {
    calls.push(views.map(({ id }) => id));
    return views.map((_, place) => place % 2 === 0);
  };
  return { calls, recordViews };
}

describe("View groups", () => {
  it("Views of several requests go in one call, and each gets its own result", async () => {
    const { calls, recordViews } = everySecond();
    const group = new ViewGroup();
    const views = Array.from({ length: 5 }, () => view());
    const recorded = await Promise.all(views.map((each) => group.record(each, recordViews)));
    expect(calls).toEqual([views.map(({ id }) => id)]);
    expect(recorded).toEqual([true, false, true, false, true]);
  });

  it("Later views go in another call", async () => {
    const { calls, recordViews } = everySecond();
    const group = new ViewGroup();
    for (let round = 0; round < 3; round++) expect(await group.record(view(), recordViews)).toBe(true);
    expect(calls.map((ids) => ids.length)).toEqual([1, 1, 1]);
  });

  it("A view group has at most 500 views a call", async () => {
    const { calls, recordViews } = everySecond();
    const group = new ViewGroup();
    await Promise.all(Array.from({ length: 1201 }, () => group.record(view(), recordViews)));
    expect(calls.map((ids) => ids.length)).toEqual([500, 500, 201]);
  });

  it("Views whose call fails are not recorded, and the next view makes a new call", async () => {
    const group = new ViewGroup();
    const fail = () => Promise.reject(new Error("Network connection lost."));
    expect(await Promise.all([group.record(view(), fail), group.record(view(), fail)])).toEqual([false, false]);
    expect(await group.record(view(), async () => [true])).toBe(true);
  });

  it("Views do not join a killed request's call, and views that joined before give up in time", async () => {
    const group = new ViewGroup();
    const never = () => new Promise<never>(() => {});
    void group.record(view(), never);
    const joined = group.record(view(), never);
    const startedAt = Date.now();
    expect(await group.record(view(Date.now() + 200), async () => [true])).toBe(true);
    expect(await joined).toBe(false);
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  }, 30_000);
});
