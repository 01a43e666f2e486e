import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { OPERATIONS } from "../../../src/domain/allowance.ts";
import { everyKey, keyAs } from "../../../src/domain/object-key.ts";
import type { Visibility } from "../../../src/domain/visibility.ts";
import { Leases } from "../../../src/meter/books/leases.ts";
import { OperationLog } from "../../../src/meter/books/operation-log.ts";
import { type Intent, intentId } from "../../../src/meter/intents/intent.ts";
import { RECENT_PROOF_MS } from "../../../src/services/auth/recent-proof.ts";
import { inLibraries, libraryOf } from "./databases.ts";

/** The contents of the stores for an account, read without the API. */

export function meterOf(accountId: string) {
  return env.ACCOUNT_METER.getByName(accountId);
}

/** The keys of public and private files and thumbnails. */
export async function storedKeys(accountId: string): Promise<string[]> {
  return (await storedObjects(accountId)).map(({ key }) => key);
}

async function storedObjects(accountId: string): Promise<R2Object[]> {
  const lists = everyKey(`uploads/${accountId}/`).map((prefix) => env.FILES.list({ prefix }));
  return (await Promise.all(lists)).flatMap(({ objects }) => objects);
}

export async function uploadRowIds(accountId: string): Promise<string[]> {
  const rows = await inLibraries<{ id: string }>("SELECT id FROM uploads WHERE account_id = ?", accountId);
  return rows.map(({ id }) => id).sort();
}

export interface LoggedOperation {
  readonly id: string;
  readonly type: string;
  readonly class: string;
  readonly weight_tenths: number;
  readonly at: number;
  readonly resource_id: string;
  readonly key_id: string | null;
}

export interface MeterState {
  readonly storageBytes: number;
  readonly usedTenths: number;
  /** All intents, except those that only repair what may arrive late: sweeps, counted thumbnails, and second passes of visibility. */
  readonly intents: { id: string; payload: string; reserved_bytes: number; due_at: number; attempts: number }[];
  readonly operations: LoggedOperation[];
}

/** The tables of the account's Durable Object. */
export function readMeter(accountId: string): Promise<MeterState> {
  return runInDurableObject(meterOf(accountId), (_instance, { storage: { sql } }) => {
    const account = sql.exec<{ s: number; u: number }>("SELECT storage_bytes AS s, used_tenths AS u FROM account");
    const [row] = account.toArray();
    const leases = new Leases(sql);
    const intents = sql
      .exec(
        "SELECT * FROM intents WHERE kind <> 'sweep' AND NOT (payload ->> '$.isRepeated' IS NOT NULL AND reserved_bytes = 0) AND NOT (kind IN ('set-visibility', 'replace') AND payload ->> '$.isAgain' IS NOT NULL) ORDER BY id",
      )
      .toArray() as unknown as MeterState["intents"];
    return {
      storageBytes: row?.s ?? 0,
      usedTenths: row?.u ?? 0,
      intents: intents.map((intent) => ({ ...intent, due_at: Math.max(intent.due_at, leases.until(intent.id)) })),
      operations: readLog(sql),
    };
  });
}

/** The uploads whose remains the alarm will remove. */
export function listSweeps(accountId: string): Promise<string[]> {
  return runInDurableObject(meterOf(accountId), (_instance, { storage: { sql } }) => {
    const rows = sql.exec<{ id: string }>("SELECT id FROM intents WHERE kind = 'sweep' ORDER BY id").toArray();
    return rows.map(({ id }) => id);
  });
}

/** The whole log, by id. */
function readLog(sql: SqlStorage): LoggedOperation[] {
  const operations = new OperationLog(sql).list(Number.MAX_SAFE_INTEGER).map(
    ({ id, type, at, resourceId, keyId }): LoggedOperation => ({
      id,
      type,
      at,
      resource_id: resourceId,
      key_id: keyId,
      class: OPERATIONS[type].class,
      weight_tenths: OPERATIONS[type].weightTenths,
    }),
  );
  return operations.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Sets the bytes that the account already holds. */
export async function setStorageBytes(accountId: string, bytes: number): Promise<void> {
  await meterOf(accountId).read();
  await writeMeter(accountId, "UPDATE account SET storage_bytes = ?", bytes);
}

export async function setUsedTenths(accountId: string, tenths: number): Promise<void> {
  await meterOf(accountId).read();
  await writeMeter(accountId, "UPDATE account SET used_tenths = ?", tenths);
}

/** Makes the last proof of every session of the account too old for a change of keys or sign-in. */
export function ageProofs(accountId: string): Promise<void> {
  return writeMeter(accountId, "UPDATE sessions SET proved_at = proved_at - ?", RECENT_PROOF_MS + 1);
}

async function writeMeter(accountId: string, statement: string, ...values: (string | number)[]): Promise<void> {
  await runInDurableObject(meterOf(accountId), (_instance, { storage }) => {
    storage.sql.exec(statement, ...values);
  });
  // The figures are kept in memory too.
  await evictDurableObject(meterOf(accountId));
}

/** Leaves an intent behind, as a crash directly after its announcement would. */
export async function leaveIntent(accountId: string, intent: Intent): Promise<void> {
  await meterOf(accountId).read();
  await runInDurableObject(meterOf(accountId), async (_instance, { storage }) => {
    storage.sql.exec(
      "INSERT INTO intents (id, kind, payload, reserved_bytes, due_at, attempts) VALUES (?, ?, ?, 0, ?, 0)",
      intentId(intent),
      intent.kind,
      JSON.stringify(intent),
      Date.now() + 120_000,
    );
    await storage.setAlarm(Date.now() + 120_000);
  });
}

/** Makes all intents overdue without running an alarm. */
export async function expireIntents(accountId: string): Promise<void> {
  await runInDurableObject(meterOf(accountId), async (_instance, { storage }) => {
    storage.sql.exec("UPDATE intents SET due_at = 1");
    // The alarm is not due yet: the test runs it.
    await storage.setAlarm(Date.now() + 3_600_000);
  });
}

/** Makes all intents overdue, and runs the alarm. */
export async function replayIntents(accountId: string): Promise<void> {
  await expireIntents(accountId);
  await runDurableObjectAlarm(meterOf(accountId));
}

/** Replays twice; the second time must change nothing. */
export async function replayTwice(accountId: string): Promise<MeterState> {
  await replayIntents(accountId);
  const once = [await readMeter(accountId), await storedKeys(accountId), await uploadRowIds(accountId)] as const;
  await replayIntents(accountId);
  expect([await readMeter(accountId), await storedKeys(accountId), await uploadRowIds(accountId)]).toEqual(once);
  return once[0];
}

/** The stores have no byte, no row and no open intent of the account. */
export async function expectNothingLeft(accountId: string): Promise<void> {
  expect(await storedKeys(accountId)).toEqual([]);
  expect(await uploadRowIds(accountId)).toEqual([]);
  expect((await readMeter(accountId)).intents).toEqual([]);
}

/** The account is consistent: rows, objects and figure agree, and no intent is open. */
export async function expectConsistent(accountId: string): Promise<void> {
  const objects = await storedObjects(accountId);
  const results = await inLibraries<{ object_key: string; size_bytes: number; visibility: Visibility }>(
    "SELECT object_key, size_bytes, visibility FROM uploads WHERE account_id = ?",
    accountId,
  );
  const state = await readMeter(accountId);
  expect(state.intents).toEqual([]);
  expect(objects.map(({ key, size }) => [key, size]).sort()).toEqual(
    results.map((row) => [keyAs(row.object_key, row.visibility), row.size_bytes]).sort(),
  );
  expect(state.storageBytes).toBe(results.reduce((sum, row) => sum + row.size_bytes, 0));
}

/** Inserts a folder directly into the database. */
export async function insertFolder(accountId: string, name = "Holidays"): Promise<string> {
  const id = `01${crypto
    .randomUUID()
    .replace(/[-ilou]/g, "0")
    .slice(0, 24)}`;
  await (await libraryOf(accountId)).run(
    sql`INSERT INTO folders (id, account_id, name, created_at, updated_at) VALUES (${id}, ${accountId}, ${name}, 1, 1)`,
  );
  return id;
}

/** The usage in the seven headers. */
export function usageOf(response: Response): { storage: number; operations: number } {
  return {
    storage: Number(response.headers.get("X-Storage-Used")),
    operations: Number(response.headers.get("X-Operations-Used")),
  };
}

/** Accounts of a test file whose objects have replaced stores. */
const replacedIn = new Set<string>();

/** Gives the account's object replaced stores until it is evicted (`restoreStores`). */
export async function replaceStores(accountId: string, replaced: Partial<Env>): Promise<void> {
  replacedIn.add(accountId);
  await runInDurableObject(meterOf(accountId), (instance) => {
    const held = instance as unknown as { env: Env };
    Object.defineProperty(held, "env", {
      value: { ...held.env, ...replaced },
      configurable: true,
      writable: true,
    });
  });
}

/**
 * Ends the plans of the objects that had replaced stores. An idle object is evicted, and its next alarm would send to the real queue: its
 * imports and deliveries would reach the servers of another test.
 */
export async function endPlans(): Promise<void> {
  for (const accountId of replacedIn)
    await runInDurableObject(meterOf(accountId), (_meter, { storage }) => storage.deleteAlarm());
  replacedIn.clear();
}

export async function restoreStores(accountId: string): Promise<void> {
  await evictDurableObject(meterOf(accountId));
}
