import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { bearer, openProAccount } from "../../support/api/api.ts";
import { failingStore } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";
import { captureOutput } from "../../support/operator/capture-output.ts";
import { OBSERVED, observe } from "../../support/operator/observed.ts";

let output: string[];

beforeEach(() => {
  output = captureOutput();
});

afterEach(() => vi.restoreAllMocks());

it("Logs contain no secret, address, name or query, for any request and any failure", async () => {
  const { token, apiKey, email, password } = await openProAccount();
  const secrets = {
    token,
    apiKey,
    email,
    password,
    admin: env.ADMIN_TOKEN,
    jwt: env.JWT_SECRET,
    preview: env.PREVIEW_SECRET,
    newPassword: `new-${crypto.randomUUID()}`,
    wrongPassword: `wrong-${crypto.randomUUID()}`,
    madeUpKey: `service_live_${"k".repeat(43)}`,
    fileName: `holiday-${crypto.randomUUID()}`,
    search: `search-${crypto.randomUUID()}`,
    folder: `folder-${crypto.randomUUID()}`,
    cookie: `cookie-${crypto.randomUUID()}`,
    newEmail: `new-${crypto.randomUUID()}@example.com`,
    webhook: `whsec_${crypto.randomUUID()}`,
  };
  const json = { "Content-Type": "application/json" };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}, method = "POST") =>
    [path, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) }] as const;
  const requests = (): (readonly [string, RequestInit])[] => [
    post("/auth/login", { email, password }),
    post("/auth/login", { email, password: secrets.wrongPassword }),
    post("/auth/register", { email: secrets.newEmail, password: secrets.newPassword }),
    post("/account", { password: secrets.newPassword, currentPassword: secrets.wrongPassword }, bearer(token), "PATCH"),
    post("/keys", { name: secrets.folder, scopes: [] }, bearer(token)),
    post("/folders", { name: secrets.folder }, bearer(apiKey)),
    post("/folders", { name: secrets.folder, [secrets.webhook]: secrets.webhook }, bearer(apiKey)),
    post(`/admin/accounts/${email}`, { tier: "business" }, bearer(secrets.admin), "PUT"),
    post("/settings", secrets.webhook, bearer(apiKey), "PATCH"),
    ["/folders", { method: "POST", headers: { ...json, ...bearer(apiKey) }, body: `{"${secrets.webhook}` }],
    [`/images?q=${secrets.search}`, { headers: bearer(apiKey) }],
    [`/images/${secrets.search}?token=${token}`, { headers: bearer(secrets.madeUpKey) }],
    ["/account", { headers: { Cookie: `__Host-session=${token}; other=${secrets.cookie}` } }],
    [`/${secrets.webhook}/${email}`, { headers: { "User-Agent": secrets.cookie, Referer: secrets.search } }],
    [`/images/upload?filename=${secrets.fileName}.png`, { method: "POST", headers: bearer(apiKey), body: png() }],
    [`/images/upload?filename=${secrets.fileName}.png`, { method: "POST", headers: bearer(apiKey), body: "no image" }],
  ];
  const outages: Partial<Env>[] = [
    {},
    { DB: failingStore<D1Database>() },
    { LIBRARY_00: failingStore<D1Database>(), LIBRARY_01: failingStore<D1Database>() },
    { FILES: failingStore<R2Bucket>(), UPLOADS: failingStore<Queue>() },
  ];
  let statuses = 0;
  for (const outage of outages) {
    for (const [path, init] of requests()) {
      const { status } = await observe(path, init, { ...OBSERVED, ...outage });
      if (status >= 500) statuses += 1;
    }
  }
  expect(statuses).toBeGreaterThan(5);
  expect(output.filter((line) => line.startsWith('{"event":"request"'))).toHaveLength(
    outages.length * requests().length,
  );
  const said = output.join("\n");
  for (const [name, secret] of Object.entries(secrets)) expect(said.includes(secret), name).toBe(false);
}, 120_000);
