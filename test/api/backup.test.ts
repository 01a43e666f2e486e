import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { writeStatements } from "../../src/db/backup/rows.ts";
import { findTable, type RunSql } from "../../src/db/backup/tables.ts";
import { DERIVED_TABLES } from "../../src/db/library/schema.ts";
import { dayOf } from "../../src/domain/calendar.ts";
import { newId } from "../../src/domain/ids.ts";
import { LEFT_OUT } from "../../src/meter/account/backup.ts";
import { meterOf } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../support/api/api.ts";
import { libraries } from "../support/api/databases.ts";
import { png } from "../support/media/samples.ts";

type Row = (string | null)[];
interface Page {
  readonly table?: string;
  readonly columns: string[];
  readonly rows: Row[];
  readonly next: string | null;
}

const ADMIN = bearer(env.ADMIN_TOKEN);
const asOperator = (method: string, path: string, body: unknown) => callJson(method, path, env.ADMIN_TOKEN, body);

async function get<T>(path: string): Promise<T> {
  const response = await call(path, { headers: ADMIN });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json<T>();
}

async function readAll(path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const query = after === undefined ? "" : `${path.includes("?") ? "&" : "?"}after=${encodeURIComponent(after)}`;
    const page: Page = await get<Page>(path + query);
    pages.push(page);
    after = page.next;
  }
  return pages;
}

/** Names of tables as SQLite lists them, without the runtime's own. */
async function tablesOf(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_|d1_|upload_search)/.test(name));
}

beforeEach(async () => {
  await env.FILES.delete("restore");
});

/** An idle account lacks these tables. */
const MADE_WHEN_NEEDED = ["request_claims", "leases", "byte_claims"];

describe("tables of a backup", () => {
  it("A backup has every table of every database except tables that triggers fill", async () => {
    const { databases } = await get<{ databases: { database: string; tables: string[] }[] }>("/admin/backup");
    const found = new Map(databases.map(({ database, tables }) => [database, [...tables].sort()]));
    expect(found.get("directory")).toEqual(await tablesOf(env.DB));
    for (const shard of libraries.shards) {
      const all = await tablesOf(libraries.bindingOf(shard));
      expect(all).toEqual(expect.arrayContaining([...DERIVED_TABLES]));
      expect(found.get(`library-${shard}`)).toEqual(all.filter((name) => !DERIVED_TABLES.includes(name)));
    }
  });

  it("A table that a later migration adds is in the backup, with its columns", async () => {
    await env.DB.prepare("CREATE TABLE planted (id TEXT PRIMARY KEY, weight REAL, bytes BLOB, big INTEGER)").run();
    try {
      await env.DB.prepare(
        "INSERT INTO planted VALUES ('a', 0.1, x'00ff', 9007199254740993), ('b', NULL, NULL, NULL)",
      ).run();
      const [page] = await readAll("/admin/backup/rows?database=directory&table=planted");
      expect(page).toEqual({
        columns: ["id", "weight", "bytes", "big"],
        rows: [
          ["ta", expect.stringMatching(/^r0\.1/), "x00FF", "i9007199254740993"],
          ["tb", null, null, null],
        ],
        next: null,
        pagination: { nextCursor: null },
      });
      await env.DB.exec("DELETE FROM planted");
      expect((await asOperator("POST", "/admin/restore/rows", {})).status).toBe(400);
      await env.FILES.put("restore", "test");
      const body = {
        database: "directory",
        table: "planted",
        columns: page?.columns,
        rows: page?.rows,
        withoutParents: false,
      };
      for (let times = 0; times < 2; times++)
        expect((await asOperator("POST", "/admin/restore/rows", body)).status).toBe(200);
      const { results } = await env.DB.prepare(
        "SELECT id, weight, hex(bytes) AS h, CAST(big AS TEXT) AS big FROM planted",
      ).all();
      expect(results).toEqual([
        { id: "a", weight: 0.1, h: "00FF", big: "9007199254740993" },
        { id: "b", weight: null, h: "", big: null },
      ]);
    } finally {
      await env.DB.exec("DROP TABLE planted");
    }
  });

  it("The pages of an account have every table of its object except tables that are left out on purpose", async () => {
    const { id } = await openAccount("pro");
    const all = await runInDurableObject(meterOf(id), (_, { storage }) => {
      storage.sql.exec("CREATE TABLE planted (id TEXT PRIMARY KEY)");
      storage.sql.exec("INSERT INTO planted VALUES ('x')");
      return storage.sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        .toArray()
        .map(({ name }) => name)
        .filter((name) => !/^(sqlite_|_cf_|__miniflare_)/.test(name));
    });
    expect(all).toEqual(expect.arrayContaining(LEFT_OUT.filter((name) => !MADE_WHEN_NEEDED.includes(name))));
    const pages = await readAll(`/admin/backup/accounts/${id}`);
    expect([...new Set(pages.map(({ table }) => table))].sort()).toEqual(
      all.filter((name) => !LEFT_OUT.includes(name)).sort(),
    );
    expect(pages.find(({ table }) => table === "planted")?.rows).toEqual([["tx"]]);
  });
});

describe("restored accounts", () => {
  it("An object that was just emptied has every table that a backup can name", async () => {
    const { id } = await openAccount("pro");
    const sources = import.meta.glob("../../src/meter/{alerts,books,events,intents,resumable,views}/*.ts", {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const named = Object.values(sources).flatMap((text) =>
      [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)/g)].map(([, name]) => name ?? ""),
    );
    expect(named).toContain("key_requests");
    await env.FILES.put("restore", "test");
    const body = { pages: [], isFirst: true, isLast: false };
    expect((await asOperator("POST", `/admin/restore/accounts/${id}`, body)).status).toBe(200);
    const there = await runInDurableObject(meterOf(id), (_, { storage }) =>
      storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray(),
    );
    expect(there.map(({ name }) => name)).toEqual(
      expect.arrayContaining(named.filter((name) => !LEFT_OUT.includes(name))),
    );
  });

  it("An account's object is rebuilt from its pages, without sessions, and open changes are due", async () => {
    const { id, token } = await openAccount("pro");
    const counted = { keyId: newId(Date.now()), day: dayOf(Date.now()), endpoint: "GET /images" };
    await meterOf(id).recordKeyRequests("batch", [{ ...counted, requests: 3, operations: 0, errors: 1 }]);
    const pages = await readAll(`/admin/backup/accounts/${id}`);
    const before = await meterOf(id).read();
    await env.FILES.put("restore", "test");
    await runInDurableObject(meterOf(id), (_, { storage }) => {
      storage.sql.exec("UPDATE account SET storage_bytes = 77, tier = 'free'");
    });
    const path = `/admin/restore/accounts/${id}`;
    for (const [index, { table, columns, rows }] of pages.entries()) {
      const body = { pages: [{ table, columns, rows }], isFirst: index === 0, isLast: false };
      expect((await asOperator("POST", path, body)).status).toBe(200);
    }
    expect((await asOperator("POST", path, { pages: [], isFirst: false, isLast: true })).status).toBe(200);
    expect(await meterOf(id).read()).toEqual(before);
    expect(await meterOf(id).listKeyRequests(counted.keyId, counted.day, counted.day)).toEqual([
      { ...counted, requests: 3, operations: 0, errors: 1 },
    ]);
    expect((await call("/account", { headers: bearer(token) })).status).toBe(401);
    expect(await runInDurableObject(meterOf(id), (_, { storage }) => storage.getAlarm())).not.toBeNull();
  });

  it("A restored account keeps to the expiry of its files: the alarm deletes a file whose time has come", async () => {
    const account = await openAccount();
    const expiresIn = { expiresIn: "3600" };
    const { _id, url } = await uploadOne(account.token, { name: "a.png", bytes: png() }, expiresIn);
    const kept = await uploadOne(account.token, { name: "b.png", bytes: png(2, 2) });
    const pages = await readAll(`/admin/backup/accounts/${account.id}`);
    await env.FILES.put("restore", "20261126T000000Z");
    const restored = pages.map(({ table, columns, rows }) => ({ table, columns, rows }));
    const body = { pages: restored, isFirst: true, isLast: true };
    expect((await asOperator("POST", `/admin/restore/accounts/${account.id}`, body)).status).toBe(200);
    await runInDurableObject(meterOf(account.id), async (_meter, { storage }) => {
      expect(storage.sql.exec("SELECT upload_id FROM expiries").toArray()).toEqual([{ upload_id: _id }]);
      storage.sql.exec("UPDATE expiries SET at = 1, try_at = 1");
      await storage.setAlarm(Date.now() + 3_600_000);
    });
    await runDurableObjectAlarm(meterOf(account.id));
    expect((await call(new URL(url).pathname)).status).toBe(404);
    expect((await call(new URL(kept.url).pathname)).status).toBe(200);
  });

  it("A table or column that this version does not have is refused", async () => {
    const { id } = await openAccount();
    await env.FILES.put("restore", "test");
    const pages = [{ table: "account", columns: ["nonsense"], rows: [["t1"]] }];
    const response = await asOperator("POST", `/admin/restore/accounts/${id}`, {
      pages,
      isFirst: false,
      isLast: false,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_request" }]);
  });
});

describe("rows whose parent is missing", () => {
  it("A row waits for its parent, and is written without it at the end", async () => {
    const { id } = await openAccount();
    const shard = (await meterOf(id).locate()) ?? "00";
    await env.FILES.put("restore", "test");
    const [parent, child] = [newId(Date.now()), newId(Date.now())];
    const columns = ["id", "account_id", "parent_id", "name", "icon", "created_at", "updated_at"];
    const folder = (own: string, above: string | null, name: string): Row => [
      `t${own}`,
      `t${id}`,
      above && `t${above}`,
      `t${name}`,
      null,
      "i1",
      "i1",
    ];
    const write = async (rows: Row[], withoutParents = false) => {
      const body = { database: `library-${shard}`, table: "folders", columns, rows, withoutParents };
      return (await asOperator("POST", "/admin/restore/rows", body)).json();
    };
    const rows = [folder(child, parent, "child"), folder(parent, null, "parent")];
    expect(await write(rows)).toEqual({ waiting: [0] });
    expect(await write(rows.slice(0, 1))).toEqual({ waiting: [] });
    const orphan = folder(newId(Date.now()), newId(Date.now()), "orphan");
    expect(await write([orphan])).toEqual({ waiting: [0] });
    expect(await write([orphan], true)).toEqual({ waiting: [] });
    const { results } = await libraries
      .bindingOf(shard)
      .prepare("SELECT name, parent_id FROM folders WHERE account_id = ? ORDER BY name")
      .bind(id)
      .all();
    expect(results).toEqual([
      { name: "child", parent_id: parent },
      { name: "orphan", parent_id: null },
      { name: "parent", parent_id: null },
    ]);
  });

  it("Statements name only columns of the schema", async () => {
    const run: RunSql = async (sql, ...values) =>
      (
        await env.DB.prepare(sql)
          .bind(...values)
          .all()
      ).results;
    const table = await findTable(run, "keys");
    if (table === undefined) throw new Error("no table");
    const { insert } = writeStatements(table, { columns: table.columns, rows: [], withoutParents: false });
    expect(insert).toContain('EXISTS (SELECT 1 FROM "accounts"');
    expect(await findTable(run, "sqlite_master")).toBeUndefined();
  });
});

describe("guards", () => {
  it("A backup is not restored into an installation with accounts, and nothing is written without a restore", async () => {
    await openAccount();
    const begun = await asOperator("POST", "/admin/restore", { backup: "b" });
    expect([begun.status, await begun.json()]).toMatchObject([409, { code: "installation_not_empty" }]);
    const facts = encodeURIComponent(JSON.stringify({ httpMetadata: {}, customMetadata: {} }));
    const put = await call(`/admin/restore/file?key=uploads/x&facts=${facts}&sha256=${"0".repeat(64)}`, {
      method: "PUT",
      headers: { ...ADMIN, "Content-Length": "1" },
      body: "x",
    });
    expect([put.status, await put.json()]).toMatchObject([409, { code: "restore_not_begun" }]);
  });

  it("A file is read in ranges of one version, and written only with the bytes of its hash", async () => {
    const { etag } = (await env.FILES.put("uploads/t/file", "0123456789")) as R2Object;
    const range = (more: string) => call(`/admin/backup/file?key=uploads/t/file&${more}`, { headers: ADMIN });
    expect(await (await range(`etag=${etag}&offset=2&length=3`)).text()).toBe("234");
    expect((await range("etag=other&offset=0&length=1")).status).toBe(412);
    expect((await range(`etag=${etag}&offset=9&length=2`)).status).toBe(416);
    expect((await range(`etag=${etag}&offset=0&length=16777217`)).status).toBe(400);
    await env.FILES.put("restore", "test");
    const facts = encodeURIComponent(
      JSON.stringify({ httpMetadata: { contentType: "image/png" }, customMetadata: { a: "b" } }),
    );
    const put = (sha256: string) =>
      call(`/admin/restore/file?key=uploads/t/other&facts=${facts}&sha256=${sha256}`, {
        method: "PUT",
        headers: ADMIN,
        body: "abc",
      });
    expect((await put("0".repeat(64))).status).toBe(400);
    expect((await put("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")).status).toBe(200);
    const object = await env.FILES.get("uploads/t/other");
    expect([await object?.text(), object?.httpMetadata?.contentType, object?.customMetadata]).toEqual([
      "abc",
      "image/png",
      { a: "b" },
    ]);
  });
});
