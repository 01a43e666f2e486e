import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdmin } from "../../client/admin.ts";
import { type Client, createClient, MediaHostError } from "../../client/index.ts";

/** Two accounts for the first use. The API shows their keys once, so the local stack stores them with its state. */
export interface DemoAccounts {
  readonly password: string;
  readonly free: { readonly email: string; readonly uploadKey: string };
  readonly pro: { readonly email: string; readonly apiKey: string };
}

/** The password is stored before the first account is opened, so that the next start after an interruption can log in. */
type SavedAccounts = Pick<DemoAccounts, "password"> & Partial<DemoAccounts>;

const FREE = "free@example.com";
const PRO = "pro@example.com";
const KEY_NAME = "Demo key";
const RETRY_MS = 1000;

/**
 * The demo accounts of this state folder. The first start opens them through the API, as the operator, so that they use up no registrations
 * of this address. An interrupted start is resumed.
 * @returns undefined if the accounts exist and their password is not known
 */
export async function ensureDemoAccounts(
  baseUrl: string,
  stateDir: string,
  adminToken: string,
): Promise<DemoAccounts | undefined> {
  const path = join(stateDir, "demo-accounts.json");
  const saved = await readSaved(path);
  if (isComplete(saved)) return saved;
  const password = saved?.password ?? randomBytes(12).toString("base64url");
  await save(path, { password });
  const operator = connect(baseUrl, adminToken);
  const free = await enter(operator, baseUrl, { email: FREE, password, name: "Free demo" });
  const pro = await enter(operator, baseUrl, { email: PRO, password, name: "Pro demo" });
  if (free === undefined || pro === undefined) return undefined;
  const { key: uploadKey } = await free.keys.regenerateUploadKey();
  await createAdmin(operator).setTier(PRO, "pro");
  // Keys of an interrupted start, which were never shown.
  for (const { _id, name } of await pro.keys.list()) if (name === KEY_NAME) await pro.keys.delete(_id);
  const { key: apiKey } = await pro.keys.create({ name: KEY_NAME, scopes: ["folders:read", "folders:write"] });
  // Compression is off by default, because it is lossy. The demo accounts have it on, so that people see it.
  for (const client of [free, pro]) await client.settings.update({ autoCompress: true });
  const accounts: DemoAccounts = { password, free: { email: FREE, uploadKey }, pro: { email: PRO, apiKey } };
  await save(path, accounts);
  return accounts;
}

/** A client that reports a failure at once: the service runs on this machine. */
function connect(baseUrl: string, key?: string): Client {
  return createClient({ baseUrl, retries: 0, ...(key !== undefined && { key }) });
}

/**
 * Opens an account, or logs in to it if it exists.
 * @returns a client of its session; undefined if its password differs
 */
async function enter(
  operator: Client,
  baseUrl: string,
  { name, ...login }: { readonly email: string; readonly password: string; readonly name: string },
): Promise<Client | undefined> {
  do {
    const opened = await unless(409, operator.auth.register({ ...login, name }));
    if (opened !== undefined) return connect(baseUrl, opened.token);
  } while (await isUndone(operator, login.email));
  const session = await unless(401, connect(baseUrl).auth.logIn(login));
  return session && connect(baseUrl, session.token);
}

/** The service removes an account whose opening was interrupted soon after its intent is due. */
async function isUndone(operator: Client, email: string): Promise<boolean> {
  for (;;) {
    const account = await unless(404, createAdmin(operator).account(email));
    if (account === undefined) return true;
    const { outcome } = await createAdmin(operator).retryIntent({ accountId: account._id, id: "register" });
    if (outcome === "gone") return false;
    await sleep(RETRY_MS);
  }
}

/** @returns undefined if the service answered with this status */
async function unless<Answer>(statusCode: number, call: Promise<Answer>): Promise<Answer | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof MediaHostError && error.statusCode === statusCode) return undefined;
    throw error;
  });
}

function isComplete(saved: SavedAccounts | undefined): saved is DemoAccounts {
  return saved?.free !== undefined && saved.pro !== undefined;
}

/** @returns undefined if the file is missing or incomplete: earlier versions wrote it in place */
async function readSaved(path: string): Promise<SavedAccounts | undefined> {
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text) as SavedAccounts;
  } catch {
    return undefined;
  }
}

/** The file is replaced as a whole, so that it is complete even if the process is killed. */
async function save(path: string, accounts: SavedAccounts): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(accounts, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
