import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { ConstraintError } from "../../../src/db/constraint-error.ts";
import { changeTier } from "../../../src/db/directory/account-changes.ts";
import { insertAccount } from "../../../src/db/directory/accounts.ts";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import { insertApiKey } from "../../../src/db/directory/keys.ts";
import type { Account, Key } from "../../../src/db/directory/schema.ts";
import { insertFolder, updateFolder } from "../../../src/db/library/folders.ts";
import { openLibraries } from "../../../src/db/library/library.ts";
import type { Folder, Upload } from "../../../src/db/library/schema.ts";
import { updateUploads } from "../../../src/db/library/update-uploads.ts";
import { insertUploads, NEW_UPLOAD, updateStatus } from "../../../src/db/library/uploads.ts";
import { newId } from "../../../src/domain/ids.ts";
import { fileKey } from "../../../src/domain/object-key.ts";
import { MAX_TAGS } from "../../../src/domain/tags.ts";
import { openAccount } from "../../support/api/api.ts";

// An error may come after the commit, so a retried statement must be repeatable.

const LIMITLESS = { revokedAt: null, expiresAt: null, folderId: null };
const BY = { by: "session", at: 1 } as const;

/** D1 that loses the answer to the first of every call that runs something, after it was carried out. */
function forgetful(database: D1Database): D1Database {
  let calls = 0;
  const lose = async <T>(run: () => Promise<T>): Promise<T> => {
    const result = await run();
    calls += 1;
    if (calls % 2 === 1) throw new Error("D1_ERROR: Network connection lost.");
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => lose(() => member.apply(target, args));
      },
    });
  return new Proxy(database, {
    get: (target, name) => {
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql));
      if (name === "batch") {
        return (statements: D1PreparedStatement[]) => lose(() => target.batch(statements));
      }
      return Reflect.get(target, name);
    },
  });
}

const twice = async <T>(attempt: () => Promise<T>, mayPass: (error: unknown) => boolean): Promise<T> => {
  try {
    return await attempt();
  } catch (error) {
    if (!mayPass(error)) throw error;
    return attempt();
  }
};

const forgetfulDirectory = () => openDirectory({ DB: forgetful(env.DB) }, twice);
const forgetfulLibrary = () => openLibraries({ LIBRARY_00: forgetful(env.LIBRARY_00) }, twice).open("00");
const library = openLibraries(env).open("00");

const countOf = async (sql: string, ...values: unknown[]) => {
  const database = /FROM (accounts|keys)/.test(sql) ? env.DB : env.LIBRARY_00;
  return (
    await database
      .prepare(sql)
      .bind(...values)
      .first<{ n: number }>()
  )?.n;
};

function someKey(accountId: string, kind: Key["kind"] = "api"): Key {
  const id = newId(Date.now());
  return { id, accountId, kind, name: "a", hash: id, lastFour: "aaaa", scopes: [], createdAt: 1, ...LIMITLESS };
}

function someUpload(accountId: string, folderId: string | null = null): Upload {
  const id = newId(Date.now());
  return {
    ...NEW_UPLOAD,
    id,
    accountId,
    folderId,
    objectKey: fileKey(accountId, id, "a.png"),
    originalFilename: "a.png",
    mimeType: "image/png",
    sizeBytes: 7,
    originalSizeBytes: 7,
    compressionQuality: null,
    width: 1,
    height: 1,
    tags: ["one", "two"],
    createdAt: Date.now(),
  };
}

function someFolder(accountId: string, name: string): Folder {
  return { id: newId(Date.now()), accountId, parentId: null, name, icon: null, createdAt: 1, updatedAt: 1 };
}

it("A repeated account insertion inserts one account, and its email does not count as taken", async () => {
  const id = newId(Date.now());
  const account: Account = {
    id,
    email: `${id}@example.com`,
    name: null,
    passwordHash: "",
    tier: "free",
    billingAnchorAt: null,
    emailVerifiedAt: null,
    verifyBy: null,
    operatorSince: null,
    shard: "00",
    autoCompress: false,
    compressionQuality: 65,
    createdAt: 1,
  };
  expect(await insertAccount(forgetfulDirectory(), account, someKey(id, "upload"))).toBe(true);
  expect(await countOf("SELECT count(*) AS n FROM keys WHERE account_id = ?", id)).toBe(1);
  const other = newId(Date.now());
  const taken = insertAccount(forgetfulDirectory(), { ...account, id: other }, someKey(other, "upload"));
  expect(await taken).toBe(false);
});

it("Repeated upload insertions insert, count and index each upload once", async () => {
  const { id } = await openAccount("free", "00");
  const rows = [someUpload(id), someUpload(id)];
  await insertUploads(forgetfulLibrary(), rows);
  expect(await countOf("SELECT count(*) AS n FROM uploads WHERE account_id = ?", id)).toBe(2);
  expect(
    await countOf(
      "SELECT count AS n FROM upload_counts WHERE account_id = ? AND folder_id = '*' AND facet = 'type'",
      id,
    ),
  ).toBe(2);
  const grams =
    "SELECT count(*) AS n FROM upload_search WHERE rowid IN (SELECT number FROM uploads WHERE account_id = ?)";
  expect(await countOf(grams, id)).toBe(2);
});

it("Repeated moves and changes report the number of uploads of the first try", async () => {
  const { id } = await openAccount("free", "00");
  const rows = [someUpload(id), someUpload(id), someUpload(id)];
  await insertUploads(library, rows);
  const ids = rows.map((row) => row.id);
  const trash = { from: "active", to: "trash" } as const;
  expect(await updateStatus(library, id, ids.slice(0, 1), trash, BY)).toBe(1);
  const change = { addTags: ["three"], favorite: true };
  expect(await updateUploads(library, id, ids.slice(0, 1), change, BY)).toBe(1);
  const db = forgetfulLibrary();
  expect(await updateStatus(db, id, ids, trash, BY)).toBe(2);
  expect(await updateStatus(db, id, ids, trash, BY)).toBe(0);
  expect(await updateUploads(db, id, ids, change, BY)).toBe(2);
  expect(await updateUploads(db, id, ids, change, BY)).toBe(0);
  const tooMany = Array.from({ length: MAX_TAGS }, (_, i) => `t${i}`);
  expect(await updateUploads(db, id, ids, { addTags: tooMany }, BY)).toBeUndefined();
  const kept = 'SELECT count(*) AS n FROM uploads WHERE account_id = ? AND history = \'[["trashed",1,"session"]]\'';
  expect(await countOf(kept, id)).toBe(3);
});

it("Repeated changes of folders, keys and tiers have the effect of one", async () => {
  const { id } = await openAccount("free", "00");
  const folder = someFolder(id, "Trips");
  expect(await insertFolder(forgetfulLibrary(), folder)).toBe(true);
  expect(await updateFolder(forgetfulLibrary(), id, folder.id, { name: "Peaks", updatedAt: 2 })).toBe(true);
  const key = someKey(id);
  expect(await insertApiKey(forgetfulDirectory(), key, 1)).toBe(true);
  expect(await insertApiKey(forgetfulDirectory(), someKey(id), 1)).toBe(false);
  expect(await countOf("SELECT count(*) AS n FROM keys WHERE id = ?", key.id)).toBe(1);
  await env.DB.prepare("UPDATE keys SET revoked_at = 1 WHERE account_id = ?").bind(id).run();
  const change = { tier: "starter", billingAnchorAt: 1 } as const;
  await changeTier(forgetfulDirectory(), { accountId: id, changedAt: 1 }, change, someKey(id, "upload"));
  expect(await countOf("SELECT count(*) AS n FROM keys WHERE account_id = ? AND revoked_at IS NULL", id)).toBe(1);
});

it("A statement that the schema refuses fails at once, and names the constraint", async () => {
  const { id } = await openAccount("free", "00");
  await insertFolder(library, someFolder(id, "Trips"));
  const refusals = [
    insertFolder(library, someFolder(id, "Trips")),
    insertUploads(library, [someUpload(id, "nowhere")]),
  ];
  const errors = await Promise.all(refusals.map((refusal) => refusal.catch((error: unknown) => error)));
  for (const error of errors) expect(error).toBeInstanceOf(ConstraintError);
  expect(errors.map((error) => (error as ConstraintError).constraint)).toEqual(["unique", "foreign-key"]);
});
