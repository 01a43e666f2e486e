import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { dayOf, toDate } from "../../../src/domain/calendar.ts";
import { meterOf } from "../../support/api/account-state.ts";
import { bearer, call, createApiKey, openAccount, openProAccount, setTier } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";
import { OBSERVED, observe } from "../../support/operator/observed.ts";

interface Counts {
  readonly requests: number;
  readonly operations: number;
  readonly errors: number;
}

interface Analytics {
  readonly keyId: string;
  readonly total: Counts;
  readonly days: readonly ({ readonly date: string } & Counts)[];
  readonly endpoints: readonly ({ readonly endpoint: string } & Counts)[];
}

/** Read by session, whose own requests count for no key. */
async function analytics(token: string, keyId: string, query = ""): Promise<Analytics> {
  const response = await call(`/keys/${keyId}/analytics${query}`, { headers: bearer(token) });
  expect(response.status).toBe(200);
  return response.json();
}

function todayOf(): string {
  return toDate(dayOf(Date.now()));
}

it("Key analytics count a key's requests, operations and errors by day and by endpoint", async () => {
  const { token, apiKey, apiKeyId } = await openProAccount();
  const other = await createApiKey(token);
  const headers = bearer(apiKey);
  const upload = { method: "POST", headers, body: png() };
  const { _id } = await (await observe("/images/upload?filename=a.png", upload)).json<{ _id: string }>();
  await observe("/images?limit=1", { headers });
  await observe("/images?limit=nonsense", { headers });
  await observe(`/images/${_id}`, { headers });
  await observe(`/images/${_id}`, { method: "DELETE", headers });
  await observe("/no-such-path", { headers });
  await observe("/images", { headers: bearer(other.key) });
  await observe("/images", { headers: bearer(token) });
  const { keyId, total, days, endpoints } = await analytics(token, apiKeyId);
  expect(keyId).toBe(apiKeyId);
  expect(total).toEqual({ requests: 6, operations: 2, errors: 2 });
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({ date: todayOf(), requests: 6, operations: 2, errors: 2 });
  expect(days[0]).toEqual({ date: toDate(dayOf(Date.now()) - 29), requests: 0, operations: 0, errors: 0 });
  expect(endpoints).toEqual([
    { endpoint: "GET /images", requests: 2, operations: 0, errors: 1 },
    { endpoint: "DELETE /images/{id}", requests: 1, operations: 1, errors: 0 },
    { endpoint: "GET /images/{id}", requests: 1, operations: 0, errors: 0 },
    { endpoint: "GET none", requests: 1, operations: 0, errors: 1 },
    { endpoint: "POST /images/upload", requests: 1, operations: 1, errors: 0 },
  ]);
  expect((await analytics(token, other._id)).total).toEqual({ requests: 1, operations: 0, errors: 0 });
});

it("Key analytics add to earlier counts, also after a reset of the object", async () => {
  const { id, token, apiKey, apiKeyId } = await openProAccount();
  await observe("/images", { headers: bearer(apiKey) });
  await evictDurableObject(meterOf(id));
  await observe("/images", { headers: bearer(apiKey) });
  expect((await analytics(token, apiKeyId)).total.requests).toBe(2);
});

it("Key analytics count a repeated batch once if its answer was lost", async () => {
  const { id, token, apiKeyId } = await openProAccount();
  const requests = [
    { keyId: apiKeyId, day: dayOf(Date.now()), endpoint: "GET /images", requests: 5, operations: 0, errors: 1 },
  ];
  for (const batch of ["one", "one", "two", "one"]) await meterOf(id).recordKeyRequests(batch, requests);
  expect((await analytics(token, apiKeyId)).total).toEqual({ requests: 10, operations: 0, errors: 2 });
});

it("Key analytics show the requested days of the last ninety", async () => {
  const { id, token, apiKeyId } = await openProAccount();
  const today = dayOf(Date.now());
  const requests = [0, 1, 5, 89, 90, 200].map((ago) => ({
    keyId: apiKeyId,
    day: today - ago,
    endpoint: "GET /images",
    requests: 1,
    operations: 0,
    errors: 0,
  }));
  await meterOf(id).recordKeyRequests("old", requests);
  expect((await analytics(token, apiKeyId)).total.requests).toBe(3);
  const all = await analytics(token, apiKeyId, `?from=${toDate(today - 300)}&to=${toDate(today + 300)}`);
  expect(all.days).toHaveLength(90);
  expect(all.total.requests).toBe(4);
  const one = await analytics(token, apiKeyId, `?from=${toDate(today - 5)}&to=${toDate(today - 5)}`);
  expect(one.days).toEqual([{ date: toDate(today - 5), requests: 1, operations: 0, errors: 0 }]);
  const later = await analytics(token, apiKeyId, `?from=${toDate(today + 1)}`);
  expect(later.days).toEqual([]);
  for (const query of ["?from=2026-02-30", "?from=yesterday", `?from=${toDate(today)}&to=${toDate(today - 1)}`]) {
    expect((await call(`/keys/${apiKeyId}/analytics${query}`, { headers: bearer(token) })).status).toBe(400);
  }
});

it("Key analytics forget days older than ninety, in steps, at a key's first request of a day", async () => {
  const { id, token, apiKeyId } = await openProAccount();
  const today = dayOf(Date.now());
  const of = (day: number) => ({
    keyId: apiKeyId,
    day,
    endpoint: "GET /images",
    requests: 1,
    operations: 0,
    errors: 0,
  });
  await meterOf(id).recordKeyRequests(
    "old",
    Array.from({ length: 300 }, (_, ago) => of(today - 1 - ago)),
  );
  await meterOf(id).recordKeyRequests("new", [of(today)]);
  const days = await runInDurableObject(meterOf(id), (_, { storage }) =>
    storage.sql
      .exec<{ day: number }>("SELECT day FROM key_requests")
      .toArray()
      .map(({ day }) => day),
  );
  expect(Math.min(...days)).toBe(today - 89);
  expect((await analytics(token, apiKeyId)).total.requests).toBe(30);
});

it("Key analytics are for Pro and Business and their own keys, revoked ones too", async () => {
  const pro = await openProAccount();
  const stranger = await openProAccount();
  const free = await openAccount();
  const status = async (keyId: string, token: string) =>
    (await call(`/keys/${keyId}/analytics`, { headers: bearer(token) })).status;
  expect(await status(pro.apiKeyId, stranger.token)).toBe(404);
  expect(await status("01arz3ndektsv4rrffq69g5fav", pro.token)).toBe(404);
  expect(await status("nonsense", pro.token)).toBe(404);
  const refused = await call(`/keys/${pro.apiKeyId}/analytics`, { headers: bearer(free.token) });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    error: "API access requires Pro or Business tier",
    code: "api_tier_required",
  });
  expect((await call(`/keys/${pro.apiKeyId}/analytics`, { headers: bearer(free.uploadKey) })).status).toBe(403);
  await call(`/keys/${pro.apiKeyId}`, { method: "DELETE", headers: bearer(pro.token) });
  expect(await status(pro.apiKeyId, pro.token)).toBe(200);
  await setTier(pro.email, "starter");
  expect(await status(pro.apiKeyId, pro.token)).toBe(403);
});

it("Key analytics write one row for many requests of a key and day, in one call", async () => {
  const { id, apiKey } = await openProAccount();
  const calls: string[] = [];
  const counted = <Space extends DurableObjectNamespace<never>>(name: string, space: Space): Space =>
    new Proxy(space, {
      get: (target, member) =>
        member !== "getByName"
          ? Reflect.get(target, member)
          : (objectName: string) =>
              new Proxy(target.getByName(objectName), {
                get: (stub, method) => {
                  const value: unknown = Reflect.get(stub, method);
                  if (typeof value === "function") calls.push(`${name}.${String(method)}`);
                  return value;
                },
              }),
    });
  const bindings: Env = {
    ...OBSERVED,
    METRICS_FLUSH_SECONDS: "1",
    ACCOUNT_METER: counted("account", env.ACCOUNT_METER as never),
    SERVICE_METER: counted("service", env.SERVICE_METER as never),
  };
  await Promise.all(Array.from({ length: 40 }, () => observe("/settings", { headers: bearer(apiKey) }, bindings)));
  const of = (call: string) => calls.filter((made) => made === call).length;
  expect(of("account.recordKeyRequests")).toBeLessThanOrEqual(2);
  const days = await runInDurableObject(meterOf(id), (_, { storage }) =>
    storage.sql.exec("SELECT day FROM key_requests").toArray(),
  );
  expect(days).toHaveLength(1);
  expect(of("service.addCounts")).toBeLessThanOrEqual(2);
});
