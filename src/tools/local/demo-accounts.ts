import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Two accounts to begin with. Their keys are shown once by the API, so the local stack keeps them beside its state. */
export interface DemoAccounts {
  readonly password: string;
  readonly free: { readonly email: string; readonly uploadKey: string };
  readonly pro: { readonly email: string; readonly apiKey: string };
}

const FREE = "free@example.com";
const PRO = "pro@example.com";

/**
 * The demo accounts of this state folder. They are made through the API the first time, as the operator, so that they use up none
 * of this address's registrations.
 */
export async function ensureDemoAccounts(baseUrl: string, stateDir: string, adminToken: string): Promise<DemoAccounts> {
  const path = join(stateDir, "demo-accounts.json");
  if (existsSync(path)) return JSON.parse(await readFile(path, "utf8")) as DemoAccounts;
  const password = randomBytes(12).toString("base64url");
  const free = await post(baseUrl, "/auth/register", adminToken, { email: FREE, password, name: "Free demo" });
  const pro = await post(baseUrl, "/auth/register", adminToken, { email: PRO, password, name: "Pro demo" });
  await request(baseUrl, "PUT", `/admin/accounts/${PRO}`, adminToken, { tier: "pro" });
  const key = await post(baseUrl, "/keys", pro.token, { name: "Demo key", scopes: ["folders:read", "folders:write"] });
  // Off by default, as it is lossy; here it is what people come to see.
  for (const { token } of [free, pro]) await request(baseUrl, "PATCH", "/settings", token, { autoCompress: true });
  const accounts: DemoAccounts = {
    password,
    free: { email: FREE, uploadKey: String(free.uploadKey) },
    pro: { email: PRO, apiKey: String(key.key) },
  };
  await writeFile(path, `${JSON.stringify(accounts, null, 2)}\n`, { mode: 0o600 });
  return accounts;
}

function post(baseUrl: string, path: string, token: unknown, body: unknown) {
  return request(baseUrl, "POST", path, token, body);
}

async function request(
  baseUrl: string,
  method: string,
  path: string,
  token: unknown,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
