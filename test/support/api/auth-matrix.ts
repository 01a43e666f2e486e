import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import type { Access } from "../../../src/domain/principal.ts";
import { bearer, call, callJson, createApiKey, openAccount, openProAccount, setTier, type TestAccount } from "./api.ts";

/** One endpoint as the matrix calls it: with a request that would be answered 2xx or 404, were its caller allowed. */
export interface Endpoint {
  readonly method: string;
  /** As in the OpenAPI description, with `{id}` and the like. */
  readonly path: string;
  readonly access: Access | "open" | "signed" | "admin";
  readonly body?: unknown;
}

const ID = "01arz3ndektsv4rrffq69g5fav";

/** Every endpoint and who may use it. The test compares this list with the OpenAPI description. */
export const ENDPOINTS: readonly Endpoint[] = [
  { method: "GET", path: "/health", access: "open" },
  { method: "GET", path: "/health/live", access: "open" },
  { method: "GET", path: "/health/ready", access: "open" },
  { method: "GET", path: "/tools", access: "open" },
  { method: "GET", path: "/tools/{name}", access: "open" },
  { method: "GET", path: "/auth/registration", access: "open" },
  { method: "GET", path: "/metrics", access: "admin" },
  { method: "POST", path: "/auth/register", access: "open" },
  { method: "POST", path: "/auth/login", access: "open" },
  { method: "POST", path: "/auth/logout", access: "session" },
  { method: "GET", path: "/account", access: "api" },
  { method: "PATCH", path: "/account", access: "session", body: {} },
  { method: "DELETE", path: "/account", access: "session", body: { password: "not the password" } },
  { method: "GET", path: "/account/export", access: "session" },
  { method: "GET", path: "/erasures/{receipt}", access: "open" },
  { method: "GET", path: "/settings", access: "api" },
  { method: "PATCH", path: "/settings", access: "api", body: {} },
  { method: "POST", path: "/settings/compression-preview", access: "session" },
  { method: "GET", path: "/settings/webhook", access: "api" },
  { method: "PUT", path: "/settings/webhook", access: "api", body: { url: "http://localhost/hook" } },
  { method: "DELETE", path: "/settings/webhook", access: "api" },
  { method: "POST", path: "/settings/webhook/test", access: "api" },
  { method: "GET", path: "/alerts", access: "api" },
  { method: "GET", path: "/keys", access: "session" },
  { method: "POST", path: "/keys", access: "session", body: { name: "another" } },
  { method: "DELETE", path: "/keys/{id}", access: "session" },
  { method: "GET", path: "/keys/{id}/analytics", access: "api" },
  { method: "POST", path: "/keys/upload/regenerate", access: "session" },
  { method: "GET", path: "/admin/accounts/{email}", access: "admin" },
  { method: "GET", path: "/admin/reconcile", access: "admin" },
  { method: "POST", path: "/admin/reconcile", access: "admin", body: {} },
  { method: "POST", path: "/admin/accounts/{email}/reconcile", access: "admin", body: {} },
  { method: "GET", path: "/admin/erasures/{accountId}", access: "admin" },
  { method: "PUT", path: "/admin/accounts/{email}", access: "admin", body: { tier: "pro" } },
  { method: "POST", path: "/admin/thumbnails/retry", access: "admin", body: { email: "nobody@example.com" } },
  { method: "POST", path: "/admin/schema", access: "admin" },
  { method: "GET", path: "/admin/shards", access: "admin" },
  { method: "GET", path: "/admin/intents", access: "admin" },
  { method: "GET", path: "/admin/accounts/{email}/intents", access: "admin" },
  { method: "POST", path: "/admin/intents/retry", access: "admin", body: { accountId: ID, id: `delete:${ID}` } },
  { method: "GET", path: "/admin/dead-letters", access: "admin" },
  { method: "POST", path: "/admin/dead-letters/retry", access: "admin", body: { ids: ["unknown"] } },
  { method: "POST", path: "/admin/dead-letters/drop", access: "admin", body: { ids: ["unknown"] } },
  { method: "GET", path: "/admin/thumbnails/failed", access: "admin" },
  { method: "PUT", path: "/admin/shards/{shard}", access: "admin", body: { open: true } },
  { method: "POST", path: "/admin/accounts/{email}/move", access: "admin", body: { shard: "00" } },
  { method: "PUT", path: "/admin/invitations/{email}", access: "admin", body: { days: 7 } },
  { method: "GET", path: "/admin/invitations", access: "admin" },
  { method: "DELETE", path: "/admin/invitations/{email}", access: "admin" },
  { method: "POST", path: "/images/upload", access: "upload" },
  { method: "GET", path: "/images/upload", access: "upload" },
  { method: "GET", path: "/images/upload/{id}", access: "upload" },
  { method: "PATCH", path: "/images/upload/{id}", access: "upload" },
  { method: "DELETE", path: "/images/upload/{id}", access: "upload" },
  { method: "GET", path: "/images", access: "api" },
  { method: "GET", path: "/images/timeline", access: "api" },
  { method: "GET", path: "/tags", access: "api" },
  { method: "GET", path: "/images/{id}", access: "api" },
  { method: "PATCH", path: "/images/{id}", access: "api", body: { favorite: true } },
  { method: "DELETE", path: "/images/{id}", access: "api" },
  { method: "POST", path: "/images/bulk-trash", access: "api", body: { ids: [ID] } },
  { method: "POST", path: "/images/bulk-restore", access: "api", body: { ids: [ID] } },
  { method: "POST", path: "/images/bulk-update", access: "api", body: { ids: [ID], favorite: true } },
  { method: "GET", path: "/previews/{account}/{file}", access: "signed" },
  { method: "POST", path: "/images/bulk-delete", access: "session", body: { ids: [ID] } },
  { method: "GET", path: "/stats/overview", access: "api" },
  { method: "GET", path: "/stats/operations", access: "api" },
  { method: "GET", path: "/logs", access: "api-tier" },
  { method: "GET", path: "/folders", access: "folders:read" },
  { method: "POST", path: "/folders", access: "folders:write", body: { name: "Matrix" } },
  { method: "PATCH", path: "/folders/{id}", access: "folders:write", body: { name: "Matrix" } },
  { method: "DELETE", path: "/folders/{id}", access: "folders:write" },
];

/** What the OpenAPI description says of each kind of access: any one of these credentials. */
export const DESCRIBED_SECURITY: Record<Endpoint["access"], object[]> = {
  open: [],
  signed: [],
  admin: [{ adminToken: [] }],
  session: [{ session: [] }],
  upload: [{ uploadKey: [] }, { apiKey: [] }, { session: [] }],
  api: [{ apiKey: [] }, { session: [] }],
  "api-tier": [{ apiKey: [] }, { session: [] }],
  "folders:read": [{ apiKey: ["folders:read"] }, { session: [] }],
  "folders:write": [{ apiKey: ["folders:write"] }, { session: [] }],
};

export const PROTECTED = ENDPOINTS.filter(({ access }) => !["open", "signed", "admin"].includes(access));

/**
 * @param authorization the whole header; undefined sends none
 * @param address the client's: each has so many attempts at the operator's token
 */
export function request(endpoint: Endpoint, authorization: string | undefined, address?: string): Promise<Response> {
  const path = endpoint.path
    .replace("{id}", ID)
    .replace("{email}", "nobody@example.com")
    .replace("{shard}", "99")
    .replace("{accountId}", ID);
  return call(path, {
    method: endpoint.method,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(address === undefined ? {} : { "CF-Connecting-IP": address }),
      ...(endpoint.body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(endpoint.body === undefined ? {} : { body: JSON.stringify(endpoint.body) }),
  });
}

/** A caller's header, and what every endpoint must answer to it; undefined where it is let in. */
export interface Caller {
  readonly name: string;
  readonly authorization: string | undefined;
  expected(access: Endpoint["access"]): Refusal | undefined;
}

export interface Refusal {
  readonly statusCode: 401 | 403;
  readonly error: string;
  readonly details?: unknown;
}

const INVALID_KEY: Refusal = { statusCode: 401, error: "Invalid or missing API key" };
const UNAUTHORIZED: Refusal = { statusCode: 401, error: "Unauthorized" };
const API_TIER: Refusal = { statusCode: 403, error: "API access requires Pro or Business tier" };

/** All callers of the matrix. Each credential is really made, and really spoilt, through the API. */
export async function makeCallers(): Promise<Caller[]> {
  const free = await openAccount();
  // A Free account's rate is no more than one row of the matrix takes.
  const uploader = await openAccount();
  const pro = await openProAccount();
  const bare = await createApiKey(pro.token);
  const reader = await createApiKey(pro.token, ["folders:read"]);
  const everyone = (refusal: Refusal) => () => refusal;
  const withKey = (token: string) => `Bearer ${token}`;
  return [
    {
      name: "nobody",
      authorization: undefined,
      expected: everyone({ statusCode: 401, error: "Authorization header is required" }),
    },
    {
      name: "another scheme",
      authorization: `Basic ${btoa("a:b")}`,
      expected: everyone({ statusCode: 401, error: "Authorization must use Bearer scheme" }),
    },
    { name: "no token behind Bearer", authorization: "Bearer", expected: everyone(INVALID_KEY) },
    { name: "garbage", authorization: withKey("garbage"), expected: everyone(INVALID_KEY) },
    {
      name: "an unknown upload key",
      authorization: withKey(`service_upload_${"x".repeat(43)}`),
      expected: everyone(INVALID_KEY),
    },
    {
      name: "an unknown API key",
      authorization: withKey(`service_live_${"x".repeat(43)}`),
      expected: everyone(INVALID_KEY),
    },
    { name: "a revoked API key", authorization: withKey(await revokedKey(pro.token)), expected: everyone(INVALID_KEY) },
    {
      name: "a regenerated upload key's forerunner",
      authorization: withKey(await regeneratedKey()),
      expected: everyone(INVALID_KEY),
    },
    {
      name: "an API key of an account that is Free now",
      authorization: withKey(await keyOfAnotherTier()),
      expected: everyone(INVALID_KEY),
    },
    {
      name: "an expired session",
      authorization: withKey(await forgedToken(free, { secret: env.JWT_SECRET, expiresIn: -10 })),
      expected: everyone(UNAUTHORIZED),
    },
    {
      name: "a session signed by another",
      authorization: withKey(await forgedToken(free, { secret: "another secret", expiresIn: 60 })),
      expected: everyone(UNAUTHORIZED),
    },
    { name: "an unsigned session", authorization: withKey(unsignedToken(free)), expected: everyone(UNAUTHORIZED) },
    {
      name: "a session that logged out",
      authorization: withKey(await loggedOutToken()),
      expected: everyone(UNAUTHORIZED),
    },
    {
      name: "an upload key",
      authorization: withKey(uploader.uploadKey),
      expected: (access) => (access === "upload" ? undefined : API_TIER),
    },
    { name: "an API key without scopes", authorization: withKey(bare.key), expected: refuseScopes([]) },
    { name: "an API key with one scope", authorization: withKey(reader.key), expected: refuseScopes(["folders:read"]) },
    {
      name: "an API key with every scope",
      authorization: withKey(pro.apiKey),
      expected: refuseScopes(["folders:read", "folders:write"]),
    },
    {
      name: "a Free account's session",
      authorization: withKey(free.token),
      expected: (access) => (access === "api-tier" ? API_TIER : undefined),
    },
    { name: "a Pro account's session", authorization: withKey(pro.token), expected: () => undefined },
  ];
}

function refuseScopes(held: readonly string[]) {
  return (access: Endpoint["access"]): Refusal | undefined => {
    if (access === "session") return { statusCode: 403, error: "This endpoint needs a login session" };
    if (!access.startsWith("folders:") || held.includes(access)) return undefined;
    return { statusCode: 403, error: "The API key lacks a scope", details: { scope: access } };
  };
}

async function revokedKey(token: string): Promise<string> {
  const { key, _id } = await createApiKey(token);
  // Used before, so that the isolate knows its facts.
  await call("/images", { headers: bearer(key) });
  await call(`/keys/${_id}`, { method: "DELETE", headers: bearer(token) });
  return key;
}

async function regeneratedKey(): Promise<string> {
  const { uploadKey, token } = await openAccount();
  await call("/images/upload", { method: "POST", headers: bearer(uploadKey) });
  await callJson("POST", "/keys/upload/regenerate", token, {});
  return uploadKey;
}

async function keyOfAnotherTier(): Promise<string> {
  const { apiKey, email } = await openProAccount();
  await call("/images", { headers: bearer(apiKey) });
  await setTier(email, "free");
  return apiKey;
}

async function loggedOutToken(): Promise<string> {
  const { token } = await openAccount();
  await call("/auth/logout", { method: "POST", headers: bearer(token) });
  return token;
}

function sessionIdOf(token: string): string {
  return JSON.parse(atob(token.split(".")[1] ?? "")).sid;
}

async function forgedToken(account: TestAccount, { secret, expiresIn }: { secret: string; expiresIn: number }) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sid: sessionIdOf(account.token) })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(account.id)
    .setIssuedAt(now - 60)
    .setExpirationTime(now + expiresIn)
    .sign(new TextEncoder().encode(secret));
}

function unsignedToken(account: TestAccount): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 60;
  return `${part({ alg: "none" })}.${part({ sub: account.id, sid: sessionIdOf(account.token), iat: 1, exp })}.`;
}
