import { env, exports } from "cloudflare:workers";
import type { TierName } from "../../src/domain/tiers.ts";
import type { UploadResult } from "./upload-result.ts";

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
  /** A login session's token. */
  readonly token: string;
  readonly uploadKey: string;
}

let count = 0;

/** A new account of its own for a test. */
export async function openAccount(tier: TierName = "free"): Promise<TestAccount> {
  count += 1;
  const email = `person-${count}-${crypto.randomUUID()}@example.com`;
  const password = "correct horse battery staple";
  const response = await callJson("POST", "/auth/register", undefined, { email, password });
  if (response.status !== 201) throw new Error(`register answered ${response.status}: ${await response.text()}`);
  const { token, account, uploadKey } = await response.json<{
    token: string;
    account: { _id: string };
    uploadKey: string;
  }>();
  if (tier !== "free") await setTier(email, tier);
  return { id: account._id, email, password, token, uploadKey };
}

export async function setTier(email: string, tier: TierName): Promise<{ uploadKey?: string }> {
  const response = await callJson("PUT", `/admin/accounts/${email}`, env.ADMIN_TOKEN, { tier });
  if (response.status !== 200) throw new Error(`set-tier answered ${response.status}: ${await response.text()}`);
  return response.json();
}

export async function createApiKey(token: string, scopes: string[] = []): Promise<{ _id: string; key: string }> {
  const response = await callJson("POST", "/keys", token, { name: "test", scopes });
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
