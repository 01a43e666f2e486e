import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import { type DemoAccounts, ensureDemoAccounts } from "../../../src/tools/local/demo-accounts.ts";
import { ADMIN_TOKEN, type Stack, startApi } from "../../support/stack/miniflare.ts";

/** The requests that change data, in their order. */
const CHANGES = [
  "POST /auth/register",
  "POST /keys/upload/regenerate",
  "PUT /admin/accounts/pro%40example.com",
  "POST /keys",
  "PATCH /settings",
];

let folder: string;
let api: Stack;
let baseUrl: string;
let stateDir: string;

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "media-host-demo-"));
  await startService();
});

afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await rm(stateDir, { recursive: true, force: true });
});

async function startService(): Promise<void> {
  api = await startApi({ ADDRESS_RATE_PER_MINUTE: "100000" }, { isQuiet: true, stateDir });
  baseUrl = api.url.origin;
}

/** The state of a service that was killed between the account's row and the end of its registration. */
async function reopenRegistrations(): Promise<number> {
  let count = 0;
  for (const file of await readdir(stateDir, { recursive: true })) {
    if (!file.endsWith(".sqlite")) continue;
    using database = new DatabaseSync(join(stateDir, file));
    const isAccount = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'intents'").get() !== undefined;
    if (!isAccount) continue;
    database
      .prepare(
        "INSERT INTO intents (id, kind, payload, reserved_bytes, due_at, attempts) VALUES ('register', 'register', ?, 0, ?, 0)",
      )
      .run(JSON.stringify({ kind: "register" }), Date.now());
    count++;
  }
  return count;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-host-demo-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A proxy that carries out this request, then drops its answer and stops. */
async function startBrokenWay(last: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = await fetch(baseUrl + request.url, {
      method: request.method ?? "GET",
      headers: request.headers as Record<string, string>,
      body: chunks.length === 0 ? null : Buffer.concat(chunks),
    });
    const body = await answer.text();
    if (`${request.method} ${request.url}` === last) response.destroy();
    else response.writeHead(answer.status, { "Content-Type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function expectUsable({ password, free, pro }: DemoAccounts): Promise<void> {
  const headers = { Authorization: `Bearer ${free.uploadKey}` };
  // An unknown key is answered 401.
  expect((await fetch(`${baseUrl}/images`, { headers })).status).toBe(403);
  const client = createClient({ baseUrl, key: pro.apiKey });
  expect((await client.stats()).tier).toBe("pro");
  expect((await client.settings.get()).autoCompress).toBe(true);
  for (const { email } of [free, pro]) {
    const { token } = await createClient({ baseUrl }).auth.logIn({ email, password });
    const keys = await createClient({ baseUrl, key: token }).keys.list();
    expect(keys.filter(({ kind }) => kind === "api")).toHaveLength(email === pro.email ? 1 : 0);
  }
}

async function erase(email: string): Promise<void> {
  const { password } = JSON.parse(await readFile(join(folder, "demo-accounts.json"), "utf8"));
  const { token } = await createClient({ baseUrl }).auth.logIn({ email, password });
  await createClient({ baseUrl, key: token }).account.delete({ password });
}

describe("demo accounts", () => {
  it("Demo accounts are opened again after the service was killed while it opened one", async () => {
    const way = await startBrokenWay("POST /auth/register");
    await expect(ensureDemoAccounts(way.url, folder, ADMIN_TOKEN)).rejects.toThrow();
    way.close();
    await api[Symbol.asyncDispose]();
    expect(await reopenRegistrations()).toBe(1);
    await startService();
    await expectUsable((await ensureDemoAccounts(baseUrl, folder, ADMIN_TOKEN)) as DemoAccounts);
    for (const email of ["free@example.com", "pro@example.com"]) await erase(email);
  });

  it("Demo accounts are completed by the next start, at whichever request the last start was killed", async () => {
    for (const last of CHANGES) {
      const way = await startBrokenWay(last);
      await expect(ensureDemoAccounts(way.url, folder, ADMIN_TOKEN)).rejects.toThrow();
      way.close();
    }
    const accounts = await ensureDemoAccounts(baseUrl, folder, ADMIN_TOKEN);
    await expectUsable(accounts as DemoAccounts);
    expect(JSON.parse(await readFile(join(folder, "demo-accounts.json"), "utf8"))).toEqual(accounts);
  });

  it.each(["no", "an incomplete"])(
    "Demo accounts are not changed when the folder has %s file with their password",
    async (which) => {
      if (which !== "no") await writeFile(join(folder, "demo-accounts.json"), '{"passw');
      expect(await ensureDemoAccounts(baseUrl, folder, ADMIN_TOKEN)).toBeUndefined();
    },
  );
});
