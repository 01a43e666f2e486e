import { env } from "cloudflare:workers";
import { SignJWT } from "jose";
import type { ErrorCode } from "../../../src/domain/errors.ts";
import { type Access, SCOPES, type Scope } from "../../../src/domain/principal.ts";
import { createToken } from "../uploads/upload-tokens.ts";
import { ageProofs } from "./account-state.ts";
import { bearer, call, callJson, createApiKey, openAccount, openProAccount, setTier, type TestAccount } from "./api.ts";

/** An endpoint of the matrix. A request of an allowed caller is answered 2xx or 404. */
export interface Endpoint {
  readonly method: string;
  /** The form of the OpenAPI description, with `{id}` and the like. */
  readonly path: string;
  readonly access: Access | "open" | "signed" | "operator" | "admin";
  readonly body?: unknown;
  /** Sessions need a proof of the last 15 minutes (SIGN-1). */
  readonly isProven?: true;
  /** Whether the endpoint keeps to the folder of a confined key. Other endpoints refuse such keys. */
  readonly confinable?: true;
  /** Whether the endpoint accepts upload tokens. */
  readonly tokens?: true;
}

const ID = "01arz3ndektsv4rrffq69g5fav";

/** Every endpoint with its allowed callers. The test compares this list with the OpenAPI description. */
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
  { method: "POST", path: "/auth/verify", access: "open" },
  { method: "POST", path: "/auth/verify/resend", access: "session" },
  { method: "POST", path: "/auth/password/forgot", access: "open" },
  { method: "POST", path: "/auth/password/reset", access: "open" },
  { method: "POST", path: "/auth/email/confirm", access: "open" },
  { method: "POST", path: "/account/email", access: "session", isProven: true, body: {} },
  { method: "POST", path: "/auth/reauthenticate", access: "session", body: { password: "not the password" } },
  { method: "GET", path: "/sessions", access: "session" },
  { method: "POST", path: "/auth/passkey/options", access: "open" },
  { method: "POST", path: "/auth/passkey", access: "open" },
  { method: "GET", path: "/passkeys", access: "session" },
  { method: "POST", path: "/passkeys/options", access: "session", isProven: true },
  { method: "POST", path: "/passkeys", access: "session", isProven: true, body: { name: "Not a passkey" } },
  { method: "DELETE", path: "/passkeys/{id}", access: "session", isProven: true },
  { method: "GET", path: "/account/totp", access: "session" },
  { method: "POST", path: "/account/totp", access: "session", isProven: true },
  { method: "POST", path: "/account/totp/confirm", access: "session", isProven: true, body: { code: "too short" } },
  { method: "POST", path: "/account/totp/recovery-codes", access: "session", isProven: true },
  { method: "DELETE", path: "/account/totp", access: "session", isProven: true },
  { method: "DELETE", path: "/sessions/{id}", access: "session" },
  { method: "GET", path: "/account", access: "account" },
  { method: "PATCH", path: "/account", access: "session", body: {} },
  { method: "DELETE", path: "/account", access: "session", body: { password: "not the password" } },
  { method: "GET", path: "/account/export", access: "session" },
  { method: "GET", path: "/erasures/{receipt}", access: "open" },
  { method: "GET", path: "/settings", access: "settings" },
  { method: "PATCH", path: "/settings", access: "settings", body: {} },
  { method: "POST", path: "/settings/compression-preview", access: "session" },
  { method: "GET", path: "/settings/webhook", access: "settings" },
  {
    method: "PUT",
    path: "/settings/webhook",
    access: "settings",
    isProven: true,
    body: { url: "http://localhost/hook" },
  },
  { method: "DELETE", path: "/settings/webhook", access: "settings", isProven: true },
  { method: "POST", path: "/settings/webhook/test", access: "settings" },
  { method: "GET", path: "/settings/webhooks", access: "settings" },
  { method: "GET", path: "/settings/webhooks/{name}", access: "settings" },
  {
    method: "PUT",
    path: "/settings/webhooks/{name}",
    access: "settings",
    isProven: true,
    body: { url: "http://localhost/hook", events: ["upload.completed"] },
  },
  { method: "DELETE", path: "/settings/webhooks/{name}", access: "settings", isProven: true },
  { method: "POST", path: "/settings/webhooks/{name}/test", access: "settings" },
  { method: "GET", path: "/settings/webhooks/{name}/deliveries", access: "settings" },
  { method: "POST", path: "/settings/webhooks/{name}/deliveries/{id}/redeliver", access: "settings" },
  { method: "GET", path: "/events", access: "images:read" },
  { method: "GET", path: "/searches", access: "session" },
  { method: "POST", path: "/searches", access: "session", body: { name: "Matrix", address: "/library?q=matrix" } },
  { method: "PATCH", path: "/searches/{id}", access: "session", body: { name: "Matrix" } },
  { method: "DELETE", path: "/searches/{id}", access: "session" },
  { method: "GET", path: "/settings/presets", access: "settings" },
  { method: "GET", path: "/settings/presets/{name}", access: "settings" },
  { method: "PUT", path: "/settings/presets/{name}", access: "settings", body: { parameters: "w=300" } },
  { method: "DELETE", path: "/settings/presets/{name}", access: "settings" },
  { method: "GET", path: "/alerts", access: "account" },
  { method: "GET", path: "/keys", access: "session" },
  { method: "POST", path: "/keys", access: "session", isProven: true, body: { name: "another" } },
  { method: "DELETE", path: "/keys/{id}", access: "session", isProven: true },
  { method: "GET", path: "/signing-keys", access: "session" },
  { method: "POST", path: "/signing-keys", access: "session", isProven: true, body: { name: "The site" } },
  { method: "DELETE", path: "/signing-keys/{id}", access: "session", isProven: true },
  { method: "POST", path: "/images/{id}/sign", confinable: true, access: "images:read", body: {} },
  { method: "GET", path: "/keys/{id}/analytics", access: "account" },
  { method: "POST", path: "/upload-tokens", confinable: true, access: "upload", body: {} },
  { method: "GET", path: "/upload-tokens", confinable: true, access: "upload" },
  { method: "DELETE", path: "/upload-tokens/{id}", confinable: true, access: "upload" },
  {
    method: "POST",
    path: "/images/import",
    confinable: true,
    access: "upload",
    body: { items: [{ url: "https://files.example.com/a.png" }] },
  },
  { method: "GET", path: "/imports", confinable: true, access: "upload" },
  { method: "GET", path: "/imports/{id}", confinable: true, access: "upload" },
  { method: "DELETE", path: "/imports/{id}", confinable: true, access: "upload" },
  { method: "POST", path: "/shares", access: "images:write", body: { folderId: "root" } },
  { method: "GET", path: "/shares", access: "images:read" },
  { method: "GET", path: "/shares/{id}", access: "images:read" },
  { method: "PATCH", path: "/shares/{id}", access: "images:write", body: { title: "Summer" } },
  { method: "DELETE", path: "/shares/{id}", access: "images:write" },
  { method: "POST", path: "/keys/upload/regenerate", access: "session", isProven: true },
  { method: "GET", path: "/admin/accounts/{email}", access: "operator" },
  { method: "GET", path: "/admin/reconcile", access: "admin" },
  { method: "POST", path: "/admin/reconcile", access: "admin", body: {} },
  { method: "POST", path: "/admin/accounts/{email}/reconcile", access: "admin", body: {} },
  { method: "GET", path: "/admin/erasures/{accountId}", access: "operator" },
  { method: "PUT", path: "/admin/accounts/{email}", access: "operator", body: { tier: "pro" } },
  { method: "POST", path: "/admin/thumbnails/retry", access: "admin", body: { email: "nobody@example.com" } },
  { method: "POST", path: "/admin/placeholders", access: "admin", body: { email: "nobody@example.com" } },
  { method: "POST", path: "/admin/schema", access: "admin" },
  { method: "GET", path: "/admin/shards", access: "operator" },
  { method: "GET", path: "/admin/intents", access: "operator" },
  { method: "GET", path: "/admin/accounts/{email}/intents", access: "operator" },
  { method: "POST", path: "/admin/intents/retry", access: "operator", body: { accountId: ID, id: `delete:${ID}` } },
  { method: "GET", path: "/admin/dead-letters", access: "operator" },
  { method: "POST", path: "/admin/dead-letters/retry", access: "operator", body: { ids: ["unknown"] } },
  { method: "POST", path: "/admin/dead-letters/drop", access: "operator", body: { ids: ["unknown"] } },
  { method: "GET", path: "/admin/thumbnails/failed", access: "admin" },
  { method: "GET", path: "/admin/backup", access: "admin" },
  { method: "GET", path: "/admin/backup/rows", access: "admin" },
  { method: "GET", path: "/admin/backup/accounts/{accountId}", access: "admin" },
  { method: "GET", path: "/admin/backup/files", access: "admin" },
  { method: "GET", path: "/admin/backup/file", access: "admin" },
  { method: "POST", path: "/admin/restore", access: "admin", body: { backup: "matrix" } },
  { method: "DELETE", path: "/admin/restore", access: "admin" },
  {
    method: "POST",
    path: "/admin/restore/rows",
    access: "admin",
    body: { database: "directory", table: "none", columns: ["id"], rows: [], withoutParents: false },
  },
  {
    method: "POST",
    path: "/admin/restore/accounts/{accountId}",
    access: "admin",
    body: { pages: [], isFirst: false, isLast: false },
  },
  { method: "PUT", path: "/admin/restore/file", access: "admin" },
  { method: "POST", path: "/admin/restore/parts", access: "admin" },
  { method: "PUT", path: "/admin/restore/parts", access: "admin" },
  {
    method: "POST",
    path: "/admin/restore/parts/end",
    access: "admin",
    body: { key: "uploads/a", uploadId: "none", parts: [{ partNumber: 1, etag: "none" }] },
  },
  { method: "PUT", path: "/admin/shards/{shard}", access: "operator", body: { open: true } },
  { method: "POST", path: "/admin/accounts/{email}/move", access: "admin", body: { shard: "00" } },
  { method: "PUT", path: "/admin/invitations/{email}", access: "admin", body: { days: 7 } },
  { method: "GET", path: "/admin/invitations", access: "admin" },
  { method: "DELETE", path: "/admin/invitations/{email}", access: "admin" },
  { method: "GET", path: "/admin/accounts", access: "operator" },
  { method: "GET", path: "/admin/overview", access: "operator" },
  { method: "GET", path: "/admin/reports/{id}", access: "operator" },
  { method: "GET", path: "/admin/operators", access: "admin" },
  { method: "POST", path: "/admin/accounts/{email}/mark-operator", access: "admin", body: { reason: "a test" } },
  { method: "POST", path: "/admin/accounts/{email}/unmark-operator", access: "admin", body: { reason: "a test" } },
  { method: "GET", path: "/admin/audit", access: "operator" },
  { method: "GET", path: "/admin/reports", access: "operator" },
  {
    method: "POST",
    path: "/admin/reports/{id}",
    access: "operator",
    body: { decision: "dismissed", reason: "a test" },
  },
  { method: "POST", path: "/reports", access: "open", body: { url: "https://a.example/", reason: "a test" } },
  { method: "POST", path: "/admin/takedowns", access: "operator", body: { id: ID, reason: "a test" } },
  { method: "GET", path: "/admin/takedowns", access: "operator" },
  { method: "DELETE", path: "/admin/takedowns/{id}", access: "operator" },
  { method: "POST", path: "/admin/accounts/{email}/suspend", access: "operator", body: { reason: "a test" } },
  { method: "POST", path: "/admin/accounts/{email}/unsuspend", access: "operator", body: { reason: "a test" } },
  {
    method: "POST",
    path: "/admin/accounts/{email}/set-email",
    access: "admin",
    body: { email: "new@example.com", reason: "a test" },
  },
  { method: "POST", path: "/admin/accounts/{email}/send-reset", access: "admin", body: { reason: "a test" } },
  { method: "POST", path: "/admin/accounts/{email}/end-sessions", access: "operator", body: { reason: "a test" } },
  { method: "POST", path: "/admin/accounts/{email}/erase", access: "operator", body: { reason: "a test" } },
  { method: "POST", path: "/images/upload", confinable: true, tokens: true, access: "upload" },
  { method: "GET", path: "/images/upload", access: "images:read" },
  { method: "GET", path: "/images/upload/{id}", confinable: true, tokens: true, access: "upload" },
  { method: "HEAD", path: "/images/upload/{id}", confinable: true, tokens: true, access: "upload" },
  { method: "PATCH", path: "/images/upload/{id}", confinable: true, tokens: true, access: "upload" },
  { method: "DELETE", path: "/images/upload/{id}", confinable: true, tokens: true, access: "upload" },
  { method: "GET", path: "/images", confinable: true, access: "images:read" },
  { method: "GET", path: "/images/timeline", confinable: true, access: "images:read" },
  { method: "GET", path: "/duplicates", confinable: true, access: "images:read" },
  { method: "GET", path: "/tags", confinable: true, access: "images:read" },
  { method: "GET", path: "/images/{id}", confinable: true, access: "images:read" },
  { method: "GET", path: "/history/{id}", access: "account" },
  { method: "PATCH", path: "/images/{id}", confinable: true, access: "images:write", body: { favorite: true } },
  { method: "PUT", path: "/images/{id}/content", confinable: true, access: "images:write" },
  { method: "POST", path: "/images/{id}/remove-location", confinable: true, access: "images:write" },
  { method: "DELETE", path: "/images/{id}", confinable: true, access: "images:delete" },
  { method: "POST", path: "/images/bulk-trash", confinable: true, access: "images:write", body: { ids: [ID] } },
  { method: "POST", path: "/images/bulk-restore", confinable: true, access: "images:write", body: { ids: [ID] } },
  {
    method: "POST",
    path: "/images/bulk-update",
    confinable: true,
    access: "images:write",
    body: { ids: [ID], favorite: true },
  },
  { method: "GET", path: "/previews/{account}/{file}", access: "signed" },
  { method: "POST", path: "/images/bulk-delete", access: "session", body: { ids: [ID] } },
  { method: "GET", path: "/stats/overview", access: "account" },
  { method: "GET", path: "/stats/operations", access: "account" },
  { method: "GET", path: "/logs", access: "account-of-api-tier" },
  { method: "GET", path: "/folders", confinable: true, access: "folders:read" },
  { method: "GET", path: "/folders/newest", access: "images:read" },
  { method: "POST", path: "/folders", confinable: true, access: "folders:write", body: { name: "Matrix" } },
  { method: "PATCH", path: "/folders/{id}", confinable: true, access: "folders:write", body: { name: "Matrix" } },
  { method: "DELETE", path: "/folders/{id}", access: "folders:write" },
];

const KEY_OR_SESSION = [{ apiKey: [] }, { session: [] }];

/** The OpenAPI description's credentials for each kind of access, one of which is enough, and the scope that a key needs. */
export const DESCRIBED_SECURITY: Record<Endpoint["access"], readonly [credentials: object[], scope?: Scope]> = {
  open: [[]],
  signed: [[]],
  operator: [[{ adminToken: [] }, { session: [] }]],
  admin: [[{ adminToken: [] }]],
  session: [[{ session: [] }]],
  upload: [[{ uploadKey: [] }, ...KEY_OR_SESSION], "upload"],
  "images:read": [KEY_OR_SESSION, "images:read"],
  "images:write": [KEY_OR_SESSION, "images:write"],
  "images:delete": [KEY_OR_SESSION, "images:delete"],
  settings: [KEY_OR_SESSION, "settings"],
  account: [KEY_OR_SESSION, "account"],
  "account-of-api-tier": [KEY_OR_SESSION, "account"],
  "folders:read": [KEY_OR_SESSION, "folders:read"],
  "folders:write": [KEY_OR_SESSION, "folders:write"],
};

export const PROTECTED = ENDPOINTS.filter(({ access }) => !["open", "signed", "operator", "admin"].includes(access));

/**
 * @param authorization the whole header; undefined sends none
 * @param address the client's: each address has a limited number of attempts at the operator's token
 */
export function request(endpoint: Endpoint, authorization: string | undefined, address?: string): Promise<Response> {
  const path = endpoint.path
    .replace("{id}", ID)
    .replace("{name}", "card")
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

/** A caller's header, and the expected answer of every endpoint; undefined if it is allowed. */
export interface Caller {
  readonly name: string;
  readonly authorization: string | undefined;
  expected(endpoint: Endpoint): Refusal | undefined;
}

export interface Refusal {
  readonly statusCode: 401 | 403;
  readonly error: string;
  readonly code: ErrorCode;
  readonly details?: unknown;
}

const INVALID_KEY: Refusal = { statusCode: 401, error: "Invalid or missing API key", code: "invalid_key" };
const UNAUTHORIZED: Refusal = { statusCode: 401, error: "Unauthorized", code: "invalid_session" };
const API_TIER: Refusal = {
  statusCode: 403,
  error: "API access requires Pro or Business tier",
  code: "api_tier_required",
};

const UNPROVEN: Refusal = {
  statusCode: 403,
  error: "Confirm your password to make this change",
  code: "reauthentication_required",
};

const TOKEN_ONLY: Refusal = {
  statusCode: 403,
  error: "An upload token can only upload",
  code: "upload_token_only",
};

const CONFINED: Refusal = {
  statusCode: 403,
  error: "The API key is confined to a folder",
  code: "key_confined",
};

/** All callers of the matrix. The API makes each credential and revokes each bad one. */
export async function makeCallers(): Promise<Caller[]> {
  const free = await openAccount();
  // A caller makes more requests than a Free account may in a minute.
  const others = [free, await openAccount()];
  const uploader = await openAccount("starter");
  const visited = await openAccount("starter");
  let requests = 0;
  const pro = await openProAccount();
  const bare = await createApiKey(pro.token);
  const everyone = (refusal: Refusal) => () => refusal;
  const withKey = (token: string) => `Bearer ${token}`;
  return [
    {
      name: "nobody",
      authorization: undefined,
      expected: everyone({
        statusCode: 401,
        error: "Authorization header is required",
        code: "authorization_required",
      }),
    },
    {
      name: "another scheme",
      authorization: `Basic ${btoa("a:b")}`,
      expected: everyone({ statusCode: 401, error: "Authorization must use Bearer scheme", code: "bearer_required" }),
    },
    { name: "no token after Bearer", authorization: "Bearer", expected: everyone(INVALID_KEY) },
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
      expected: ({ access }) => (access === "upload" ? undefined : API_TIER),
    },
    {
      name: "an upload token",
      authorization: withKey((await createToken(visited.token)).token),
      expected: ({ tokens }) => (tokens ? undefined : TOKEN_ONLY),
    },
    {
      name: "a revoked upload token",
      authorization: withKey(await revokedUploadToken(pro.token)),
      expected: everyone(INVALID_KEY),
    },
    {
      name: "an upload token that nobody signed",
      authorization: withKey(`service_token_${free.id}${"x".repeat(43)}_${"x".repeat(43)}`),
      expected: everyone(INVALID_KEY),
    },
    {
      name: "an API key without scopes",
      authorization: withKey(bare.key),
      expected: refuseAllBut(SCOPES.filter((scope) => !scope.startsWith("folders:"))),
    },
    {
      name: "an API key with both folder scopes",
      authorization: withKey(pro.apiKey),
      expected: refuseAllBut(SCOPES),
    },
    {
      name: "an API key with every scope",
      authorization: withKey((await openKey([...SCOPES])).key),
      expected: refuseAllBut(SCOPES),
    },
    ...(await Promise.all(SCOPES.map((scope) => makeScopedCaller(scope)))),
    ...(await Promise.all(SCOPES.map((scope) => makeConfinedCaller([scope])))),
    await makeConfinedCaller([]),
    {
      name: "an expired API key",
      authorization: withKey(await expiredKey()),
      expected: everyone({ statusCode: 401, error: "The API key has expired", code: "key_expired" }),
    },
    {
      name: "a Free account's session",
      get authorization() {
        requests += 1;
        return withKey((others[requests % others.length] ?? free).token);
      },
      expected: ({ access }) => (access === "account-of-api-tier" ? API_TIER : undefined),
    },
    { name: "a Pro account's session", authorization: withKey(pro.token), expected: () => undefined },
    {
      name: "a Pro account's session without a recent proof",
      authorization: withKey(await unprovenToken()),
      expected: ({ isProven }) => (isProven ? UNPROVEN : undefined),
    },
  ];
}

async function revokedUploadToken(session: string): Promise<string> {
  const { token, _id } = await createToken(session);
  await call(`/upload-tokens/${_id}`, { method: "DELETE", headers: bearer(session) });
  return token;
}

/** A key of its own account, because one account's rate does not suffice for the rows of many keys. */
async function openKey(scopes: readonly Scope[]): Promise<{ key: string }> {
  const { token } = await openAccount("pro");
  return createApiKey(token, [...scopes]);
}

/** A key that names one scope. A key that names only folder scopes has the rights of a key without scopes, too. */
async function makeScopedCaller(scope: Scope): Promise<Caller> {
  const isFolderScope = scope.startsWith("folders:");
  return {
    name: `an API key with the scope ${scope}`,
    authorization: `Bearer ${(await openKey([scope])).key}`,
    expected: refuseAllBut([scope, ...(isFolderScope ? SCOPES.filter((other) => !other.startsWith("folders:")) : [])]),
  };
}

/** The same key, confined to a folder: only some endpoints keep to it. */
async function makeConfinedCaller(scopes: readonly Scope[]): Promise<Caller> {
  const { token } = await openAccount("pro");
  const folder = await (await callJson("POST", "/folders", token, { name: "Confinement" })).json<{ _id: string }>();
  const { key } = await createApiKey(token, [...scopes], { folderId: folder._id });
  const isLimited = scopes.some((scope) => !scope.startsWith("folders:"));
  const refuse = refuseAllBut([
    ...scopes,
    ...(isLimited ? [] : SCOPES.filter((scope) => !scope.startsWith("folders:"))),
  ]);
  return {
    name: scopes.length === 0 ? "a confined API key without scopes" : `a confined API key with the scope ${scopes[0]}`,
    authorization: `Bearer ${key}`,
    expected: (endpoint) => refuse(endpoint) ?? (endpoint.confinable ? undefined : CONFINED),
  };
}

function refuseAllBut(held: readonly Scope[]) {
  return ({ access }: Pick<Endpoint, "access">): Refusal | undefined => {
    if (access === "session")
      return { statusCode: 403, error: "This endpoint requires a login session", code: "session_required" };
    const wanted = access === "account-of-api-tier" ? "account" : access;
    if (held.some((scope) => scope === wanted)) return undefined;
    return {
      statusCode: 403,
      error: "The API key lacks a required scope",
      code: "scope_required",
      details: { scope: wanted },
    };
  };
}

async function revokedKey(token: string): Promise<string> {
  const { key, _id } = await createApiKey(token);
  // The key is used before, so that the isolate caches its facts.
  await call("/images", { headers: bearer(key) });
  await call(`/keys/${_id}`, { method: "DELETE", headers: bearer(token) });
  return key;
}

async function expiredKey(): Promise<string> {
  const { token } = await openAccount("pro");
  const { key } = await createApiKey(token, [], { expiresAt: new Date(Date.now() + 1000).toISOString() });
  await call("/images", { headers: bearer(key) });
  await new Promise((resolve) => setTimeout(resolve, 1100));
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

async function unprovenToken(): Promise<string> {
  const { id, token } = await openAccount("pro");
  await ageProofs(id);
  return token;
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
