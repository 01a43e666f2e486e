import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { USAGE_HEADERS } from "../../src/api/middleware/usage-headers.ts";
import { call, newAddress, openProAccount } from "../support/api/api.ts";
import {
  type Caller,
  DESCRIBED_SECURITY,
  ENDPOINTS,
  makeCallers,
  PROTECTED,
  request,
} from "../support/api/auth-matrix.ts";
import { endReconciliation } from "../support/reconcile/reconcile.ts";

const CALLERS = [
  "nobody",
  "another scheme",
  "no token behind Bearer",
  "garbage",
  "an unknown upload key",
  "an unknown API key",
  "a revoked API key",
  "a regenerated upload key's forerunner",
  "an API key of an account that is Free now",
  "an expired session",
  "a session signed by another",
  "an unsigned session",
  "a session that logged out",
  "an upload key",
  "an API key without scopes",
  "an API key with one scope",
  "an API key with every scope",
  "a Free account's session",
  "a Pro account's session",
];

let callers: Map<string, Caller>;

beforeAll(async () => {
  callers = new Map((await makeCallers()).map((caller) => [caller.name, caller]));
}, 60_000);
afterAll(endReconciliation);

interface Operation {
  readonly operationId?: string;
  readonly security?: object[];
  readonly responses: Record<string, object>;
}

async function describedOperations(): Promise<Map<string, Operation>> {
  const { paths } = await (await call("/openapi.json")).json<{ paths: Record<string, Record<string, Operation>> }>();
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
}

it("covers every endpoint that the API describes", async () => {
  const described = await describedOperations();
  expect(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...described.keys()].sort());
});

it("is what the API describes of every endpoint: its security, and the errors that follow", async () => {
  const described = await describedOperations();
  for (const { method, path, access } of ENDPOINTS) {
    const { security, responses } = described.get(`${method} ${path}`) ?? { responses: {} };
    expect(security, `${method} ${path}`).toEqual(DESCRIBED_SECURITY[access]);
    expect("401" in responses || path === "/auth/login", `${method} ${path}`).toBe(
      (access !== "open" && access !== "signed") || path === "/auth/login",
    );
    expect("403" in responses || path === "/auth/register", `${method} ${path}`).toBe(
      (access !== "open" && access !== "admin") || path === "/auth/register",
    );
    for (const status of ["429", "503"]) expect(responses).toHaveProperty(status);
  }
});

it("names every operation once, by a verb and a noun", async () => {
  const names = [...(await describedOperations()).values()].map(({ operationId }) => operationId ?? "");
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
});

it("covers every caller", () => {
  expect([...callers.keys()]).toEqual(CALLERS);
});

/** What these do to a caller that is let in would spoil the rows behind; other tests show that they let sessions in. */
const SPOILING = ["/auth/logout", "/keys/upload/regenerate"];

/** For Pro and Business only. */
const PAID = ["/keys", "/keys/{id}/analytics", "/alerts", "/settings/webhook", "/settings/webhook/test"];

describe.each(PROTECTED)("$method $path", (endpoint) => {
  const names = CALLERS.filter((name) => !SPOILING.includes(endpoint.path) || !name.endsWith("account's session"));

  it.each(names)("answers %s as documented", async (name) => {
    const caller = callers.get(name) as Caller;
    const refusal = caller.expected(endpoint.access);
    const response = await request(endpoint, caller.authorization);
    for (const header of USAGE_HEADERS) expect(response.headers.get(header)).toMatch(/^\d+(\.\d)?$/);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const text = await response.text();
    if (refusal !== undefined) {
      expect(response.status).toBe(refusal.statusCode);
      expect(JSON.parse(text)).toEqual(refusal);
      if (refusal.statusCode === 401) expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      return;
    }
    // Let in: what it answers now is about the request, not about the caller. 403 is a wrong password at DELETE /account,
    // and what Free has not at POST /keys, the alerts and the webhook.
    expect(response.status).not.toBe(401);
    const isPaid = name.startsWith("a Free") && PAID.includes(endpoint.path);
    if (endpoint.path !== "/account" && !isPaid) expect(response.status).not.toBe(403);
    expect(response.status).toBeLessThan(500);
  });
});

describe.each(ENDPOINTS.filter(({ access }) => access === "admin"))("$method $path", (endpoint) => {
  const address = newAddress();
  const ask = (authorization?: string) => request(endpoint, authorization, address);

  it("lets only the operator's token in", async () => {
    const { apiKey, token } = await openProAccount();
    expect((await ask()).status).toBe(401);
    for (const wrong of [apiKey, token, "x", `${env.ADMIN_TOKEN}x`, env.ADMIN_TOKEN.slice(1)]) {
      const response = await ask(`Bearer ${wrong}`);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: "Invalid or missing API key", statusCode: 401 });
    }
    expect((await ask(`Basic ${env.ADMIN_TOKEN}`)).status).toBe(401);
    // Nobody is known by the address that is asked for, and there is no such shard.
    const isOfOne = /accounts|erasures|thumbnails\/retry|\{shard\}/.test(endpoint.path);
    expect((await ask(`Bearer ${env.ADMIN_TOKEN}`)).status).toBe(isOfOne ? 404 : 200);
  });
});
