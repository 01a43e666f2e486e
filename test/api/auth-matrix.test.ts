import { env } from "cloudflare:workers";
import { createRoute } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { USAGE_HEADERS } from "../../src/api/middleware/every-request.ts";
import { createRouter } from "../../src/api/router.ts";
import { createApp } from "../../src/app.ts";
import { SCOPES } from "../../src/domain/principal.ts";
import { newAddress, openProAccount } from "../support/api/api.ts";
import { expectDescribed, readDescription } from "../support/api/api-description.ts";
import {
  type Caller,
  DESCRIBED_SECURITY,
  ENDPOINTS,
  type Endpoint,
  makeCallers,
  PROTECTED,
  request,
} from "../support/api/auth-matrix.ts";
import { endReconciliation } from "../support/reconcile/reconcile.ts";

const CALLERS = [
  "nobody",
  "another scheme",
  "no token after Bearer",
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
  "an upload token",
  "a revoked upload token",
  "an upload token that nobody signed",
  "an API key without scopes",
  "an API key with both folder scopes",
  "an API key with every scope",
  ...SCOPES.map((scope) => `an API key with the scope ${scope}`),
  ...SCOPES.map((scope) => `a confined API key with the scope ${scope}`),
  "a confined API key without scopes",
  "an expired API key",
  "a Free account's session",
  "a Pro account's session",
  "a Pro account's session without a recent proof",
];

let callers: Map<string, Caller>;

beforeAll(async () => {
  callers = new Map((await makeCallers()).map((caller) => [caller.name, caller]));
}, 60_000);
afterAll(endReconciliation);

/** Routes outside the API's description: files of the deployment, the description itself, and the local stack's mail. */
const PAGES = [
  "GET /.well-known/change-password",
  "GET /.well-known/security.txt",
  "GET /dashboard",
  "GET /dashboard/",
  "GET /dashboard/*",
  "GET /dashboard/app/*",
  "GET /dev/mail",
  "GET /docs/*",
  "GET /favicon.svg",
  "GET /llms-full.txt",
  "GET /llms.txt",
  "GET /media-upload.js",
  "GET /openapi.json",
  "GET /report",
  "GET /s/:token",
  "GET /s/:token/oembed",
  "GET /share-page/*",
  "POST /dashboard/app/share",
  "POST /s/:token",
  "POST /s/:token/files",
];

it("The matrix covers every endpoint that the API describes", async () => {
  const { operations: described } = await readDescription();
  expect(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...described.keys()].sort());
});

/** Endpoints that are open or the operator's, and refuse some requests. */
const REFUSING = [
  "/admin/accounts/{email}/send-reset",
  "/reports",
  "/auth/password/forgot",
  "/auth/register",
  "/auth/passkey",
];

it("The matrix matches every endpoint's described security and the errors that follow", async () => {
  const { operations: described } = await readDescription();
  for (const { method, path, access, isProven, tokens } of ENDPOINTS) {
    const operation = described.get(`${method} ${path}`);
    const { responses = {} } = operation ?? {};
    expect(operation?.["x-recent-proof"], `${method} ${path}`).toBe(isProven);
    const [credentials, scope] = DESCRIBED_SECURITY[access];
    expect(operation?.security, `${method} ${path}`).toEqual([
      ...credentials,
      ...(tokens ? [{ uploadToken: [] }] : []),
    ]);
    if (scope !== undefined) expect(operation?.description).toContain(`API keys with the scope \`${scope}\``);
    expect("401" in responses || path === "/auth/login", `${method} ${path}`).toBe(
      (access !== "open" && access !== "signed") || path === "/auth/login",
    );
    expect("403" in responses || REFUSING.includes(path), `${method} ${path}`).toBe(
      (access !== "open" && access !== "admin") || REFUSING.includes(path),
    );
    for (const status of ["429", "503"]) expect(responses).toHaveProperty(status);
  }
});

it("Every route that a request can reach states its callers", () => {
  const { routes, openAPIRegistry } = createApp();
  const described = openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== "route") return [];
    expect(definition.route).toHaveProperty("x-access");
    const { method, path } = definition.route;
    return `${method.toUpperCase()} ${path.replace(/\{([A-Za-z]+)\}/g, ":$1")}`;
  });
  const reached = routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  const undescribed = new Set(reached.filter((route) => !described.includes(route)));
  expect([...undescribed].sort()).toEqual([...PAGES].sort());
  const everyMethod = routes.filter(({ method, path }) => method === "ALL" && path !== "/*").map(({ path }) => path);
  expect([...new Set(everyMethod)].filter((path) => !described.some((route) => route.endsWith(` ${path}`)))).toEqual([
    "/uploads/*",
    "/",
    "/openapi.json",
  ]);
});

it("A router refuses an endpoint that states no callers", () => {
  const route = createRoute({ method: "get", path: "/forgotten", responses: { 204: { description: "Nothing" } } });
  expect(() => createRouter().openapi(route, (c) => c.body(null, 204))).toThrow("states no access");
});

it("The API names every operation once, by a verb and a noun", async () => {
  const names = [...(await readDescription()).operations.values()].map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
});

it("The matrix covers every caller", () => {
  expect([...callers.keys()]).toEqual(CALLERS);
});

/** A successful call of these endpoints would spoil the following rows. Other tests show that these endpoints accept sessions. */
const SPOILING = ["/auth/logout", "/keys/upload/regenerate"];

/** Their bodies in the matrix have a wrong password or code. */
const WITH_PASSWORD = ["/account", "/auth/reauthenticate", "/account/totp/confirm"];

/** The tests' service sends no mail. */
const MAILING = ["/auth/verify/resend"];

const PAID = ["/keys", "/keys/{id}/analytics", "/alerts", "/settings/webhook", "/settings/webhook/test"];

describe.each(PROTECTED)("$method $path", (endpoint) => {
  const names = CALLERS.filter((name) => !SPOILING.includes(endpoint.path) || !name.includes("account's session"));

  it.each(names)("A request by %s is answered as documented", async (name) => {
    const caller = callers.get(name) as Caller;
    const refusal = caller.expected(endpoint);
    const response = await request(endpoint, caller.authorization, newAddress());
    for (const header of USAGE_HEADERS) expect(response.headers.get(header)).toMatch(/^\d+(\.\d)?$/);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(endpoint.path.startsWith("/auth/") ? null : "*");
    const text = await response.text();
    await expectDescribed(`${endpoint.method} ${endpoint.path}`, response, text);
    if (refusal !== undefined) {
      expect(response.status).toBe(refusal.statusCode);
      if (endpoint.method !== "HEAD") expect(JSON.parse(text)).toEqual(refusal);
      if (refusal.statusCode === 401) expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      return;
    }
    // The request was accepted: its answer is about the request, not about the caller. A 403 here is a wrong password, or a right that Free
    // lacks at POST /keys, the alerts and the webhook.
    expect(response.status).not.toBe(401);
    const isPaid = name.startsWith("a Free") && PAID.includes(endpoint.path);
    if (![...WITH_PASSWORD, ...MAILING].includes(endpoint.path) && !isPaid) expect(response.status).not.toBe(403);
    expect(response.status).toBeLessThan(500);
  });
});

const isOfOperator = ({ access }: Endpoint) => access === "admin" || access === "operator";

const OPERATOR_REQUIRED = {
  error: "This endpoint requires the operator's mark on the account",
  code: "operator_required",
  statusCode: 403,
};

describe.each(ENDPOINTS.filter(isOfOperator))("$method $path", (endpoint) => {
  const address = newAddress();
  const ask = (authorization?: string) => request(endpoint, authorization, address);

  it("An endpoint of the operator accepts the operator's token, and no key and no session without the mark", async () => {
    const { apiKey, token } = await openProAccount();
    expect((await ask()).status).toBe(401);
    const withoutMark = await ask(`Bearer ${token}`);
    expect(withoutMark.status).toBe(endpoint.access === "operator" ? 403 : 401);
    if (endpoint.access === "operator") expect(await withoutMark.json()).toEqual(OPERATOR_REQUIRED);
    for (const wrong of [apiKey, "x", `${env.ADMIN_TOKEN}x`, env.ADMIN_TOKEN.slice(1)]) {
      const response = await ask(`Bearer ${wrong}`);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: "Invalid or missing API key",
        code: "invalid_key",
        statusCode: 401,
      });
    }
    expect((await ask(`Basic ${env.ADMIN_TOKEN}`)).status).toBe(401);
    const accepted = (await ask(`Bearer ${env.ADMIN_TOKEN}`)).status;
    if (/^\/admin\/(backup|restore)/.test(endpoint.path)) {
      // These requests lack their subject, because the installation has accounts.
      expect([200, 400, 404, 409]).toContain(accepted);
      return;
    }
    // The requested email belongs to no account; the shard, the file and the takedown do not exist.
    const isTakedown = /takedowns|reports/.test(endpoint.path) && endpoint.method !== "GET";
    const isOfOne =
      isTakedown || /reports\/|accounts\/|erasures|thumbnails\/retry|placeholders|\{shard\}/.test(endpoint.path);
    expect(accepted).toBe(isOfOne ? 404 : 200);
  });
});
