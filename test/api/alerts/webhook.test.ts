import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { putWebhook } from "../../support/alerts/alerts.ts";
import { Internet } from "../../support/alerts/internet.ts";
import { meterOf, readMeter } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, setTier } from "../../support/api/api.ts";

const URL_ = "https://hooks.example.com/";
const TIER = { error: "API access requires Pro or Business tier", code: "api_tier_required", statusCode: 403 };

let internet: Internet;

beforeEach(() => {
  internet = new Internet();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const test = (token: string) => call("/settings/webhook/test", { method: "POST", headers: bearer(token) });
const show = async (token: string) => (await call("/settings/webhook", { headers: bearer(token) })).json();

describe("Webhook settings", () => {
  it("A webhook is set, shown without its secret, and deleted", async () => {
    const { token, apiKey } = await openProAccount();
    const none = { url: null, createdAt: null, disabledAt: null, lastDelivery: null };
    expect(await show(token)).toEqual(none);
    const set = await putWebhook({ token: apiKey }, "https://hooks.example.com:8443/a b#part");
    expect([set.status, await set.json()]).toEqual([
      200,
      {
        url: "https://hooks.example.com:8443/a%20b",
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await show(apiKey)).toEqual({
      ...none,
      url: "https://hooks.example.com:8443/a%20b",
      createdAt: expect.any(String),
    });
    for (let i = 0; i < 2; i++) {
      expect((await call("/settings/webhook", { method: "DELETE", headers: bearer(token) })).status).toBe(200);
    }
    expect(await show(token)).toEqual(none);
    expect((await test(token)).status).toBe(404);
  });

  it("A webhook has another secret each time, which is never stored", async () => {
    const { token, id } = await openProAccount();
    const secrets: string[] = [];
    for (let i = 0; i < 3; i++)
      secrets.push((await (await putWebhook({ token }, URL_)).json<{ secret: string }>()).secret);
    expect(new Set(secrets).size).toBe(3);
    const stored = await runInDurableObject(meterOf(id), (_meter, { storage }) =>
      JSON.stringify(storage.sql.exec("SELECT * FROM webhooks").toArray()),
    );
    for (const secret of secrets) expect(stored).not.toContain(secret.slice(6));
  });

  it.each([
    ["http://hooks.example.com/", "Must be https"],
    ["ftp://hooks.example.com/", "Must be https"],
    ["javascript:alert(1)", "Must be https"],
    ["hooks.example.com", "Must be an absolute URL"],
    ["https://", "Must be an absolute URL"],
    ["https://user:secret@hooks.example.com/", "Must not contain credentials"],
    ["https://hooks.example.com:22/", "The port is not allowed"],
    ["https://127.0.0.1/", "The host must be a name, not an address"],
    ["https://2130706433/", "The host must be a name, not an address"],
    ["https://0x7f.1/", "The host must be a name, not an address"],
    ["https://0177.0.0.1/", "The host must be a name, not an address"],
    ["https://127.1./", "The host must be a name, not an address"],
    ["https://[::1]/", "The host must be a name, not an address"],
    ["https://[::ffff:7f00:1]/", "The host must be a name, not an address"],
    ["https://[64:ff9b::7f00:1]/", "The host must be a name, not an address"],
    ["https://①②⑦.0.0.1/", "The host must be a name, not an address"],
    ["https://93.184.215.14/", "The host must be a name, not an address"],
    ["https://localhost/", "The host is not a public name"],
    ["https://LOCALHOST./", "The host is not a public name"],
    ["https://api.localhost/", "The host is not a public name"],
    ["https://printer.local/", "The host is not a public name"],
    ["https://metadata.google.internal/", "The host is not a public name"],
    ["https://intranet/", "The host is not a public name"],
    ["https://media.example/", "The host is this service itself"],
    ["https://media.example./hook", "The host is this service itself"],
    ["https://unknown.example.com/", "The host must have public addresses only"],
    ["https://private.example.com/", "The host must have public addresses only"],
    ["https://half.example.com/", "The host must have public addresses only"],
    ["https://half6.example.com/", "The host must have public addresses only"],
  ])("A webhook cannot be %s: %s", async (url, reason) => {
    internet.name("private.example.com", ["192.168.1.1"]);
    internet.name("half.example.com", ["93.184.215.14", "10.1.2.3"]);
    internet.name("half6.example.com", ["93.184.215.14", "fd12:3456::1"]);
    const { token } = await openAccount("pro");
    const response = await putWebhook({ token }, url);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "Invalid request", code: "invalid_request", statusCode: 400, details: { url: reason } },
    ]);
    expect(internet.received).toEqual([]);
    expect(await show(token)).toMatchObject({ url: null });
  });

  it.each([
    {},
    { url: "" },
    { url: 1 },
    { url: `https://hooks.example.com/${"a".repeat(2048)}` },
    { url: URL_, secret: "x" },
  ])("A webhook body %.80j is 400", async (body) => {
    const { token } = await openAccount("pro");
    expect((await callJson("PUT", "/settings/webhook", token, body)).status).toBe(400);
  });

  it("A webhook is 503 if its host cannot be resolved", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { token } = await openAccount("pro");
    for (const answer of [{ Status: 2 }, { Status: 0, Answer: "x" }, null]) {
      internet.resolverAnswer = () => Response.json(answer);
      const response = await putWebhook({ token }, URL_);
      expect([response.status, await response.json()]).toMatchObject([503, { details: { retryAfter: 5 } }]);
    }
  });

  it("A webhook is for Pro and Business: endpoints are 403 on other tiers, its settings are kept", async () => {
    const { token, email } = await openAccount("pro");
    await putWebhook({ token }, URL_);
    await setTier(email, "starter");
    const responses = [
      await putWebhook({ token }, URL_),
      await call("/settings/webhook", { headers: bearer(token) }),
      await call("/settings/webhook", { method: "DELETE", headers: bearer(token) }),
      await test(token),
    ];
    for (const response of responses) expect([response.status, await response.json()]).toEqual([403, TIER]);
    expect(internet.received).toEqual([]);
    await setTier(email, "pro");
    expect(await show(token)).toMatchObject({ url: URL_ });
  });
});

describe("POST /settings/webhook/test", () => {
  it("`POST /settings/webhook/test` sends a signed test, reports the answer and counts no operation", async () => {
    const { token, id } = await openAccount("pro");
    const { secret } = await (await putWebhook({ token }, URL_)).json<{ secret: string }>();
    const response = await test(token);
    expect([response.status, await response.json()]).toEqual([
      200,
      { delivered: true, status: 204, error: null, durationMs: expect.any(Number), answer: "" },
    ]);
    expect(internet.verifyLast(secret)).toEqual({ type: "webhook.test", timestamp: expect.any(String), data: {} });
    expect((await readMeter(id)).usedTenths).toBe(0);
    internet.answer = () => new Response("no", { status: 404 });
    expect(await (await test(token)).json()).toMatchObject({ delivered: false, status: 404, error: "status" });
    internet.name("hooks.example.com", ["127.0.0.1"]);
    expect(await (await test(token)).json()).toMatchObject({ delivered: false, status: null, error: "address" });
  });

  it("`POST /settings/webhook/test` is limited to ten an hour", async () => {
    const { token } = await openAccount("pro");
    await putWebhook({ token }, URL_);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await test(token)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect(internet.received.length).toBe(10);
  });
});
