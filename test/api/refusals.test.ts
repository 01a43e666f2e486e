import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { minuteWindow } from "../../src/domain/calendar.ts";
import { TIERS } from "../../src/domain/tiers.ts";
import worker from "../../src/worker.ts";
import { setUsedTenths } from "../support/api/account-state.ts";
import { BASE_URL, bearer, callJson, createApiKey, openAccount, openProAccount } from "../support/api/api.ts";
import { waitForQuietMinute } from "../support/api/quiet-minute.ts";
import { CountingEnv } from "../support/costs/counting-env.ts";
import { emptyBill } from "../support/costs/prices.ts";
import { png } from "../support/media/samples.ts";
import { TUS } from "../support/uploads/tus.ts";

/** Requests of a key over the month's operations: a tenth. */
const THROTTLED = TIERS.pro.requestsPerMinute / 10;

let counting: CountingEnv;

async function ask(token: string, path = "/images", init: RequestInit = {}, env = counting.env): Promise<Response> {
  const ctx = createExecutionContext();
  counting.addWorkerRequest();
  const headers = { ...(init.headers as Record<string, string> | undefined), ...bearer(token) };
  const response = await worker.fetch(new Request(BASE_URL + path, { ...init, headers }), env, ctx);
  const whole = new Response(await response.text(), response);
  await waitOnExecutionContext(ctx);
  return whole;
}

async function ask429(count: number, token: string, path?: string, init?: RequestInit): Promise<Response[]> {
  const answers: Response[] = [];
  for (let asked = 0; asked < count; asked++) answers.push(await ask(token, path, init));
  expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(429));
  return answers;
}

async function useUp(token: string, requests: number): Promise<void> {
  for (let asked = 0; asked < requests; asked++) expect((await ask(token)).status).toBe(200);
  await ask429(1, token);
}

it("A session over its minute is refused without a call of the account's object", async () => {
  await waitForQuietMinute(30_000);
  const { id, token, email, password } = await openAccount();
  const other = await (await callJson("POST", "/auth/login", undefined, { email, password })).json<{ token: string }>();
  counting = await CountingEnv.open(id);
  await useUp(token, TIERS.free.requestsPerMinute);
  let answers: Response[] = [];
  const bill = await counting.bill(async () => {
    answers = await ask429(5, token);
  });
  expect(bill).toEqual({ ...emptyBill(), workerRequests: 5 });
  const { endsAt } = minuteWindow(Date.now());
  for (const answer of answers) {
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-ratelimit-limit": String(TIERS.free.requestsPerMinute),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(endsAt / 1000),
      "x-operations-limit": String(TIERS.free.operationsPerMonth),
    });
    const seconds = Number(answer.headers.get("Retry-After"));
    expect(Math.abs(seconds - (endsAt - Date.now()) / 1000)).toBeLessThan(10);
    expect(await answer.json()).toMatchObject({
      code: "rate_limited",
      details: { retryAfter: seconds, reason: "rate" },
    });
  }
  // Another session calls the object, and requests about unfinished uploads have their own limit.
  const asked = await counting.bill(() => ask429(1, other.token));
  expect(asked.objectCalls).toBe(1);
  const piece = await ask(token, "/images/upload/01arz3ndektsv4rrffq69g5fav", { method: "HEAD", headers: TUS });
  expect(piece.status).toBe(404);
}, 60_000);

it("A key that is refused over the month's operations affects neither a session, nor the answer to an upload", async () => {
  await waitForQuietMinute(30_000);
  const { id, token, apiKey } = await openProAccount();
  await setUsedTenths(id, TIERS.pro.operationsPerMonth * 10);
  counting = await CountingEnv.open(id);
  await useUp(apiKey, THROTTLED);
  const { key: second } = await createApiKey(token);
  const upload = { method: "POST", body: png() };
  const [first] = await ask429(1, apiKey, "/images/upload?filename=a.png", upload);
  const bill = await counting.bill(async () => {
    const [again] = await ask429(1, apiKey, "/images/upload?filename=a.png", upload);
    expect(await again?.json()).toMatchObject({ details: { reason: "operations" } });
    expect(Number(again?.headers.get("Retry-After"))).toBeGreaterThan(60);
    expect(Number(again?.headers.get("Retry-After"))).toBeLessThanOrEqual(Number(first?.headers.get("Retry-After")));
  });
  expect(bill.objectCalls).toBe(0);
  await ask429(1, second);
  expect((await ask(token)).status).toBe(200);
}, 60_000);

it("A request with an expired key costs no query and no call of the account's object again", async () => {
  const { id, apiKey, apiKeyId } = await openProAccount();
  await env.DB.prepare("UPDATE keys SET expires_at = 1 WHERE id = ?").bind(apiKeyId).run();
  counting = await CountingEnv.open(id);
  const askExpired = async () => expect(await (await ask(apiKey)).json()).toMatchObject({ code: "key_expired" });
  await askExpired();
  // The address's own object counts the error, until its minute is used up.
  expect(await counting.bill(askExpired)).toMatchObject({ workerRequests: 1, objectCalls: 1, d1Calls: 0 });
});

it("A request with an ended session or a revoked key costs no call of the account's object again", async () => {
  const { id, token, apiKey, apiKeyId, email, password } = await openProAccount();
  const login = await callJson("POST", "/auth/login", undefined, { email, password });
  const { token: ended } = await login.json<{ token: string }>();
  counting = await CountingEnv.open(id);
  const noLookUps = { ...counting.env, KEY_LOOKUPS: { limit: async () => ({ success: false }) } };
  for (const known of [ended, apiKey]) expect((await ask(known)).status).toBe(200);
  expect((await ask(ended, "/auth/logout", { method: "POST" })).status).toBeLessThan(300);
  expect((await ask(token, `/keys/${apiKeyId}`, { method: "DELETE" })).status).toBeLessThan(300);
  for (const dead of [ended, apiKey]) expect((await ask(dead)).status).toBe(401);
  // The address's own object counts the error, until its minute is used up.
  expect((await counting.bill(() => ask(ended))).objectCalls).toBe(1);
  const bill = await counting.bill(async () => expect((await ask(apiKey, "/images", {}, noLookUps)).status).toBe(429));
  expect(bill).toEqual({ ...emptyBill(), workerRequests: 1 });
});
