import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { MAX_UPLOADS_IN_PROGRESS } from "../../../src/domain/tiers.ts";
import { Leases } from "../../../src/meter/books/leases.ts";
import { uploadIntentId } from "../../../src/meter/intents/intent.ts";
import { IntentTable } from "../../../src/meter/intents/intent-table.ts";
import { meterOf, readMeter } from "../../support/api/account-state.ts";
import { openAccount, uploadOne } from "../../support/api/api.ts";
import { countRows } from "../../support/costs/count-rows.ts";
import { emptyBill } from "../../support/costs/prices.ts";
import { png } from "../../support/media/samples.ts";

const TIMEOUT_MS = Number(env.INTENT_TIMEOUT_SECONDS) * 1000;
const BEAT_MS = TIMEOUT_MS / 4;

function idOf(index: number): string {
  return `01hzy3v7k9q4r5s6t7v8w9x${String(index).padStart(3, "0")}`;
}

/** Announces uploads whose bytes have not arrived yet. @returns the outcomes */
async function announce(accountId: string, count: number, first = 0): Promise<string[]> {
  return runInDurableObject(meterOf(accountId), async (meter) => {
    const outcomes: string[] = [];
    for (let index = first; index < first + count; index++) {
      const objectKey = `uploads/${accountId}/${idOf(index)}-a.png`;
      const intent = { kind: "upload", uploadId: idOf(index), objectKey, keyId: null } as const;
      outcomes.push((await meter.reserve(intent, 10, 10)).outcome);
    }
    return outcomes;
  });
}

afterEach(() => {
  vi.useRealTimers();
});

it("The signals of a hundred slow uploads write a row each half minute", async () => {
  const { id } = await openAccount();
  await announce(id, 100);
  const bill = emptyBill();
  await runInDurableObject(meterOf(id), async (meter, { storage }) => {
    countRows(storage, bill);
    const startedAt = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: startedAt });
    for (let beat = 1; beat <= 60; beat++) {
      // The requests began at different times.
      for (let index = 0; index < 100; index++) {
        vi.setSystemTime(startedAt + beat * BEAT_MS + index * 50);
        await meter.renew([idOf(index)]);
      }
    }
  });
  expect(bill.objectRowsWritten).toBeGreaterThanOrEqual(30);
  expect(bill.objectRowsWritten).toBeLessThanOrEqual(60);
});

it("A slow upload is kept while its request signals, also after the object was evicted, and is undone afterwards", async () => {
  const { id } = await openAccount();
  await announce(id, 1);
  const startedAt = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: startedAt });
  for (let beat = 1; beat <= 12; beat++) {
    vi.setSystemTime(startedAt + beat * BEAT_MS);
    await runInDurableObject(meterOf(id), (meter) => meter.renew([idOf(0)]));
    await evictDurableObject(meterOf(id));
    await runInDurableObject(meterOf(id), (meter) => meter.alarm());
    expect((await readMeter(id)).intents).toHaveLength(1);
  }
  // A lost signal does no harm.
  vi.setSystemTime(startedAt + 13.5 * BEAT_MS);
  await runInDurableObject(meterOf(id), (meter) => meter.alarm());
  expect((await readMeter(id)).intents).toHaveLength(1);
  vi.setSystemTime(startedAt + 17 * BEAT_MS);
  await runInDurableObject(meterOf(id), (meter) => meter.alarm());
  expect((await readMeter(id)).intents).toEqual([]);
});

it("A claimed request is under way while it signals, for any time", async () => {
  const { id } = await openAccount();
  const claim = { key: "key", claimant: "one" };
  const other = { key: "key", claimant: "other" };
  const startedAt = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: startedAt });
  expect((await runInDurableObject(meterOf(id), (meter) => meter.claim(claim))).outcome).toBe("claimed");
  for (let beat = 1; beat <= 60; beat++) {
    vi.setSystemTime(startedAt + beat * BEAT_MS);
    await runInDurableObject(meterOf(id), (meter) => meter.renew([], undefined, claim));
  }
  expect((await runInDurableObject(meterOf(id), (meter) => meter.claim(other))).outcome).toBe("under-way");
  vi.setSystemTime(startedAt + 65 * BEAT_MS);
  expect((await runInDurableObject(meterOf(id), (meter) => meter.claim(other))).outcome).toBe("claimed");
});

it("A request that failed ends its claim in spite of its signals: the next one takes over at once", async () => {
  const { id } = await openAccount();
  const claim = { key: "key", claimant: "one" };
  const other = { key: "key", claimant: "other" };
  const intent = {
    kind: "upload",
    uploadId: idOf(0),
    objectKey: `uploads/${id}/${idOf(0)}-a.png`,
    keyId: null,
  } as const;
  const after = await runInDurableObject(meterOf(id), async (meter) => {
    expect((await meter.claim(claim)).outcome).toBe("claimed");
    expect((await meter.reserve({ ...intent, claim }, 10, 10)).outcome).toBe("reserved");
    await meter.renew([], undefined, claim);
    expect((await meter.claim(other)).outcome).toBe("under-way");
    await meter.endClaim(claim);
    return meter.claim(other);
  });
  expect(after.outcome).toBe("claimed");
});

it("A claim that ended is still ended after an eviction", async () => {
  const { id } = await openAccount();
  const claim = { key: "key", claimant: "one" };
  const intent = {
    kind: "upload",
    uploadId: idOf(0),
    objectKey: `uploads/${id}/${idOf(0)}-a.png`,
    keyId: null,
  } as const;
  await runInDurableObject(meterOf(id), async (meter) => {
    await meter.claim(claim);
    await meter.reserve({ ...intent, claim }, 10, 10);
    await meter.renew([], undefined, claim);
    await meter.endClaim(claim);
  });
  await evictDurableObject(meterOf(id));
  const after = await runInDurableObject(meterOf(id), (meter) => meter.claim({ key: "key", claimant: "other" }));
  expect(after.outcome).toBe("claimed");
});

it("The operator's replay does not wait for the lease of an upload", async () => {
  const { id } = await openAccount();
  await announce(id, 1);
  await runInDurableObject(meterOf(id), async (meter, { storage }) => {
    await meter.renew([idOf(0)]);
    storage.sql.exec("UPDATE intents SET attempts = 1");
    expect(await meter.retryIntent(uploadIntentId(idOf(0)))).toEqual({ outcome: "done" });
  });
  expect((await readMeter(id)).intents).toEqual([]);
});

it("The next due time reads each intent once, and expired leases are forgotten", async () => {
  const { id } = await openAccount();
  const bill = emptyBill();
  await runInDurableObject(meterOf(id), (_, { storage }) => {
    const leases = new Leases(storage.sql);
    const intents = new IntentTable(storage.sql, leases, { bringForward: () => {} });
    for (let index = 0; index < 50; index++) {
      const intent = { kind: "upload", uploadId: idOf(index), objectKey: "uploads/a", keyId: null } as const;
      const intentId = intents.put(intent, 0, 1000 + index);
      leases.note(intentId, index, 1000);
      leases.renew([intentId], index + 250, 1000);
    }
    countRows(storage, bill);
    expect(intents.nextDueAt()).toBe(1250);
    expect(bill.objectRowsRead).toBe(50);
    leases.renew(["last"], 5000, 1000);
    expect(leases.after(0)).toEqual(["last"]);
    for (const index of [0, 1]) intents.remove(uploadIntentId(idOf(index)));
    expect(intents.nextDueAt()).toBe(1002);
  });
});

it("An account with too many uploads in progress is refused another upload until some have ended", async () => {
  const { id, uploadKey } = await openAccount();
  const outcomes = await announce(id, MAX_UPLOADS_IN_PROGRESS.free + 1);
  expect(outcomes.filter((outcome) => outcome === "reserved")).toHaveLength(MAX_UPLOADS_IN_PROGRESS.free);
  expect(outcomes.at(-1)).toBe("too-many");
  const refused = await uploadOne(uploadKey, { name: "a.png", bytes: png() }).catch(String);
  expect(refused).toContain("too_many_uploads");
  await runInDurableObject(meterOf(id), (_, { storage }) => void storage.sql.exec("UPDATE intents SET due_at = 1"));
  while ((await readMeter(id)).intents.length > 0) await runDurableObjectAlarm(meterOf(id));
  expect(await uploadOne(uploadKey, { name: "a.png", bytes: png() })).toMatchObject({ originalFilename: "a.png" });
});
