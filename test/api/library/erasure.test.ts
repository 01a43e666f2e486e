import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { deleteLibrary } from "../../../src/db/library/erase-library.ts";
import { bearer, call, callJson, openAccount, uploadOne } from "../../support/api/api.ts";
import { libraries, libraryOf } from "../../support/api/databases.ts";
import { changeImage, createFolder, deleteImage } from "../../support/library/api.ts";
import { png } from "../../support/media/samples.ts";

/**
 * The tables of the databases that have a row with this text. Blocks of a full-text index are left out: a deleted row's terms stay in them
 * until FTS5 next merges, and match no row until then.
 */
async function tablesWith(text: string): Promise<string[]> {
  const databases = [env.DB, ...libraries.shards.map((shard) => libraries.bindingOf(shard))];
  return (await Promise.all(databases.map((database) => tablesOf(database, text)))).flat();
}

async function tablesOf(database: D1Database, text: string): Promise<string[]> {
  const tables = await database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  const names = tables.results.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_)|_(data|idx)$/.test(name));
  const columns = await database.batch<{ name: string }>(
    names.map((name) => database.prepare(`PRAGMA table_info("${name}")`)),
  );
  // Searched in the database: the rows of the other tests are there too, by the thousands.
  const found = await database.batch(
    names.map((name, at) => {
      const holds = columns[at]?.results.map((column) => `instr(CAST("${column.name}" AS BLOB), CAST(?1 AS BLOB))`);
      return database.prepare(`SELECT 1 FROM "${name}" WHERE ${holds?.join(" OR ")} LIMIT 1`).bind(text);
    }),
  );
  return names.filter((_, at) => found[at]?.results.length !== 0);
}

it("A deleted upload leaves nothing in the databases", async () => {
  const account = await openAccount();
  const folderId = await createFolder(account.token, "One");
  const file = { name: "zqxjkvbwyf.png", bytes: png() };
  const { _id } = await uploadOne(account.token, file, { folderId, tags: "jhqwzvkxpy" });
  await changeImage(account.token, _id, { favorite: true, tags: ["jhqwzvkxpy", "xkcqjzwvhp"] });
  expect(await tablesWith(_id)).not.toEqual([]);
  expect((await deleteImage(account.token, _id)).status).toBe(200);
  for (const text of [_id, "zqxjkvbwyf", "jhqwzvkxpy", "xkcqjzwvhp"]) expect(await tablesWith(text)).toEqual([]);
});

it("An upload whose row is written during an erasure is deleted with its account and its count", async () => {
  const account = await openAccount();
  const folderId = await createFolder(account.token, "One");
  await uploadOne(account.token, { name: "late.png", bytes: png() }, { folderId, tags: "one" });
  // The step that follows when no upload was found any more.
  await deleteLibrary(await libraryOf(account.id), account.id);
  expect(await tablesWith(account.id)).toEqual(["accounts", "keys"]);
});

it("A deleted account leaves nothing in the databases", async () => {
  const account = await openAccount();
  const folderId = await createFolder(account.token, "wvkqzjhxpc");
  for (const fields of [{ folderId: "root" }, { folderId }]) {
    const file = { name: "pqjzxwkvhc.png", bytes: png() };
    const { _id } = await uploadOne(account.token, file, { ...fields, tags: "hxzqwjkpvc" });
    await changeImage(account.token, _id, { favorite: true });
  }
  expect(await tablesWith(account.id)).not.toEqual([]);
  const response = await callJson("DELETE", "/account", account.token, { password: account.password });
  expect(response.status).toBe(200);
  expect((await call("/images", { headers: bearer(account.token) })).status).toBe(401);
  for (const text of [account.id, "wvkqzjhxpc", "pqjzxwkvhc", "hxzqwjkpvc"]) {
    expect(await tablesWith(text), text).toEqual([]);
  }
});
