import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import { homeShard, isId, newId, newUploadId } from "../../../src/domain/ids.ts";
import { drawShard } from "../../../src/services/accounts/draw-shard.ts";
import { meterOf, readMeter, replaceStores, replayIntents, restoreStores } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, TEST_DEVICE, uploadOne } from "../../support/api/api.ts";
import { failingDatabases, inLibraries, libraries, replaceLibraries, shardOf } from "../../support/api/databases.ts";
import { png } from "../../support/media/samples.ts";

const PASSWORD = "correct horse battery staple";

interface ShardEntry {
  readonly shard: string;
  readonly open: boolean;
  readonly bound: boolean;
  readonly accounts: number;
  readonly uploads: number;
  readonly storedBytes: number;
  readonly databaseBytes: number;
}

function setOpen(shard: string, open: unknown): Promise<Response> {
  return callJson("PUT", `/admin/shards/${shard}`, env.ADMIN_TOKEN, { open });
}

async function listShards(): Promise<ShardEntry[]> {
  const response = await call("/admin/shards", { headers: bearer(env.ADMIN_TOKEN) });
  expect(response.status).toBe(200);
  return (await response.json<{ shards: ShardEntry[] }>()).shards;
}

function register(email = `${crypto.randomUUID()}@example.com`): Promise<Response> {
  return callJson("POST", "/auth/register", undefined, { email, password: PASSWORD });
}

async function registeredShard(): Promise<string> {
  const response = await register();
  expect(response.status).toBe(201);
  return shardOf((await response.json<{ account: { _id: string } }>()).account._id);
}

function drawMany(): Promise<string[]> {
  const directory = openDirectory(env);
  return Promise.all(Array.from({ length: 60 }, () => drawShard({ directory, libraries })));
}

afterEach(async () => {
  for (const shard of libraries.shards) await setOpen(shard, true);
});

describe("New libraries", () => {
  it("A new account's library is in an open shard, drawn at random", async () => {
    const drawn = new Set(await drawMany());
    expect([...drawn].sort()).toEqual(libraries.shards);
    expect(libraries.shards).toContain(await registeredShard());
  });

  it("A new account's library is never in a closed shard, whose own libraries keep working", async () => {
    const old = await openAccount("free", "00");
    expect((await setOpen("00", false)).status).toBe(200);
    expect(new Set(await drawMany())).not.toContain("00");
    expect(await registeredShard()).not.toBe("00");
    await uploadOne(old.uploadKey, { name: "a.png", bytes: png() });
  });

  it("A registration without an open shard is 503, and the email stays free", async () => {
    for (const shard of libraries.shards) await setOpen(shard, false);
    const email = `${crypto.randomUUID()}@example.com`;
    const response = await register(email);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "60"]);
    await setOpen("01", true);
    expect((await register(email)).status).toBe(201);
  });
});

describe("The operator's shards", () => {
  it("A shard is listed with its counts and its state", async () => {
    const account = await openAccount("free", "01");
    const before = (await listShards()).find(({ shard }) => shard === "01");
    const bytes = png();
    await uploadOne(account.uploadKey, { name: "a.png", bytes });
    await setOpen("00", false);
    const [first, second] = await listShards();
    expect(first).toMatchObject({ shard: "00", open: false, bound: true });
    expect(second).toEqual({
      shard: "01",
      open: true,
      bound: true,
      accounts: before?.accounts,
      uploads: (before?.uploads ?? 0) + 1,
      storedBytes: (before?.storedBytes ?? 0) + bytes.length,
      databaseBytes: expect.any(Number),
    });
    expect(second?.databaseBytes).toBeGreaterThan(10_000);
  });

  it("A shard is opened and closed by name", async () => {
    expect((await setOpen("77", true)).status).toBe(404);
    expect((await setOpen("00", "yes")).status).toBe(400);
    expect(await (await setOpen("00", true)).json()).toEqual({ open: true });
  });
});

describe("Registration", () => {
  it("A registration interrupted by an outage of the shard leaves no account; the email is free", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const id = newId(Date.now());
    const account = {
      id,
      email,
      name: null,
      passwordHash: "scrypt$1$1$1$aa$aa",
      tier: "free" as const,
      billingAnchorAt: null,
      emailVerifiedAt: null,
      verifyBy: null,
      operatorSince: null,
      autoCompress: false,
      compressionQuality: 65,
      shard: "00" as const,
      createdAt: Date.now(),
    };
    const key = {
      id: newId(Date.now()),
      accountId: id,
      kind: "upload" as const,
      name: "k",
      hash: id,
      lastFour: "aaaa",
      scopes: [],
      createdAt: 1,
      revokedAt: null,
      expiresAt: null,
      folderId: null,
    };
    const session = { sessionId: newId(Date.now()), expiresAt: Date.now() + 60_000, ...TEST_DEVICE };
    const outages = [failingDatabases(), replaceLibraries(() => failingDatabases().LIBRARY_00 as D1Database)];
    for (const outage of outages) {
      await replaceStores(id, outage);
      const failure = await meterOf(id).register(account, key, session).catch(String);
      expect(failure).toContain("out of order");
      expect((await readMeter(id)).intents).toMatchObject([{ id: "register" }]);
      await restoreStores(id);
      // The registration was undone, and the account was compared once more.
      for (const look of [1, 2]) {
        expect(await meterOf(id).locate(), `look ${look}`).toBeDefined();
        await replayIntents(id);
      }
      expect(await meterOf(id).locate()).toBeUndefined();
      expect(await inLibraries("SELECT * FROM libraries WHERE id = ?", id)).toEqual([]);
      expect(await env.DB.prepare("SELECT id FROM accounts WHERE email = ?").bind(email).first()).toBeNull();
    }
    expect(await meterOf(id).register(account, key, session)).toBe(true);
    // The call is repeated, because its answer may be lost.
    expect(await meterOf(id).register(account, key, session)).toBe(true);
    expect((await readMeter(id)).intents).toEqual([]);
    expect(await inLibraries("SELECT state FROM libraries WHERE id = ?", id)).toEqual([{ state: "here" }]);
  });

  it("A registration with a taken email leaves nothing in the shard", async () => {
    const { email } = await openAccount();
    const count = async () => (await inLibraries("SELECT id FROM libraries")).length;
    const before = await count();
    expect((await register(email)).status).toBe(409);
    expect(await count()).toBe(before);
  });

  it("Many simultaneous registrations of one email open one account", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => register(email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe("Upload ids", () => {
  it("An upload's id contains the shard in which it was made", async () => {
    for (const shard of libraries.shards) {
      const account = await openAccount("free", shard);
      const { _id } = await uploadOne(account.uploadKey, { name: "a.png", bytes: png() });
      expect(homeShard(_id)).toBe(shard);
    }
    const ids = Array.from({ length: 5000 }, () => newUploadId(1_700_000_000_000, "42"));
    expect(ids.every((id) => isId(id) && homeShard(id) === "42")).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it("An upload's id with a missing or invalid shard is unknown", async () => {
    const { token } = await openAccount();
    const id = newUploadId(Date.now(), "99");
    for (const unknown of [id, `${id.slice(0, 10)}zz${id.slice(12)}`, `${id.slice(0, 10)}00${id.slice(12)}`]) {
      expect((await call(`/images/${unknown}`, { headers: bearer(token) })).status).toBe(404);
    }
  });
});
