import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { toGrams } from "../../../src/db/listing/search-grams.ts";
import { firstIdAt, newUploadId, type Shard } from "../../../src/domain/ids.ts";
import {
  fileKey,
  keyAs,
  movedKey,
  previewKey,
  thumbnailKey,
  variantsPrefix,
  visibleVariantsPrefix,
} from "../../../src/domain/object-key.ts";
import {
  expectConsistent,
  meterOf,
  readMeter,
  replayIntents,
  replayTwice,
  setStorageBytes,
} from "../../support/api/account-state.ts";
import { bearer, call, callJson, openProAccount, type UploadResult, uploadOne } from "../../support/api/api.ts";
import { inLibraries, libraries, libraryOf, shardOf } from "../../support/api/databases.ts";
import { changeImage, createFolder, deleteImage, listPage } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { open, setVisibility } from "../../support/private/private-files.ts";
import { kindsOf, moveAway, objectKeys, reconcile, reconcileAll } from "../../support/reconcile/reconcile.ts";
import { Moment } from "../../support/reconcile/time-travel.ts";

type Account = Awaited<ReturnType<typeof openProAccount>>;

interface Stage {
  readonly account: Account;
  readonly photo: UploadResult;
  readonly film: UploadResult;
  readonly folderId: string;
}

let stage: Stage;

beforeEach(async () => {
  const account = await openProAccount();
  const folderId = await createFolder(account.token, "Holidays");
  const photo = await uploadOne(account.apiKey, { name: "a.png", bytes: png() }, { folderId, tags: "sun,sea" });
  const film = await uploadOne(account.apiKey, { name: "b.mp4", bytes: mp4(2000) });
  await changeImage(account.token, photo._id, { favorite: true });
  await env.FILES.put(thumbnailKey(account.id, film._id), new Uint8Array(300));
  await meterOf(account.id).settleThumbnail(film._id);
  stage = { account, photo, film, folderId };
});

const sql =
  (query: string) =>
  async ({ account, photo, film }: Stage) => {
    const values: Record<string, string> = {
      account: account.id,
      photo: photo._id,
      film: film._id,
      key: account.apiKeyId,
    };
    const names = [...query.matchAll(/:(\w+)/g)].map(([, name = ""]) => values[name]);
    await inLibraries(query.replace(/:\w+/g, "?"), ...names);
  };

async function inMeter({ account }: Stage, query: string, ...values: (string | number)[]): Promise<void> {
  await runInDurableObject(meterOf(account.id), (_meter, { storage }) => {
    storage.sql.exec(query, ...values);
  });
  await evictDurableObject(meterOf(account.id));
}

async function recordViews(accountId: string, count: number): Promise<void> {
  const views = Array.from({ length: count }, () => ({
    id: crypto.randomUUID(),
    at: Date.now(),
    resourceId: "01arz3ndektsv4rrffq69g5fav",
  }));
  await meterOf(accountId).recordViews(views);
}

async function knowMoved(shard: Shard, accountId: string, uploadId: string): Promise<void> {
  const insert = libraries.bindingOf(shard).prepare("INSERT INTO moved_uploads (id, account_id) VALUES (?, ?)");
  await insert.bind(uploadId, accountId).run();
}

const keyOf = (upload: UploadResult) => upload.filename;

async function replaced({ account, photo }: Stage): Promise<UploadResult> {
  const init = { method: "PUT", headers: bearer(account.apiKey), body: png(3, 2, 700) };
  const response = await call(`/images/${photo._id}/content?filename=new.png`, init);
  expect(response.status).toBe(200);
  await replayTwice(account.id);
  expect(await kindsOf(account.id)).toEqual([]);
  return response.json();
}

const pointerOf = ({ account, photo }: Stage) => movedKey(account.id, photo._id);

/** The library restored to a moment before this change. */
async function before(stage: Stage, change: (stage: Stage) => Promise<unknown>): Promise<void> {
  const moment = await Moment.of([stage.account.id]);
  await change(stage);
  await moment.restore([stage.account.id]);
}

async function makePrivate({ account, photo }: Stage): Promise<void> {
  await setVisibility(account.token, photo._id, "private");
  await replayTwice(account.id);
}

/** A damage that is done to a store directly, its findings in the comparison, and the state after the repair. */
const REPAIRED: readonly [string, (stage: Stage) => Promise<unknown>, readonly string[]][] = [
  [
    "a time of deletion that only the row has",
    sql("UPDATE uploads SET expires_at = 4102444800000 WHERE id = :photo AND account_id = :account"),
    ["expiry-differs"],
  ],
  [
    "a time of deletion that the row lacks",
    async (stage) => {
      const { account, photo } = stage;
      await meterOf(account.id).setExpiry({ id: photo._id, sizeBytes: photo.fileSize }, Date.now() + 1e9);
      await replayTwice(account.id);
      await sql("UPDATE uploads SET expires_at = NULL WHERE id = :photo AND account_id = :account")(stage);
    },
    ["expiry-differs"],
  ],
  [
    "a public variant of a private file",
    async ({ account }) => {
      const file = { name: "c.png", bytes: png(1, 1, 300) };
      const { _id } = await uploadOne(account.apiKey, file, { visibility: "private" });
      const sizes = { "w64-q75.jpg": 9, "private/w64-q75.jpg": 9 };
      await env.FILES.put(`${visibleVariantsPrefix(account.id, _id, "private")}w64-q75.jpg`, "a variant");
      expect(await kindsOf(account.id)).toEqual(["variants-miscounted"]);
      await env.FILES.put(`${visibleVariantsPrefix(account.id, _id, "public")}w64-q75.jpg`, "a variant");
      await env.VARIANT_BUDGET.getByName(account.id).recount(_id, {}, sizes);
    },
    ["variants-public"],
  ],
  ["a row that is gone", sql("DELETE FROM uploads WHERE id = :photo AND account_id = :account"), ["row-lost"]],
  [
    "the row of a video that is gone",
    sql("DELETE FROM uploads WHERE id = :film AND account_id = :account"),
    ["row-lost"],
  ],
  [
    "a deleted upload's row that is there again",
    async (given) => {
      const rows = await inLibraries<Record<string, unknown>>("SELECT * FROM uploads WHERE id = ?", given.photo._id);
      await deleteImage(given.account.token, given.photo._id);
      const [row = {}] = rows;
      const names = Object.keys(row).filter((name) => name !== "number");
      const library = libraries.bindingOf(await shardOf(given.account.id));
      const insert = `INSERT INTO uploads (number, ${names.join()}) VALUES (CAST(? AS INTEGER), ${names.map(() => "?").join()})`;
      await library
        .prepare(insert)
        .bind(String(BigInt(given.photo.createdAt.length) << 20n), ...names.map((name) => row[name]))
        .run();
    },
    ["row-of-deleted"],
  ],
  [
    "a deleted upload's file that is there again",
    async ({ account, photo }) => {
      await deleteImage(account.token, photo._id);
      await env.FILES.put(keyOf(photo), png());
    },
    ["object-of-deleted"],
  ],
  [
    "a deleted upload's thumbnail that is there again",
    async ({ account, film }) => {
      await deleteImage(account.token, film._id);
      await env.FILES.put(thumbnailKey(account.id, film._id), new Uint8Array(300));
    },
    ["thumbnail-differs"],
  ],
  [
    "a file that no upload has ever had",
    async ({ account }) => {
      const id = newUploadId(Date.now(), await shardOf(account.id));
      await env.FILES.put(fileKey(account.id, id, "x.png"), png());
    },
    ["orphan-object"],
  ],
  [
    "a preview of no upload",
    async ({ account }) => {
      const id = newUploadId(Date.now(), await shardOf(account.id));
      await env.FILES.put(previewKey(account.id, id), new Uint8Array(300));
    },
    ["preview-left"],
  ],
  [
    "a deleted upload's preview that is there again",
    async ({ account, photo }) => {
      await deleteImage(account.token, photo._id);
      await env.FILES.put(previewKey(account.id, photo._id), new Uint8Array(300));
    },
    ["preview-left"],
  ],
  [
    "a preview of former bytes",
    ({ account, photo }) => env.FILES.put(previewKey(account.id, `${photo._id}.0000000a`), new Uint8Array(300)),
    ["preview-left"],
  ],
  [
    "variants of former bytes",
    ({ account, photo }) =>
      env.FILES.put(`${variantsPrefix(account.id, `${photo._id}.0000000a`)}w16-q75.jpg`, new Uint8Array(300)),
    ["variants-left"],
  ],
  [
    "earlier URLs that lead nowhere",
    async (stage) => {
      await replaced(stage);
      await env.FILES.delete(pointerOf(stage));
    },
    ["pointer-differs"],
  ],
  [
    "earlier URLs that lead to former bytes",
    async (stage) => {
      await replaced(stage);
      await env.FILES.put(pointerOf(stage), keyOf(stage.photo));
    },
    ["pointer-differs"],
  ],
  [
    "earlier URLs of an upload whose bytes were never replaced",
    (stage) => env.FILES.put(pointerOf(stage), `${keyOf(stage.photo)}.gif`),
    ["pointer-left"],
  ],
  [
    "earlier URLs of a deleted upload",
    async (stage) => {
      const { filename } = await replaced(stage);
      await deleteImage(stage.account.token, stage.photo._id);
      await replayTwice(stage.account.id);
      await env.FILES.put(pointerOf(stage), filename);
    },
    ["pointer-left"],
  ],
  [
    "earlier URLs of no upload",
    async ({ account }) => {
      const id = newUploadId(Date.now(), await shardOf(account.id));
      await env.FILES.put(movedKey(account.id, id), fileKey(account.id, id, "x.png"));
    },
    ["pointer-left"],
  ],
  [
    "the row of a replaced file that is gone",
    async (stage) => {
      await replaced(stage);
      await sql("DELETE FROM uploads WHERE id = :photo AND account_id = :account")(stage);
    },
    ["row-lost"],
  ],
  ["a row that is older than the file's bytes", (stage) => before(stage, replaced), ["row-outdated"]],
  [
    "a row that is older than the file's bytes, which the log has forgotten",
    async (stage) => {
      await before(stage, replaced);
      await inMeter(stage, "UPDATE class_a_operations SET row = NULL WHERE id = ?", `upload:${stage.photo._id}`);
    },
    ["row-outdated"],
  ],
  ["a row that is older than the file's visibility", (stage) => before(stage, makePrivate), ["row-outdated"]],
  ["a second file beside an upload's", ({ photo }) => env.FILES.put(`${keyOf(photo)}.gif`, png()), ["orphan-object"]],
  [
    "a row with another size than its file",
    sql("UPDATE uploads SET size_bytes = size_bytes + 7 WHERE id = :photo AND account_id = :account"),
    ["size-differs"],
  ],
  [
    "a thumbnail of no upload",
    async ({ account }) => {
      const id = newUploadId(Date.now(), await shardOf(account.id));
      await env.FILES.put(thumbnailKey(account.id, id), new Uint8Array(300));
    },
    ["thumbnail-differs"],
  ],
  [
    "a thumbnail that is gone",
    ({ account, film }) => env.FILES.delete(thumbnailKey(account.id, film._id)),
    ["thumbnail-differs"],
  ],
  [
    "a thumbnail that the row does not know of",
    sql("UPDATE uploads SET thumbnail_size_bytes = NULL WHERE id = :film AND account_id = :account"),
    ["thumbnail-differs"],
  ],
  [
    "a thumbnail that is not counted",
    (given) => inMeter(given, "DELETE FROM thumbnails WHERE upload_id = ?", given.film._id),
    ["storage-figure", "thumbnail-differs"],
  ],
  [
    "an upload that the index of names has lost",
    sql(
      "DELETE FROM upload_search WHERE rowid = (SELECT number FROM uploads WHERE id = :photo AND account_id = :account)",
    ),
    ["search-missing"],
  ],
  [
    "an upload that the index of names has under another's",
    async ({ account, photo, film }) => {
      const rows = "SELECT number FROM uploads WHERE id = ? AND account_id = ?";
      await inLibraries(`DELETE FROM upload_search WHERE rowid = (${rows})`, photo._id, account.id);
      const grams = toGrams(account.id, film.filename, "b.mp4");
      const insert = `INSERT INTO upload_search (rowid, grams) SELECT number, ? FROM uploads WHERE id = ? AND account_id = ?`;
      await inLibraries(insert, grams, photo._id, account.id);
    },
    ["search-wrong"],
  ],
  [
    "operations of the month that are too many",
    (given) => inMeter(given, "UPDATE account SET used_tenths = used_tenths + 50"),
    ["operations-differ"],
  ],
  [
    "operations of the month that are lost",
    (given) => inMeter(given, "UPDATE account SET used_tenths = 0, day_a_tenths = 0"),
    ["operations-differ"],
  ],
  [
    "a day's operations that are too many",
    (given) => inMeter(given, "UPDATE account SET day_a_tenths = day_a_tenths + 10"),
    ["operations-differ"],
  ],
  [
    "an upload that the shard where it was made has forgotten",
    async ({ account, photo }) => {
      const shard = await moveAway(account.id);
      const forget = libraries.bindingOf(shard).prepare("DELETE FROM moved_uploads WHERE id = ? AND account_id = ?");
      expect((await forget.bind(photo._id, account.id).run()).meta.changes).toBe(1);
    },
    ["moved-missing"],
  ],
  [
    "a deleted upload that the shard where it was made still knows",
    async ({ account, photo }) => {
      const shard = await moveAway(account.id);
      await deleteImage(account.token, photo._id);
      await knowMoved(shard, account.id, photo._id);
    },
    ["moved-stray"],
  ],
  [
    "an upload that a shard holds to be elsewhere and has itself",
    async ({ account, photo }) => {
      await moveAway(account.id);
      await moveAway(account.id);
      await knowMoved(await shardOf(account.id), account.id, photo._id);
    },
    ["moved-stray"],
  ],
  ["tags that are lost", sql("DELETE FROM upload_tags WHERE account_id = :account AND tag = 'sun'"), ["tags-missing"]],
  ["tags of a folder that are lost", sql("DELETE FROM folder_tags WHERE account_id = :account"), ["tags-missing"]],
  [
    "a tag that no upload has",
    sql(
      "INSERT INTO upload_tags SELECT account_id, status, 'rain', number FROM uploads WHERE id = :photo AND account_id = :account",
    ),
    ["tags-stray"],
  ],
  [
    "a folder's tag that no upload has",
    sql(
      "INSERT INTO folder_tags SELECT account_id, '', status, 'sun', number FROM uploads WHERE id = :photo AND account_id = :account",
    ),
    ["tags-stray"],
  ],
  [
    "counts that are too high",
    sql("UPDATE upload_counts SET count = count + 1, bytes = bytes + 10 WHERE account_id = :account AND facet = 'day'"),
    ["counts-differ"],
  ],
  [
    "counts of bytes that are wrong",
    sql("UPDATE upload_counts SET bytes = bytes + 10 WHERE account_id = :account AND facet = 'type'"),
    ["counts-differ"],
  ],
  [
    "counts that are lost",
    sql("DELETE FROM upload_counts WHERE account_id = :account AND facet <> 'type'"),
    ["counts-differ"],
  ],
  [
    "a count of nothing",
    sql("INSERT INTO upload_counts VALUES (:account, '*', 'tag', 'trash', 'rain', 3, 30)"),
    ["counts-differ"],
  ],
  ["a figure that is too high", ({ account }) => setStorageBytes(account.id, 1_000_000), ["storage-figure"]],
  ["a figure that is too low", ({ account }) => setStorageBytes(account.id, 0), ["storage-figure"]],
  [
    "another tier in the directory",
    ({ account }) =>
      env.DB.prepare("UPDATE accounts SET tier = 'free', billing_anchor_at = NULL WHERE id = ?").bind(account.id).run(),
    ["account-differs"],
  ],
  [
    "other settings in the directory",
    ({ account }) =>
      env.DB.prepare("UPDATE accounts SET auto_compress = 1, compression_quality = 51 WHERE id = ?")
        .bind(account.id)
        .run(),
    ["account-differs"],
  ],
  [
    "another shard in the directory",
    async ({ account }) => {
      const other = (await shardOf(account.id)) === "00" ? "01" : "00";
      await env.DB.prepare("UPDATE accounts SET shard = ? WHERE id = ?").bind(other, account.id).run();
    },
    ["account-differs"],
  ],
  [
    "another password in the directory",
    ({ account }) => env.DB.prepare("UPDATE accounts SET password_hash = 'older' WHERE id = ?").bind(account.id).run(),
    ["account-differs"],
  ],
  [
    "a key that the directory has lost",
    ({ account }) => env.DB.prepare("DELETE FROM keys WHERE id = ?").bind(account.apiKeyId).run(),
    ["key-lost"],
  ],
  [
    "a revoked key that lives again",
    async ({ account }) => {
      await call(`/keys/${account.apiKeyId}`, { method: "DELETE", headers: bearer(account.token) });
      await env.DB.prepare("UPDATE keys SET revoked_at = NULL WHERE id = ?").bind(account.apiKeyId).run();
    },
    ["revoked-key-lives"],
  ],
  [
    "an account that the directory has lost",
    ({ account }) => env.DB.prepare("DELETE FROM accounts WHERE id = ?").bind(account.id).run(),
    ["account-lost", "key-lost"],
  ],
  [
    "a library that the shard holds to have left",
    sql("UPDATE libraries SET state = 'left' WHERE id = :account"),
    ["library-lost"],
  ],
  [
    "a library that the shard has lost with all that is in it",
    async ({ account }) => {
      const library = libraries.bindingOf(await shardOf(account.id));
      await library.batch(
        ["uploads", "folders", "upload_counts", "upload_tags", "folder_tags"].map((table) =>
          library.prepare(`DELETE FROM ${table} WHERE account_id = ?`).bind(account.id),
        ),
      );
      await library.prepare("DELETE FROM libraries WHERE id = ?").bind(account.id).run();
    },
    ["library-lost", "row-lost"],
  ],
];

describe("Damaged stores", () => {
  it.each(REPAIRED)(
    "A damage (%s) is found and reported, then repaired, and not found again",
    async (_, damage, kinds) => {
      const { account } = stage;
      expect(await kindsOf(account.id)).toEqual([]);
      await damage(stage);
      const told = await reconcile(account.id, false);
      expect(told.findings.every(({ repaired }) => !repaired)).toBe(true);
      // The consequences of a row's damage are reported with it: counts and figures are compared as they are.
      expect([...new Set(told.findings.map(({ kind }) => kind))]).toEqual(expect.arrayContaining([...kinds]));
      const repaired = await reconcile(account.id, true);
      const found = new Set(repaired.findings.map(({ kind }) => kind));
      expect([...found]).toEqual(expect.arrayContaining([...kinds]));
      expect(repaired.findings.filter(({ repaired }) => !repaired)).toEqual([]);
      expect(await kindsOf(account.id)).toEqual([]);
      expect(await kindsOf(account.id, true)).toEqual([]);
    },
  );
});

describe("Restored databases", () => {
  it("A row that is older than its file gets the file's facts, and every URL works as before", async () => {
    let second: UploadResult | undefined;
    await before(stage, async (given) => {
      second = await replaced(given);
      await makePrivate(given);
    });
    const { account, photo } = stage;
    await reconcile(account.id, true);
    const found = await call(`/images/${photo._id}`, { headers: bearer(account.token) });
    const { url, sha256, fileSize, size } = second ?? photo;
    expect(await found.json()).toMatchObject({
      url,
      sha256,
      fileSize,
      size,
      visibility: "private",
      tags: ["sun", "sea"],
    });
    expect(await open(photo.url)).toBe("signature_required");
    expect((await objectKeys(account.id)).filter((key) => key.includes(photo._id))).toEqual([]);
    expect(await env.FILES.head(keyAs(second?.filename ?? "", "private"))).not.toBeNull();
    expect(await kindsOf(account.id)).toEqual([]);
  });

  it("A file of an upload that has lost its row's file is kept", async () => {
    const { account, photo } = stage;
    const other = fileKey(account.id, `${photo._id}.0000000a`, "other.png");
    await env.FILES.put(other, png());
    await env.FILES.delete(keyOf(photo));
    const { findings } = await reconcile(account.id, true);
    expect(findings.map(({ kind, repaired }) => [kind, repaired]).sort()).toEqual([
      ["file-lost", false],
      ["unexplained-object", false],
    ]);
    expect(await env.FILES.head(other)).not.toBeNull();
  });
});

describe("Erased accounts", () => {
  it("An erased account's object for earlier URLs is found, and the account is erased again", async () => {
    const { account, photo } = stage;
    await callJson("DELETE", "/account", account.token, { password: account.password });
    await replayIntents(account.id);
    const key = movedKey(account.id, photo._id);
    await env.FILES.put(key, keyOf(photo));
    await reconcileAll(true);
    expect(await env.FILES.head(key)).toBeNull();
  });

  it("An erased account's leftover preview is found, and the account is erased again", async () => {
    const { account, photo } = stage;
    await callJson("DELETE", "/account", account.token, { password: account.password });
    await replayIntents(account.id);
    const key = previewKey(account.id, photo._id);
    await env.FILES.put(key, new Uint8Array(300));
    const { findings } = await reconcileAll(true);
    expect(findings).toContainEqual(expect.objectContaining({ accountId: account.id, kind: "erased-account" }));
    expect(await env.FILES.head(key)).toBeNull();
  });
});

describe("Irreparable damage", () => {
  it("A row without its file is reported in every run; it is kept, and counts as before", async () => {
    const { account, photo } = stage;
    const { storageBytes } = await readMeter(account.id);
    await env.FILES.delete(keyOf(photo));
    for (const repair of [true, true, false]) {
      expect((await reconcile(account.id, repair)).findings).toEqual([
        { kind: "file-lost", subject: photo._id, detail: keyOf(photo), repaired: false },
      ]);
    }
    expect((await readMeter(account.id)).storageBytes).toBe(storageBytes);
    expect((await deleteImage(account.token, photo._id)).status).toBe(200);
    expect(await kindsOf(account.id)).toEqual([]);
  });

  it("An upload with neither row nor file is reported by its name from the log", async () => {
    const { account, photo } = stage;
    await env.FILES.delete(keyOf(photo));
    await sql("DELETE FROM uploads WHERE id = :photo AND account_id = :account")(stage);
    const { findings } = await reconcile(account.id, true);
    expect(findings).toContainEqual({ kind: "upload-lost", subject: photo._id, detail: "a.png", repaired: false });
  });

  it("A file older than the log is kept, as its answer is unknown", async () => {
    const { account } = stage;
    const id = firstIdAt(Date.now() - 100 * 86_400_000) + newUploadId(Date.now(), await shardOf(account.id)).slice(10);
    const key = fileKey(account.id, id, "old.png");
    await env.FILES.put(key, png());
    expect((await reconcile(account.id, true)).findings).toEqual([
      { kind: "unexplained-object", subject: key, repaired: false },
    ]);
    expect(await objectKeys(account.id)).toContain(key);
  });

  it("A recent file without an upload is kept: its upload may still be undone", async () => {
    const { account } = stage;
    const id = newUploadId(Date.now(), await shardOf(account.id));
    await env.FILES.put(fileKey(account.id, id, "x.png"), png());
    expect((await reconcile(account.id, true, 60_000)).findings).toEqual([]);
  });

  it("Files without an upload beyond a night's limit are reported, and removed another night", async () => {
    const { account } = stage;
    for (const _ of [1, 2, 3]) {
      const id = newUploadId(Date.now(), await shardOf(account.id));
      await env.FILES.put(fileKey(account.id, id, "x.png"), png());
    }
    const before = (await objectKeys(account.id)).length;
    const { findings } = await reconcile(account.id, true, 0, 2);
    expect(findings.map(({ kind, repaired }) => [kind, repaired])).toEqual([
      ["orphan-object", true],
      ["orphan-object", true],
      ["orphan-object", false],
    ]);
    expect((await objectKeys(account.id)).length).toBe(before - 2);
    expect(await kindsOf(account.id, true)).toEqual(["orphan-object"]);
    expect(await kindsOf(account.id)).toEqual([]);
  });

  it("A key of unknown form is reported, and kept", async () => {
    const { account } = stage;
    const key = `uploads/${account.id}/somebody/elses.txt`;
    await env.FILES.put(key, "x");
    expect((await reconcile(account.id, true)).findings).toEqual([
      { kind: "foreign-object", subject: key, repaired: false },
    ]);
  });
});

describe("Recounted operations", () => {
  it("Recounted operations match the log, the days' sum, and the views as before", async () => {
    const { account } = stage;
    await recordViews(account.id, 3);
    const { operationsUsedTenths, classBTenths } = (await meterOf(account.id).read()) ?? {};
    expect(classBTenths).toBe(3);
    await inMeter(stage, "UPDATE account SET used_tenths = 3, day_a_tenths = 70");
    await reconcile(account.id, true);
    expect(await meterOf(account.id).read()).toMatchObject({ operationsUsedTenths, classBTenths });
    const days = await meterOf(account.id).listOperationDays(0, Number.MAX_SAFE_INTEGER);
    expect(days.reduce((sum, day) => sum + day.classATenths + day.classBTenths, 0)).toBe(operationsUsedTenths);
  });
});

describe("Restored rows", () => {
  it("A restored row has its name, folder, tags and size, and is found by search", async () => {
    const { account, photo, folderId } = stage;
    await sql("DELETE FROM uploads WHERE id = :photo AND account_id = :account")(stage);
    await reconcile(account.id, true);
    const { images } = await listPage(account.apiKey, { q: "a.png" });
    expect(images).toEqual([
      expect.objectContaining({ _id: photo._id, folderId, tags: ["sun", "sea"], prompt: "a.png" }),
    ]);
    expect((await call(new URL(photo.url).pathname)).status).toBe(200);
  });

  it("A restored row is in Root if its folder was deleted", async () => {
    const { account, photo } = stage;
    await sql("DELETE FROM uploads WHERE id = :photo AND account_id = :account")(stage);
    await (await libraryOf(account.id)).binding
      .prepare("DELETE FROM folders WHERE account_id = ?")
      .bind(account.id)
      .run();
    await reconcile(account.id, true);
    const { images } = await listPage(account.apiKey, { q: "a.png" });
    expect(images).toEqual([expect.objectContaining({ _id: photo._id, folderId: null })]);
  });

  it("A restored row leaves figures and rows as if it had never been lost", async () => {
    const { account, film } = stage;
    await deleteImage(account.token, film._id);
    await sql("DELETE FROM uploads WHERE id = :photo AND account_id = :account")(stage);
    await reconcile(account.id, true);
    await expectConsistent(account.id);
  });
});
