import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { replaceContent } from "../../../src/db/library/replace-content.ts";
import { findUpload } from "../../../src/db/library/uploads.ts";
import { newUploadId } from "../../../src/domain/ids.ts";
import {
  accountPrefixes,
  keyAs,
  movedKey,
  newVersion,
  thumbnailKey,
  variantsPrefix,
  versionOf,
} from "../../../src/domain/object-key.ts";
import { forgetBlockList } from "../../../src/services/uploads/known-bytes.ts";
import {
  expectConsistent,
  expectNothingLeft,
  leaveIntent,
  meterOf,
  readMeter,
  replayIntents,
  replayTwice,
  setStorageBytes,
  storedKeys,
} from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  openAccount,
  openProAccount,
  type TestAccount,
  type TestFile,
  type UploadResult,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import { libraryOf } from "../../support/api/databases.ts";
import { makePng } from "../../support/media/make-png.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { takeDown } from "../../support/operator/as-operator.ts";
import { find, open, pathOf, setVisibility, sign } from "../../support/private/private-files.ts";
import { made } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored, toVideo } from "../../support/thumbnails/queue.ts";

// New bytes for an upload (REPL-1 to REPL-3): the id stays, the URL changes, earlier URLs lead to the new one.

const GB = 1024 ** 3;

function put(token: string, id: string, { name, bytes }: TestFile, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append("file", new File([bytes], name));
  return call(`/images/${id}/content`, { method: "PUT", headers: bearer(token), body: form });
}

async function replaced(token: string, id: string, file: TestFile): Promise<UploadResult> {
  const response = await put(token, id, file);
  if (response.status !== 200) throw new Error(`PUT answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function bytesAt(url: string): Promise<Uint8Array> {
  const response = await call(pathOf(url));
  return new Uint8Array(await response.arrayBuffer());
}

async function redirectOf(url: string, init: RequestInit = {}) {
  const response = await call(pathOf(url), { ...init, redirect: "manual" });
  await response.body?.cancel();
  return { status: response.status, location: response.headers.get("Location") };
}

async function codeOf(response: Response): Promise<string> {
  return (await response.json<{ code: string }>()).code;
}

describe("`PUT /images/:id/content`", () => {
  it("The id and the facts stay, the bytes and the URL are new, and one operation counts", async () => {
    const account = await openAccount();
    const fields = { tags: "a,b", alt: "A view", externalId: "x1" };
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(2, 2, 400) }, fields);
    const before = await readMeter(account.id);
    const bytes = png(5, 3, 900);
    const second = await replaced(account.token, first._id, { name: "b.png", bytes });
    expect(second).toMatchObject({ _id: first._id, tags: ["a", "b"], alt: "A view", externalId: "x1" });
    expect(second).toMatchObject({ originalFilename: "b.png", fileSize: 900, size: { width: 5, height: 3 } });
    expect(second).toMatchObject({ createdAt: first.createdAt, mimeType: "image/png" });
    expect(second.url).not.toBe(first.url);
    expect(second.sha256).not.toBe(first.sha256);
    expect(await bytesAt(second.url)).toEqual(bytes);
    const after = await readMeter(account.id);
    expect([after.storageBytes, after.usedTenths - before.usedTenths]).toEqual([900, 10]);
    expect(await storedKeys(account.id)).toEqual([second.filename]);
    await expectConsistent(account.id);
  });

  it("Every earlier URL leads to the newest one, without a chain", async () => {
    const account = await openAccount();
    const urls: string[] = [];
    const { _id, url } = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) });
    urls.push(url);
    for (let at = 1; at <= 3; at++)
      urls.push((await replaced(account.token, _id, { name: `a${at}.png`, bytes: png(1, 1, 300 + at) })).url);
    const newest = urls.pop() ?? "";
    for (const former of urls) {
      expect(await redirectOf(`${former}?w=64`)).toEqual({ status: 307, location: `${pathOf(newest)}?w=64` });
      expect(await redirectOf(former, { method: "HEAD" })).toEqual({ status: 307, location: pathOf(newest) });
    }
    expect((await redirectOf(newest)).status).toBe(200);
  });

  it("A raw body without a name keeps the name, and one with a name takes it", async () => {
    const { token } = await openAccount();
    const { _id } = await uploadOne(token, { name: "Holiday 1.png", bytes: png(1, 1, 300) });
    const raw = (query: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      call(`/images/${_id}/content${query}`, { method: "PUT", headers: { ...bearer(token), ...headers }, body });
    const kept = await raw("", png(1, 1, 301), { "Content-Type": "application/x-www-form-urlencoded" });
    expect([kept.status, await kept.json()]).toMatchObject([200, { originalFilename: "Holiday 1.png" }]);
    const named = await raw("?filename=c.png", png(1, 1, 302));
    expect(await named.json()).toMatchObject({ originalFilename: "c.png" });
    const found = await call("/images?q=c.png", { headers: bearer(token) });
    expect((await found.json<{ images: { _id: string }[] }>()).images).toMatchObject([{ _id }]);
  });

  it("Settings apply as at an upload: the image is compressed", async () => {
    const { token } = await openAccount();
    await callJson("PATCH", "/settings", token, { autoCompress: true, compressionQuality: 60 });
    const { _id } = await uploadOne(token, { name: "a.png", bytes: png(1, 1, 300) });
    const bytes = await makePng(300, 200);
    const second = await replaced(token, _id, { name: "b.png", bytes });
    expect(second.originalFileSize).toBe(bytes.length);
    expect(second.fileSize).toBeLessThanOrEqual(bytes.length);
  });

  it("A video replaces an image, and gets its own thumbnail", async () => {
    const account = await openProAccount();
    const first = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    await deliverOne(stored(toVideo(account, first)), { processor: () => made() });
    const thumbnail = thumbnailKey(account.id, first._id);
    expect(await env.FILES.head(thumbnail)).not.toBeNull();
    const second = await replaced(account.apiKey, first._id, { name: "b.mp4", bytes: mp4(6000) });
    expect(await env.FILES.head(thumbnail)).toBeNull();
    expect((await readMeter(account.id)).storageBytes).toBe(6000);
    await deliverOne(stored(toVideo(account, second)), { processor: () => made() });
    expect(await find(account.token, first._id)).toMatchObject({
      thumbnail: "ready",
      thumbnailUrl: second.thumbnailUrl,
    });
    expect(await open(second.thumbnailUrl ?? "")).toBe(200);
    const third = await replaced(account.apiKey, first._id, { name: "c.png", bytes: png(1, 1, 350) });
    expect(third.thumbnailUrl).toBeUndefined();
    await expectConsistent(account.id);
  });

  it("A late thumbnail of former bytes is not the new file's", async () => {
    const account = await openProAccount();
    const first = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    let second: UploadResult | undefined;
    await deliverOne(stored(toVideo(account, first)), {
      processor: async () => {
        second ??= await replaced(account.apiKey, first._id, { name: "b.mp4", bytes: mp4(6000) });
        return made();
      },
    }).catch(() => undefined);
    expect(second).toBeDefined();
    expect(await find(account.token, first._id)).toMatchObject({ thumbnail: "pending" });
    expect((await readMeter(account.id)).storageBytes).toBe(6000);
    expect(await storedKeys(account.id)).toEqual([second?.filename]);
  });

  it("A late message about a former video makes no thumbnail of the image that has replaced it", async () => {
    const account = await openProAccount();
    const first = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    const second = await replaced(account.apiKey, first._id, { name: "b.png", bytes: png(1, 1, 350) });
    await deliverOne(stored(toVideo(account, first)), { processor: () => made() });
    expect(await storedKeys(account.id)).toEqual([second.filename]);
    expect((await readMeter(account.id)).storageBytes).toBe(350);
    await expectConsistent(account.id);
  });

  it("Variants and previews of former bytes are gone", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: await makePng(300, 200) });
    expect(await open(`${first.url}?w=64`)).toBe(200);
    const second = await replaced(account.token, first._id, { name: "a.png", bytes: await makePng(200, 300) });
    expect((await env.FILES.list({ prefix: variantsPrefix(account.id, first._id) })).objects).toEqual([]);
    expect(await open(`${second.url}?w=64`)).toBe(200);
    const { objects } = await env.FILES.list({ prefix: variantsPrefix(account.id, versionOf(second.filename)) });
    expect(objects).toHaveLength(1);
  });
});

describe("Refusals", () => {
  it("Nothing changes", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) });
    const text = { name: "a.txt", bytes: Uint8Array.from(Buffer.from("no image")) };
    expect((await put(account.token, first._id, text)).status).toBe(415);
    expect((await put(account.token, first._id, { name: "a.png", bytes: png(1, 1, 300) }, { tags: "x" })).status).toBe(
      400,
    );
    const two = new FormData();
    for (const name of ["a.png", "b.png"]) two.append("file", new File([png(1, 1, 300)], name));
    const both = await call(`/images/${first._id}/content`, {
      method: "PUT",
      headers: bearer(account.token),
      body: two,
    });
    expect([both.status, await codeOf(both)]).toEqual([400, "too_many_files"]);
    const json = await callJson("PUT", `/images/${first._id}/content`, account.token, {});
    expect([json.status, await codeOf(json)]).toEqual([400, "file_missing"]);
    expect(await storedKeys(account.id)).toEqual([first.filename]);
    expect((await readMeter(account.id)).storageBytes).toBe(300);
    await expectConsistent(account.id);
  });

  it("A file in the trash, a file that was taken down, and other people's files cannot be replaced", async () => {
    const account = await openAccount();
    const file = { name: "b.png", bytes: png(1, 1, 310) };
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(7, 7, 777) });
    await callJson("POST", "/images/bulk-trash", account.token, { ids: [first._id] });
    const trashed = await put(account.token, first._id, file);
    expect([trashed.status, await codeOf(trashed)]).toEqual([409, "image_in_trash"]);
    await callJson("POST", "/images/bulk-restore", account.token, { ids: [first._id] });
    const other = await openAccount();
    expect((await put(other.token, first._id, file)).status).toBe(403);
    expect((await put(account.token, newUploadId(Date.now(), "00"), file)).status).toBe(404);
    await takeDown({ url: first.url });
    const takenDown = await put(account.token, first._id, file);
    expect([takenDown.status, await codeOf(takenDown)]).toEqual([451, "taken_down"]);
    forgetBlockList();
    const again = await uploadOne(account.token, { name: "c.png", bytes: png(1, 1, 320) });
    const blocked = await put(account.token, again._id, { name: "a.png", bytes: png(7, 7, 777) });
    expect([blocked.status, await codeOf(blocked)]).toEqual([415, "content_blocked"]);
  });

  it("A confined key replaces files of its folder only", async () => {
    const account = await openProAccount();
    const folder = await (await callJson("POST", "/folders", account.token, { name: "mine" })).json<{ _id: string }>();
    const { key } = await createApiKey(account.token, [], { folderId: folder._id });
    const inside = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) }, { folderId: folder._id });
    const outside = await uploadOne(account.token, { name: "b.png", bytes: png(1, 1, 301) });
    expect((await put(key, inside._id, { name: "c.png", bytes: png(1, 1, 302) })).status).toBe(200);
    expect((await put(key, outside._id, { name: "c.png", bytes: png(1, 1, 303) })).status).toBe(404);
  });
});

describe("Storage", () => {
  it("A full account replaces a file by one of the same size, and not by a larger one", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 400) });
    await setStorageBytes(account.id, 5 * GB);
    const { storageLimitBytes } = (await meterOf(account.id).read()) ?? { storageLimitBytes: 0 };
    await setStorageBytes(account.id, storageLimitBytes);
    const larger = await put(account.token, first._id, { name: "b.png", bytes: png(1, 1, 401) });
    expect([larger.status, await codeOf(larger)]).toEqual([413, "storage_limit_exceeded"]);
    await replaced(account.token, first._id, { name: "b.png", bytes: png(2, 1, 400) });
    expect((await readMeter(account.id)).storageBytes).toBe(storageLimitBytes);
    await replaced(account.token, first._id, { name: "b.png", bytes: png(3, 1, 350) });
    expect((await readMeter(account.id)).storageBytes).toBe(storageLimitBytes - 50);
  });

  it("Replacements of one file at a time count its former bytes once", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 1000) });
    const sizes = [500, 700, 900, 1100];
    const answers = await Promise.all(
      sizes.map((size) => put(account.token, first._id, { name: "b.png", bytes: png(1, 1, size) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { fileSize } = await (await call(`/images/${first._id}`, { headers: bearer(account.token) })).json<{
      fileSize: number;
    }>();
    const state = await readMeter(account.id);
    expect(state.storageBytes).toBe(fileSize);
    expect(state.usedTenths).toBe(50);
    expect(await storedKeys(account.id)).toHaveLength(1);
    await expectConsistent(account.id);
  });

  it("The credit for former bytes is given once at a time", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 1000) });
    const { storageLimitBytes } = (await meterOf(account.id).read()) ?? { storageLimitBytes: 0 };
    await setStorageBytes(account.id, storageLimitBytes);
    const reserve = (uploadId: string) =>
      meterOf(account.id).reserve(
        {
          kind: "upload",
          uploadId,
          objectKey: `uploads/${account.id}/${newVersion(first._id, uploadId)}-a.png`,
          keyId: null,
          replaces: first._id,
        },
        1000,
        1000,
      );
    const [one, two] = [newUploadId(Date.now(), "00"), newUploadId(Date.now() + 1, "00")];
    expect((await reserve(one)).outcome).toBe("reserved");
    expect((await reserve(two)).outcome).toBe("storage-full");
    await meterOf(account.id).release([one]);
    expect((await reserve(two)).outcome).toBe("reserved");
    await meterOf(account.id).release([two]);
    await setStorageBytes(account.id, 1000);
  });
});

describe("Private files", () => {
  it("An earlier URL of a private file needs a signature, too, and does not reveal the new URL without it", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) }, { visibility: "private" });
    const second = await replaced(account.token, first._id, { name: "b.png", bytes: png(1, 1, 301) });
    expect(second).toMatchObject({ visibility: "private" });
    expect(await storedKeys(account.id)).toEqual([keyAs(second.filename, "private")]);
    expect(await open(first.url)).toBe("signature_required");
    expect((await redirectOf(first.url)).location).toBeNull();
    const { url } = await sign(account.token, first._id);
    const { search } = new URL(url);
    expect(await redirectOf(first.url + search)).toEqual({ status: 307, location: pathOf(second.url) + search });
    expect(await open(url)).toBe(200);
  });

  it("A change of visibility moves the new bytes, and earlier URLs follow", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) });
    const second = await replaced(account.token, first._id, { name: "b.png", bytes: png(1, 1, 301) });
    await setVisibility(account.token, first._id, "private");
    expect(await open(first.url)).toBe("signature_required");
    await setVisibility(account.token, first._id, "public");
    expect((await redirectOf(first.url)).location).toBe(pathOf(second.url));
    await expectConsistent(account.id);
  });
});

describe("Deletions", () => {
  it("Nothing is left of a replaced file", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) });
    await replaced(account.token, first._id, { name: "b.png", bytes: png(1, 1, 301) });
    const response = await call(`/images/${first._id}`, { method: "DELETE", headers: bearer(account.token) });
    expect(response.status).toBe(200);
    expect(await env.FILES.head(movedKey(account.id, first._id))).toBeNull();
    expect(await open(first.url)).toBe("file_not_found");
    await replayTwice(account.id);
    await expectNothingLeft(account.id);
  });

  it("A deletion at the same time leaves nothing, and the figures are exact", async () => {
    for (let round = 0; round < 4; round++) {
      const account = await openAccount();
      const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) });
      const [answer, deletion] = await Promise.all([
        put(account.token, first._id, { name: "b.png", bytes: png(1, 1, 700) }),
        call(`/images/${first._id}`, { method: "DELETE", headers: bearer(account.token) }),
      ]);
      expect([200, 404]).toContain(answer.status);
      expect(deletion.status).toBe(200);
      await replayTwice(account.id);
      await expectNothingLeft(account.id);
    }
  });
});

/** Every object of the account. */
async function remainsOf(accountId: string): Promise<string[]> {
  const lists = accountPrefixes(accountId).map((prefix) => env.FILES.list({ prefix }));
  return (await Promise.all(lists)).flatMap(({ objects }) => objects.map(({ key }) => key));
}

/** A replaced image with a variant, and a replaced video with a thumbnail. */
async function replaceBoth(account: Awaited<ReturnType<typeof openProAccount>>) {
  const photo = await uploadOne(account.apiKey, { name: "a.png", bytes: await makePng(300, 200) });
  const film = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
  await deliverOne(stored(toVideo(account, film)), { processor: () => made() });
  expect(await open(`${photo.url}?w=64`)).toBe(200);
  const newPhoto = await replaced(account.apiKey, photo._id, { name: "b.png", bytes: await makePng(200, 300) });
  const newFilm = await replaced(account.apiKey, film._id, { name: "b.mp4", bytes: mp4(6000) });
  await deliverOne(stored(toVideo(account, newFilm)), { processor: () => made() });
  expect(await open(`${newPhoto.url}?w=64`)).toBe(200);
  // Two files, a thumbnail, a variant, and where the earlier URLs lead.
  expect(await remainsOf(account.id)).toHaveLength(6);
  return { ids: [photo._id, film._id], former: [photo, film], present: [newPhoto, newFilm] };
}

type Pro = Awaited<ReturnType<typeof openProAccount>>;

describe("The end of a replaced file", () => {
  const ends: readonly [string, (account: Pro, ids: readonly string[]) => Promise<unknown>][] = [
    [
      "is deleted",
      async ({ apiKey }, ids) => {
        for (const id of ids) await call(`/images/${id}`, { method: "DELETE", headers: bearer(apiKey) });
      },
    ],
    [
      "expires",
      async ({ id, token }, ids) => {
        const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
        for (const each of ids) await callJson("PATCH", `/images/${each}`, token, { expiresAt });
        await runInDurableObject(meterOf(id), async (_, { storage }) => {
          storage.sql.exec("UPDATE expiries SET at = 1, try_at = 1");
          await storage.setAlarm(Date.now() + 3_600_000);
        });
        await runDurableObjectAlarm(meterOf(id));
      },
    ],
    [
      "is taken down and deleted",
      async ({ apiKey }, ids) => {
        for (const id of ids) await takeDown({ id });
        for (const id of ids) await call(`/images/${id}`, { method: "DELETE", headers: bearer(apiKey) });
      },
    ],
    ["ends with its account", ({ token, password }) => callJson("DELETE", "/account", token, { password })],
  ];

  it.each(ends)("A file that %s leaves no bytes, thumbnails, variants or earlier URLs", async (_, end) => {
    const account = await openProAccount();
    const { ids, former, present } = await replaceBoth(account);
    await end(account, ids);
    await replayIntents(account.id);
    expect(await remainsOf(account.id)).toEqual([]);
    for (const { url } of [...former, ...present]) expect(await open(url)).toBe("file_not_found");
    // Late writes of the replacements are awaited.
    await replayIntents(account.id);
    expect(await remainsOf(account.id)).toEqual([]);
  });

  it("A file that is taken down is 451 at every URL, and only the bytes that it had are blocked", async () => {
    const account = await openProAccount();
    const [former, present] = [png(9, 8, 501), png(8, 9, 502)];
    const first = await uploadOne(account.apiKey, { name: "a.png", bytes: former });
    const second = await replaced(account.apiKey, first._id, { name: "b.png", bytes: present });
    await takeDown({ url: first.url });
    for (const { url } of [first, second]) expect(await open(url)).toBe("taken_down");
    await replayTwice(account.id);
    for (const { url } of [first, second]) expect(await open(url)).toBe("taken_down");
    forgetBlockList();
    const other = await openAccount();
    expect((await upload(other.token, [{ name: "a.png", bytes: present }])).status).toBe(415);
    expect((await upload(other.token, [{ name: "a.png", bytes: former }])).status).toBe(201);
  });

  it("Bytes that were blocked before cannot replace others, also those of the file itself", async () => {
    const account = await openAccount();
    const [wrong, right] = [png(7, 8, 503), png(8, 7, 504)];
    const first = await uploadOne(account.token, { name: "a.png", bytes: wrong });
    await replaced(account.token, first._id, { name: "b.png", bytes: right });
    const other = await uploadOne((await openAccount()).token, { name: "a.png", bytes: wrong });
    await takeDown({ url: other.url });
    forgetBlockList();
    const back = await put(account.token, first._id, { name: "a.png", bytes: wrong });
    expect([back.status, await codeOf(back)]).toEqual([415, "content_blocked"]);
    expect(await open(first.url)).toBe(200);
    await expectConsistent(account.id);
  });

  it("A duplicate of former bytes is stored, and one of the present bytes is the file", async () => {
    const account = await openAccount();
    const [former, present] = [png(6, 5, 505), png(5, 6, 506)];
    const first = await uploadOne(account.token, { name: "a.png", bytes: former });
    await replaced(account.token, first._id, { name: "b.png", bytes: present });
    const again = await upload(account.token, [{ name: "c.png", bytes: present }], { dedupe: "true" });
    expect([again.status, await again.json()]).toMatchObject([200, { _id: first._id }]);
    expect((await upload(account.token, [{ name: "d.png", bytes: former }], { dedupe: "true" })).status).toBe(201);
    await expectConsistent(account.id);
  });
});

describe("Interrupted replacements", () => {
  const steps = ["row", "pointer", "removed"] as const;

  it.each([
    ["before it began", []],
    ["after its row", ["row"]],
    ["after earlier URLs lead to the new bytes", ["row", "pointer"]],
    ["after the former bytes were removed", [...steps]],
  ] as [string, (typeof steps)[number][]][])("A replacement interrupted %s is finished", async (_, done) => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) });
    const { library, row, to, replacementId } = await storeNewBytes(account, first);
    const does = {
      row: () => replaceContent(library, row, to),
      pointer: () => env.FILES.put(movedKey(account.id, first._id), to.objectKey),
      removed: () => env.FILES.delete(first.filename),
    };
    for (const step of done) await does[step]();
    const from = { objectKey: first.filename, sizeBytes: 300 };
    await leaveIntent(account.id, { kind: "replace", uploadId: first._id, replacementId, from, to, keyId: null });
    await replayTwice(account.id);
    const state = await readMeter(account.id);
    expect([state.storageBytes, state.usedTenths]).toEqual([800, 20]);
    expect(await storedKeys(account.id)).toEqual([to.objectKey]);
    expect((await redirectOf(first.url)).status).toBe(307);
    await expectConsistent(account.id);
  });

  it("New bytes whose request died before the replacement are removed, and the file stays", async () => {
    const account = await openAccount();
    const first = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 300) });
    const { to, replacementId } = await storeNewBytes(account, first);
    const intent = { kind: "upload", uploadId: replacementId, objectKey: to.objectKey, keyId: null } as const;
    await leaveIntent(account.id, { ...intent, replaces: first._id });
    await replayTwice(account.id);
    expect(await storedKeys(account.id)).toEqual([first.filename]);
    expect((await readMeter(account.id)).storageBytes).toBe(300);
    expect(await open(first.url)).toBe(200);
    await expectConsistent(account.id);
  });
});

async function storeNewBytes(account: TestAccount, first: UploadResult) {
  const library = await libraryOf(account.id);
  const row = await findUpload(library, account.id, first._id);
  if (row === undefined) throw new Error("The upload has no row");
  const replacementId = newUploadId(Date.now(), "00");
  const objectKey = `uploads/${account.id}/${newVersion(first._id, replacementId)}-b.png`;
  const bytes = png(4, 4, 800);
  await env.FILES.put(objectKey, bytes, { httpMetadata: { contentType: "image/png" } });
  const { takenAt, camera, lens, exposure, location } = row;
  const facts = { mimeType: "image/png", sizeBytes: 800, originalSizeBytes: 800, compressionQuality: null };
  const to = {
    objectKey,
    ...facts,
    width: 4,
    height: 4,
    takenAt,
    camera,
    lens,
    exposure,
    location,
    sha256: null,
    uploadedSha256: null,
    placeholder: null,
  };
  return { library, row, to, replacementId };
}
