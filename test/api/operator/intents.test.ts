import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Intent } from "../../../src/meter/intents/intent.ts";
import {
  expectNothingLeft,
  leaveIntent,
  meterOf,
  replaceStores,
  replayIntents,
  restoreStores,
} from "../../support/api/account-state.ts";
import { bearer, openAccount, uploadOne } from "../../support/api/api.ts";
import { failingStore } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { observe, readSeries } from "../../support/operator/observed.ts";

interface Listed {
  readonly accountId: string;
  readonly id: string;
  readonly kind: string;
  readonly attempts: number;
  readonly failedAt: string;
  readonly nextAt: string;
  readonly reason: string;
}

async function admin(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { ...bearer(env.ADMIN_TOKEN), "Content-Type": "application/json" };
  return observe(`/admin/${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function overdue(accountId: string): Promise<Listed[]> {
  const all: Listed[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const response: Response = await admin("GET", `intents?cursor=${cursor}`);
    expect(response.status).toBe(200);
    const page = await response.json<{ intents: Listed[]; pagination: { nextCursor: string | null } }>();
    all.push(...page.intents.filter((intent) => intent.accountId === accountId));
    cursor = page.pagination.nextCursor;
  }
  return all;
}

/** An upload whose request began its deletion and ended. The deletion cannot finish while R2 does not answer. */
async function overdueDeletion() {
  const account = await openAccount();
  const { _id, filename, fileSize } = await uploadOne(account.token, { name: "a.png", bytes: png() });
  const intent: Intent = { kind: "delete", uploadId: _id, objectKey: filename, sizeBytes: fileSize, keyId: null };
  await leaveIntent(account.id, intent);
  await replaceStores(account.id, { FILES: failingStore<R2Bucket>() });
  await replayIntents(account.id);
  return { account, id: `delete:${_id}` };
}

it("A change whose replay fails is listed with its reason until it is settled", async () => {
  const { account, id } = await overdueDeletion();
  const [listed, ...others] = await overdue(account.id);
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ id, kind: "delete", attempts: 1, reason: expect.stringContaining("out of order") });
  expect(Date.parse(listed?.nextAt ?? "")).toBeGreaterThan(Date.now());
  const series = await readSeries();
  expect(series.get("media_intents_overdue")).toBeGreaterThanOrEqual(1);
  expect(series.get("media_intents_overdue_oldest_age_seconds")).toBeGreaterThan(0);
  await restoreStores(account.id);
  await replayIntents(account.id);
  expect(await overdue(account.id)).toEqual([]);
  await expectNothingLeft(account.id);
});

it("A repeated failure stays under the same entry with the time of the first", async () => {
  const { account } = await overdueDeletion();
  const [first] = await overdue(account.id);
  await replayIntents(account.id);
  const [second, ...others] = await overdue(account.id);
  expect(others).toEqual([]);
  expect(second).toMatchObject({ attempts: 2, failedAt: first?.failedAt });
});

it("The operator can replay a change at once", async () => {
  const { account, id } = await overdueDeletion();
  const retry = async () => (await admin("POST", "intents/retry", { accountId: account.id, id })).json();
  expect(await retry()).toEqual({ outcome: "failed", reason: expect.stringContaining("out of order") });
  await restoreStores(account.id);
  expect(await retry()).toEqual({ outcome: "done" });
  await expectNothingLeft(account.id);
  expect(await overdue(account.id)).toEqual([]);
  expect(await retry()).toEqual({ outcome: "gone" });
});

it("A change in progress is not replayed: its request may still settle it", async () => {
  const { id: accountId, email } = await openAccount();
  const intent: Intent = { kind: "thumbnail", uploadId: "01arz3ndektsv4rrffq69g5fav" };
  await leaveIntent(accountId, intent);
  const id = "thumbnail:01arz3ndektsv4rrffq69g5fav";
  expect(await (await admin("POST", "intents/retry", { accountId, id })).json()).toEqual({ outcome: "under-way" });
  const answer = await admin("GET", `accounts/${email}/intents`);
  expect(await answer.json()).toEqual({
    accountId,
    intents: [{ id, kind: "thumbnail", attempts: 0, reason: null, dueAt: expect.any(String) }],
    pagination: { nextCursor: null },
  });
  expect((await admin("GET", "accounts/nobody@example.com/intents")).status).toBe(404);
});

it("An entry of an erased account is removed when the operator retries it", async () => {
  const accountId = "01arz3ndektsv4rrffq69g5fav";
  const service = env.SERVICE_METER.getByName("service");
  await service.reportIntents(accountId, [{ id: "register", kind: "register", attempts: 1, nextAt: 1, reason: "x" }]);
  expect(await overdue(accountId)).toHaveLength(1);
  expect(await (await admin("POST", "intents/retry", { accountId, id: "register" })).json()).toEqual({
    outcome: "gone",
  });
  expect(await overdue(accountId)).toEqual([]);
  expect((await admin("POST", "intents/retry", { accountId: "../x", id: "register" })).status).toBe(400);
});

it("An intent settled in time causes no call to the service's meter", async () => {
  const account = await openAccount();
  let calls = 0;
  const reportIntents = async () => {
    calls += 1;
  };
  const counting = { getByName: () => ({ reportIntents }) };
  await replaceStores(account.id, { SERVICE_METER: counting as unknown as Env["SERVICE_METER"] });
  const { _id, filename, fileSize } = await uploadOne(account.token, { name: "a.png", bytes: png() });
  await leaveIntent(account.id, {
    kind: "delete",
    uploadId: _id,
    objectKey: filename,
    sizeBytes: fileSize,
    keyId: null,
  });
  await replayIntents(account.id);
  await expectNothingLeft(account.id);
  expect(calls).toBe(0);
});

it("An overdue intent is reported by the next alarm if the service's meter was away", async () => {
  const { account, id } = await overdueDeletion();
  await restoreStores(account.id);
  const away = { getByName: () => ({ reportIntents: () => Promise.reject(new Error("away")) }) };
  await replaceStores(account.id, { SERVICE_METER: away as unknown as Env["SERVICE_METER"] });
  await replayIntents(account.id);
  expect((await overdue(account.id)).map((listed) => listed.id)).toEqual([id]);
  await restoreStores(account.id);
  expect(await meterOf(account.id).read()).toBeDefined();
  await replayIntents(account.id);
  expect(await overdue(account.id)).toEqual([]);
});
