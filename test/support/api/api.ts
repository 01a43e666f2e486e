import { env, exports } from "cloudflare:workers";
import { scryptSync } from "node:crypto";
import { openLibraries } from "../../../src/db/library/library.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/account-settings.ts";
import { newId, type Shard } from "../../../src/domain/ids.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import type { TierName } from "../../../src/domain/tiers.ts";
import { newSession } from "../../../src/services/accounts/open-session.ts";
import { makeKey } from "../../../src/services/keys/make-key.ts";
import { openStores } from "../../../src/services/open-services.ts";
import type { UploadResult } from "../uploads/upload-result.ts";

/** The API as a client sees it, inside the test's Worker. */

export const BASE_URL = "https://media.example";

export function call(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(BASE_URL + path, init));
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

export function callJson(method: string, path: string, token: string | undefined, body: unknown): Promise<Response> {
  return call(path, {
    method,
    headers: { ...(token === undefined ? {} : bearer(token)), "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

export interface TestAccount {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The token of a session. */
  readonly token: string;
  readonly uploadKey: string;
}

const PASSWORD = "correct horse battery staple";
const HASHED = scryptSync(PASSWORD, "salt", 32, { N: 2, r: 8, p: 1 });
/**
 * The password's hash in the stored form, with the lowest cost. A stored hash names its cost, and at the product's cost a log-in would take
 * longer than the rest of the test. Passwords that the product hashes itself, as in a registration over the API, have the usual cost.
 */
const PASSWORD_HASH = `scrypt$2$8$1$${Buffer.from("salt").toString("base64url")}$${HASHED.toString("base64url")}`;

/** The device of sessions that no log-in opened. */
export const TEST_DEVICE = { device: "Test device", address: "192.0.2.1", deviceDigests: [] };

let count = 0;

/** The accounts of the tests use all shards in turn. */
function nextShard(): Shard {
  const { shards } = openLibraries(env);
  return shards[count % shards.length] as Shard;
}

/** A new account for one test, in the state after a registration. */
export async function openAccount(tier: TierName = "free", shard = nextShard()): Promise<TestAccount> {
  count += 1;
  const now = Date.now();
  const services = {
    ...openStores(env),
    config: { jwtSecret: onlySecret(env.JWT_SECRET) },
    now: Date.now,
  };
  const account = {
    id: newId(now),
    email: `person-${count}-${crypto.randomUUID()}@example.com`,
    name: null,
    passwordHash: PASSWORD_HASH,
    tier: "free" as const,
    billingAnchorAt: null,
    ...DEFAULT_SETTINGS,
    shard,
    createdAt: now,
    emailVerifiedAt: null,
    verifyBy: null,
    operatorSince: null,
  };
  const { id, email } = account;
  const { secret, key } = await makeKey({ accountId: id, kind: "upload", name: "Upload key", scopes: [] }, now);
  const { sessionId, session } = await newSession(services, id);
  const { token, expiresAt } = session;
  const opened = await services.meterOf(id).register(account, key, { sessionId, expiresAt, ...TEST_DEVICE });
  if (!opened) throw new Error(`${email} has an account`);
  // The effect of the operator's request, without the request, which would need its own address.
  if (tier !== "free") await services.meterOf(id).setTier({ tier, billingAnchorAt: now, uploadKey: null });
  return { id, email, password: PASSWORD, token, uploadKey: secret };
}

/** A new address, so that no test uses up the minute of another test. */
export function newAddress(): string {
  return crypto.getRandomValues(new Uint8Array(4)).join(".");
}

/** Sent from a new address. The accounts of most tests have unverified e-mails, so their id is sent, too. */
export async function setTier(email: string, tier: TierName): Promise<{ uploadKey?: string }> {
  const found = await env.DB.prepare("SELECT id FROM accounts WHERE email = ?").bind(email).first<{ id: string }>();
  const response = await call(`/admin/accounts/${email}`, {
    method: "PUT",
    headers: { ...bearer(env.ADMIN_TOKEN), "Content-Type": "application/json", "CF-Connecting-IP": newAddress() },
    body: JSON.stringify({ tier, accountId: found?.id }),
  });
  if (response.status !== 200) throw new Error(`set-tier answered ${response.status}: ${await response.text()}`);
  return response.json();
}

export async function createApiKey(
  token: string,
  scopes: string[] = [],
  limits: { readonly expiresAt?: string; readonly folderId?: string } = {},
): Promise<{ _id: string; key: string }> {
  const response = await callJson("POST", "/keys", token, { name: "test", scopes, ...limits });
  if (response.status !== 201) throw new Error(`POST /keys answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** An account with an API key that has both folder scopes. */
export async function openProAccount(): Promise<TestAccount & { apiKey: string; apiKeyId: string }> {
  const account = await openAccount("pro");
  const { key, _id } = await createApiKey(account.token, ["folders:read", "folders:write"]);
  return { ...account, apiKey: key, apiKeyId: _id };
}

export interface TestFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function upload(token: string, files: TestFile[], fields: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, bytes } of files) form.append("file", new File([bytes], name));
  return call("/images/upload", { method: "POST", headers: bearer(token), body: form });
}

/** Uploads one file and expects it to be stored. */
export async function uploadOne(token: string, file: TestFile, fields: Record<string, string> = {}) {
  const response = await upload(token, [file], fields);
  if (response.status !== 201) throw new Error(`upload answered ${response.status}: ${await response.text()}`);
  return response.json<UploadResult>();
}

export type { UploadResult };
