import { beforeEach, expect, it, vi } from "vitest";
import { ObjectAlarm } from "../../../src/meter/object-alarm.ts";

const MINUTE = 60_000;

let at: number | null;
let sets: number[];

/** An alarm of an object that has just woken. */
async function wake(): Promise<ObjectAlarm> {
  const storage = {
    getAlarm: async () => at,
    setAlarm: async (time: number) => {
      at = time;
      sets.push(time - Date.now());
    },
  };
  const alarm = new ObjectAlarm(storage as unknown as DurableObjectStorage);
  await alarm.open();
  return alarm;
}

beforeEach(() => {
  at = null;
  sets = [];
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});

it("A due time brings the alarm forward and never delays it, also after the object has lost its memory", async () => {
  const alarm = await wake();
  const now = Date.now();
  for (const dueAt of [5000, 3000, 4000, 3000]) {
    alarm.bringForward(now + dueAt);
    await Promise.resolve();
  }
  expect(sets).toEqual([5000, 3000]);
  const again = await wake();
  for (const dueAt of [4000, 2000]) again.bringForward(now + dueAt);
  await Promise.resolve();
  expect(sets).toEqual([5000, 3000, 2000]);
});

it("Several due times of one step set the alarm once, and a time that has passed sets it to now", async () => {
  const alarm = await wake();
  for (const dueAt of [5000, 4000, -1000]) alarm.bringForward(Date.now() + dueAt);
  await Promise.resolve();
  expect(sets).toEqual([0]);
});

it("A rolled-back transaction leaves the alarm set, because it is set after the transaction", async () => {
  const alarm = await wake();
  const transaction = () => {
    const before = at;
    try {
      alarm.bringForward(Date.now() + 1000);
      throw new Error("undone");
    } finally {
      at = before;
    }
  };
  expect(transaction).toThrow("undone");
  await Promise.resolve();
  expect(at).toBe(Date.now() + 1000);
});

it("A due time that is written before the alarm is known waits for it", async () => {
  at = Date.now() + 1000;
  const storage = { getAlarm: async () => at, setAlarm: async (time: number) => void sets.push(time - Date.now()) };
  const alarm = new ObjectAlarm(storage as unknown as DurableObjectStorage);
  alarm.bringForward(Date.now() + 2000);
  await alarm.open();
  expect(sets).toEqual([]);
  alarm.bringForward(Date.now() + 500);
  await Promise.resolve();
  expect(sets).toEqual([500]);
});

it("The alarm looks for the next due time when its work is done, and due times of the work set nothing", async () => {
  const alarm = await wake();
  const work = async () => alarm.bringForward(Date.now());
  await alarm.ring(work, () => Date.now() + 7000);
  expect(sets).toEqual([7000]);
  at = null;
  await alarm.ring(work, () => null);
  alarm.bringForward(Date.now() + 9000);
  await Promise.resolve();
  expect(sets).toEqual([7000, 9000]);
});

it("An alarm whose work fails rings again after a minute", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const alarm = await wake();
  const fail = () => Promise.reject(new Error("broken"));
  await alarm.ring(fail, () => null);
  expect(sets).toEqual([MINUTE]);
  expect(log.mock.calls.join()).toContain("alarm.failed");
});

it("An alarm of emptied storage is forgotten with it", async () => {
  at = Date.now() + 1000;
  const alarm = await wake();
  at = null;
  alarm.forget();
  alarm.bringForward(Date.now() + 5000);
  await Promise.resolve();
  expect(sets).toEqual([5000]);
});
