import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findSameBytes } from "../../../src/db/library/uploads.ts";
import { type ByteClaim, ByteClaimStore } from "../../../src/meter/books/byte-claim-store.ts";
import {
  expectConsistent,
  expectNothingLeft,
  insertFolder,
  meterOf,
  readMeter,
  replayTwice,
  storedKeys,
  uploadRowIds,
} from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  openAccount,
  openProAccount,
  upload,
  uploadOne,
} from "../../support/api/api.ts";
import { libraries } from "../../support/api/databases.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { writePng } from "../../support/png/write-png.ts";
import { moveAway } from "../../support/reconcile/reconcile.ts";
import { openFullAccount } from "../../support/uploads/full-account.ts";
import { begin, create, head, metadata, patch } from "../../support/uploads/tus.ts";
import type { UploadResult } from "../../support/uploads/upload-result.ts";
import { createToken, usesOf } from "../../support/uploads/upload-tokens.ts";
import { giveAccountsWholeMemory } from "../../support/uploads/whole-memory.ts";

giveAccountsWholeMemory();

const MIB = 1024 * 1024;
const DEDUPE = { dedupe: "true" };

interface Deduplicated extends UploadResult {
  readonly deduplicated?: true;
}

interface Batch {
  readonly uploaded: readonly Deduplicated[];
  readonly failed: readonly { readonly code: string }[];
}

async function send(
  token: string,
  bytes: Uint8Array<ArrayBuffer>,
  name = "again.mp4",
): Promise<{ status: number; result: Deduplicated }> {
  const response = await upload(token, [{ name, bytes }], DEDUPE);
  return { status: response.status, result: await response.json() };
}

/** Sends bytes by tus, in two pieces. @returns the last piece's answer, and the upload's path */
async function sendByTus(token: string, bytes: Uint8Array<ArrayBuffer>): Promise<{ answer: Response; path: string }> {
  const path = await begin(token, bytes.length, { filename: "again.mp4", ...DEDUPE });
  const middle = Math.floor(bytes.length * 0.6);
  await patch(token, path, 0, bytes.subarray(0, middle));
  return { answer: await patch(token, path, middle, bytes.subarray(middle)), path };
}

async function expectOnly(accountId: string, uploadId: string, usedTenths = 10): Promise<void> {
  expect(await uploadRowIds(accountId)).toEqual([uploadId]);
  expect(await storedKeys(accountId)).toHaveLength(1);
  expect(await readMeter(accountId)).toMatchObject({ usedTenths });
  await expectConsistent(accountId);
}

describe("`dedupe=true` (UP-14)", () => {
  it.each([500, 8 * MIB, 8 * MIB + 1])(
    "A second form with the same %d bytes is 200 with the first upload",
    async (size) => {
      const { id, uploadKey } = await openAccount();
      const bytes = mp4(size, size);
      const first = await uploadOne(uploadKey, { name: "first.mp4", bytes }, { tags: "one" });
      expect(await send(uploadKey, bytes)).toEqual({ status: 200, result: { ...first, deduplicated: true } });
      expect((await send(uploadKey, mp4(size, size + 1))).status).toBe(201);
      expect((await uploadRowIds(id)).length).toBe(2);
      expect(await readMeter(id)).toMatchObject({ usedTenths: 20, storageBytes: 2 * size });
    },
  );

  it("A raw body takes it from the query, and a form from a field after the file", async () => {
    const { id, uploadKey } = await openAccount();
    const bytes = png(3, 2, 400);
    const first = await uploadOne(uploadKey, { name: "first.png", bytes });
    const raw = await call("/images/upload?filename=a.png&dedupe=true", {
      method: "POST",
      headers: bearer(uploadKey),
      body: bytes,
    });
    expect([raw.status, await raw.json()]).toEqual([200, { ...first, deduplicated: true }]);
    const form = new FormData();
    form.append("file", new File([bytes], "b.png"));
    form.append("dedupe", "true");
    const late = await call("/images/upload", { method: "POST", headers: bearer(uploadKey), body: form });
    expect([late.status, await late.json()]).toEqual([200, { ...first, deduplicated: true }]);
    await expectOnly(id, first._id);
  });

  it.each([3000, 20 * MIB + 7])(
    "An upload in pieces of the same %d bytes ends with 200 and the first upload",
    async (size) => {
      const { id, uploadKey, token } = await openAccount();
      const bytes = mp4(size, size);
      const first = await uploadOne(uploadKey, { name: "first.mp4", bytes });
      const { answer, path } = await sendByTus(uploadKey, bytes);
      expect([answer.status, await answer.json()]).toEqual([200, { ...first, deduplicated: true }]);
      expect(answer.headers.get("Content-Location")).toBe(first.url);
      // The client that lost the answer learns of the end.
      expect((await head(uploadKey, path)).headers.get("Upload-Offset")).toBe(String(size));
      const shown = await call(path, { headers: bearer(uploadKey) });
      expect(await shown.json()).toEqual({ ...first, deduplicated: true });
      const list = await call("/images/upload", { headers: bearer(token) });
      expect((await list.json<{ uploads: unknown[] }>()).uploads).toEqual([]);
      await expectOnly(id, first._id);
    },
  );

  it("A creation with the whole file is 200", async () => {
    const { id, uploadKey } = await openAccount();
    const bytes = mp4(700, 4);
    const first = await uploadOne(uploadKey, { name: "first.mp4", bytes });
    const headers = {
      "Upload-Length": "700",
      "Upload-Metadata": metadata(DEDUPE),
      "Content-Type": "application/offset+octet-stream",
    };
    const answer = await create(uploadKey, headers, bytes);
    expect([answer.status, await answer.json()]).toEqual([200, { ...first, deduplicated: true }]);
    await expectOnly(id, first._id);
  });

  it("A compressed image is found by the bytes that were uploaded, and by the stored ones", async () => {
    const { id, uploadKey, token } = await openAccount();
    await callJson("PATCH", "/settings", token, { autoCompress: true });
    const bytes = new Uint8Array(
      writePng({ width: 40, height: 40, colorType: 2, bitDepth: 8, pixel: () => [200, 30, 30] }),
    );
    const first = await uploadOne(uploadKey, { name: "first.png", bytes });
    expect(first.compressed).toBe(true);
    expect(await send(uploadKey, bytes)).toEqual({ status: 200, result: { ...first, deduplicated: true } });
    const stored = new Uint8Array((await (await env.FILES.get(first.filename))?.arrayBuffer()) ?? []);
    expect((await send(uploadKey, stored)).result._id).toBe(first._id);
    await expectOnly(id, first._id);
  });

  it("Equal files of one request are stored once, also beside a file that is stored before", async () => {
    const { id, uploadKey } = await openAccount();
    const [known, fresh] = [png(3, 2, 300), png(3, 2, 301)];
    const first = await uploadOne(uploadKey, { name: "known.png", bytes: known });
    const files = [fresh, known, fresh, known, fresh].map((bytes, at) => ({ name: `${at}.png`, bytes }));
    const response = await upload(uploadKey, files, DEDUPE);
    expect(response.status).toBe(201);
    const { uploaded, failed } = await response.json<Batch>();
    expect(failed).toEqual([]);
    expect(uploaded.map(({ deduplicated = false }) => deduplicated)).toEqual([false, true, true, true, true]);
    const [stored] = uploaded;
    expect(uploaded.map(({ _id }) => _id)).toEqual([stored?._id, first._id, stored?._id, first._id, stored?._id]);
    expect(await uploadRowIds(id)).toHaveLength(2);
    expect(await readMeter(id)).toMatchObject({ usedTenths: 20, storageBytes: 601 });
    const all = await upload(uploadKey, files, DEDUPE);
    expect([all.status, (await all.json<Batch>()).uploaded.length]).toEqual([200, 5]);
    await expectConsistent(id);
  });

  it("A full account gets a duplicate, and pays nothing for it", async () => {
    const account = await openFullAccount(600);
    const bytes = png(3, 2, 600);
    const first = await uploadOne(account.uploadKey, { name: "first.png", bytes });
    expect(await send(account.uploadKey, bytes)).toMatchObject({ status: 200, result: { _id: first._id } });
    expect((await send(account.uploadKey, png(3, 2, 601))).status).toBe(413);
  });

  it("Files in the trash, taken-down and deleted ones are not found", async () => {
    const { uploadKey, token } = await openAccount();
    const bytes = png(3, 2, 400);
    const first = await uploadOne(uploadKey, { name: "first.png", bytes });
    await callJson("POST", "/images/bulk-trash", token, { ids: [first._id] });
    const second = await send(uploadKey, bytes);
    expect([second.status, second.result._id === first._id]).toEqual([201, false]);
    for (const _id of [first._id, second.result._id])
      await call(`/images/${_id}`, { method: "DELETE", headers: bearer(token) });
    expect((await send(uploadKey, bytes)).status).toBe(201);
  });

  it("A request that began before the library moved finds the files in the new shard", async () => {
    const { id, uploadKey } = await openAccount();
    const { _id, sha256 } = await uploadOne(uploadKey, { name: "first.png", bytes: png(4, 3, 420) });
    const from = await moveAway(id);
    const library = libraries.open(from, async () => (await meterOf(id).locate()) ?? from);
    const found = await findSameBytes(library, id, { sha256: sha256 ?? "", visibility: "public" });
    expect(found).toMatchObject([{ id: _id }]);
  });

  it("A file that its request has given up is not found, although its row is still there", async () => {
    const { id, uploadKey } = await openAccount();
    const bytes = png(4, 2, 410);
    const { _id, filename } = await uploadOne(uploadKey, { name: "first.png", bytes });
    await meterOf(id).giveUp([{ uploadId: _id, objectKeys: [filename] }]);
    const second = await send(uploadKey, bytes);
    expect([second.status, second.result._id === _id]).toEqual([201, false]);
    await replayTwice(id);
    await expectOnly(id, second.result._id);
  });

  it("Equal files without `dedupe` are stored twice", async () => {
    const { id, uploadKey } = await openAccount();
    for (const dedupe of [undefined, "false", ""]) {
      const fields: Record<string, string> = dedupe === undefined ? {} : { dedupe };
      expect((await upload(uploadKey, [{ name: "a.png", bytes: png() }], fields)).status).toBe(201);
    }
    expect(await uploadRowIds(id)).toHaveLength(3);
  });

  it.each(["1", "yes", "TRUE"])("The value %s is 400, and nothing is stored", async (dedupe) => {
    const { id, uploadKey } = await openAccount();
    const form = await upload(uploadKey, [{ name: "a.png", bytes: png() }], { dedupe });
    expect(form.status).toBe(400);
    expect(await form.json()).toMatchObject({ details: { dedupe: "Must be true or false" } });
    const tus = await create(uploadKey, { "Upload-Length": "10", "Upload-Metadata": metadata({ dedupe }) });
    expect(tus.status).toBe(400);
    await expectNothingLeft(id);
  });
});

describe("Who finds a duplicate (UP-14)", () => {
  it("Other accounts' files are not found", async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const bytes = png(3, 2, 400);
    await uploadOne(one.uploadKey, { name: "first.png", bytes });
    expect((await send(other.uploadKey, bytes)).status).toBe(201);
  });

  it("A confined key finds the files of its folder, and a key that can only upload finds its own", async () => {
    const account = await openProAccount();
    const bytes = png(3, 2, 400);
    const folderId = await insertFolder(account.id);
    const outside = await uploadOne(account.token, { name: "outside.png", bytes });
    const confined = await createApiKey(account.token, [], { folderId });
    const uploader = await createApiKey(account.token, ["upload"]);
    const inside = await send(confined.key, bytes);
    expect(inside.status).toBe(201);
    expect(await send(confined.key, bytes)).toMatchObject({ status: 200, result: { _id: inside.result._id } });
    const own = await send(uploader.key, bytes);
    expect(own.status).toBe(201);
    expect(await send(uploader.key, bytes)).toMatchObject({ status: 200, result: { _id: own.result._id } });
    expect(await send(account.apiKey, bytes)).toMatchObject({ status: 200, result: { _id: outside._id } });
  });

  it("An upload token finds its own files, and a duplicate takes nothing of its share", async () => {
    const account = await openAccount();
    const bytes = png(3, 2, 400);
    await uploadOne(account.uploadKey, { name: "owner.png", bytes });
    const { token, _id } = await createToken(account.uploadKey, { maxFiles: 2, maxBytes: 10_000_000_000 });
    const first = await send(token, bytes);
    expect(first.status).toBe(201);
    for (let again = 0; again < 3; again++)
      expect(await send(token, bytes)).toMatchObject({ status: 200, result: { _id: first.result._id } });
    const large = mp4(9 * MIB, 5);
    const stored = await send(token, large);
    expect(stored.status).toBe(201);
    expect(await usesOf(account.uploadKey, _id)).toEqual([2, 400 + large.length]);
  });
});

describe("The visibility of a duplicate (UP-14)", () => {
  const OTHER = { public: "private", private: "public" } as const;
  type Visibility = keyof typeof OTHER;

  const sendAs = async (token: string, bytes: Uint8Array<ArrayBuffer>, visibility: Visibility) => {
    const response = await upload(token, [{ name: "again.mp4", bytes }], { ...DEDUPE, visibility });
    return { status: response.status, result: await response.json<Deduplicated & { visibility: Visibility }>() };
  };

  it.each([
    ["public", 500],
    ["private", 500],
    ["public", 8 * MIB + 1],
    ["private", 8 * MIB + 1],
  ] as const)("A %s file of %d bytes is found only by uploads of its visibility", async (visibility, size) => {
    const { id, uploadKey } = await openAccount();
    const bytes = mp4(size, size);
    const first = await sendAs(uploadKey, bytes, visibility);
    expect(first.status).toBe(201);
    const other = await sendAs(uploadKey, bytes, OTHER[visibility]);
    expect(other).toMatchObject({ status: 201, result: { visibility: OTHER[visibility] } });
    expect(await sendAs(uploadKey, bytes, visibility)).toEqual({
      status: 200,
      result: { ...first.result, deduplicated: true },
    });
    expect(await sendAs(uploadKey, bytes, OTHER[visibility])).toEqual({
      status: 200,
      result: { ...other.result, deduplicated: true },
    });
    expect(await uploadRowIds(id)).toHaveLength(2);
    await expectConsistent(id);
  });

  it.each([3000, 9 * MIB])("An upload in pieces of %d bytes finds files of its visibility", async (size) => {
    const { uploadKey } = await openAccount();
    const bytes = mp4(size, size);
    const first = await uploadOne(uploadKey, { name: "first.mp4", bytes });
    const asPrivate = async () => {
      const path = await begin(uploadKey, size, { filename: "again.mp4", visibility: "private", ...DEDUPE });
      const middle = Math.floor(size * 0.6);
      await patch(uploadKey, path, 0, bytes.subarray(0, middle));
      const answer = await patch(uploadKey, path, middle, bytes.subarray(middle));
      return answer.json<Deduplicated>();
    };
    const kept = await asPrivate();
    expect([kept._id === first._id, kept.deduplicated]).toEqual([false, undefined]);
    expect(await asPrivate()).toEqual({ ...kept, deduplicated: true });
    expect((await sendByTus(uploadKey, bytes)).answer.status).toBe(200);
  });

  it("A changed visibility decides from then on", async () => {
    const { uploadKey, token } = await openAccount();
    const bytes = png(3, 2, 400);
    const first = await sendAs(uploadKey, bytes, "public");
    expect((await callJson("PATCH", `/images/${first.result._id}`, token, { visibility: "private" })).status).toBe(200);
    const second = await sendAs(uploadKey, bytes, "public");
    expect([second.status, second.result._id === first.result._id]).toEqual([201, false]);
    expect(await sendAs(uploadKey, bytes, "private")).toMatchObject({ status: 200, result: { _id: first.result._id } });
  });

  it.each([
    ["is stored", false],
    ["is new", true],
  ])("A visibility after the file is 400 if the file %s", async (_, isNew) => {
    const { id, uploadKey } = await openAccount();
    const bytes = png(3, 2, 400);
    if (!isNew) await uploadOne(uploadKey, { name: "first.png", bytes });
    const form = (...fields: readonly (readonly [string, string | File])[]) => {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      return call("/images/upload", { method: "POST", headers: bearer(uploadKey), body });
    };
    const file = new File([bytes], "b.png");
    for (const order of [
      [
        ["dedupe", "true"],
        ["file", file],
        ["visibility", "private"],
      ],
      [
        ["file", file],
        ["visibility", "private"],
        ["dedupe", "true"],
      ],
      [
        ["visibility", "private"],
        ["file", file],
        ["visibility", "public"],
        ["dedupe", "true"],
      ],
    ] as const) {
      const answer = await form(...order);
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { details: { visibility: "Must come before the file if `dedupe` is true" } },
      ]);
    }
    expect(await uploadRowIds(id)).toHaveLength(isNew ? 0 : 1);
    expect(await storedKeys(id)).toHaveLength(isNew ? 0 : 1);
    const late = await form(["file", file], ["visibility", "public"], ["dedupe", "true"]);
    expect(late.status).toBe(isNew ? 201 : 200);
    await expectConsistent(id);
  });

  it("Equal uploads of both visibilities at once store one file of each", async () => {
    const account = await openProAccount();
    const bytes = mp4(600, 600);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => sendAs(account.apiKey, bytes, at % 2 === 0 ? "public" : "private")),
    );
    for (const [at, { status, result }] of answers.entries())
      expect([status < 300, result.visibility]).toEqual([true, at % 2 === 0 ? "public" : "private"]);
    expect(answers.filter(({ result }) => result.deduplicated !== true)).toHaveLength(2);
    expect(await uploadRowIds(account.id)).toHaveLength(2);
    await expectConsistent(account.id);
  });
});

describe("Races of equal uploads (UP-14)", () => {
  it.each([600, 9 * MIB])("Equal uploads of %d bytes at once store one file", async (size) => {
    const account = await openProAccount();
    const bytes = mp4(size, size);
    const count = size > MIB ? 2 : 8;
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        at % 2 === 0
          ? send(account.apiKey, bytes, `${at}.mp4`)
          : sendByTus(account.apiKey, bytes).then(async ({ answer }) => ({
              status: answer.status,
              result: await answer.json<Deduplicated>(),
            })),
      ),
    );
    const ids = new Set(answers.map(({ result }) => result._id));
    expect(answers.map(({ status }) => status < 300)).toEqual(answers.map(() => true));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ result }) => result.deduplicated !== true)).toHaveLength(1);
    await expectOnly(account.id, [...ids][0] ?? "");
  });

  it("Requests with the same files in another order do not wait for each other", async () => {
    const { apiKey, id } = await openProAccount();
    const files = Array.from({ length: 6 }, (_, at) => ({ name: `${at}.png`, bytes: png(3, 2, 300 + at) }));
    const orders = [files, files.toReversed(), [...files.slice(3), ...files.slice(0, 3)]];
    const answers = await Promise.all(orders.map((order) => upload(apiKey, order, DEDUPE)));
    const batches = await Promise.all(answers.map((answer) => answer.json<Batch>()));
    for (const { uploaded, failed } of batches) expect([uploaded.length, failed]).toEqual([6, []]);
    expect(await uploadRowIds(id)).toHaveLength(6);
    await expectConsistent(id);
  });

  it("A claim of bytes ends with its upload, and holds back no other bytes", async () => {
    const { id } = await openAccount();
    const live = new Set(["one", "two"]);
    const claim = async (...claims: readonly ByteClaim[]) => {
      const { runInDurableObject } = await import("cloudflare:test");
      return runInDurableObject(meterOf(id), (_, { storage }) =>
        new ByteClaimStore(storage.sql).take(claims, (uploadId) => live.has(uploadId)),
      );
    };
    const [a, b] = ["a".repeat(64), "b".repeat(64)];
    expect(await claim({ uploadId: "one", sha256: a })).toBe(true);
    expect(await claim({ uploadId: "two", sha256: b }, { uploadId: "two", sha256: a })).toBe(false);
    // The refused claim has taken nothing.
    expect(await claim({ uploadId: "three", sha256: b })).toBe(true);
    expect(await claim({ uploadId: "one", sha256: a })).toBe(true);
    live.delete("one");
    expect(await claim({ uploadId: "two", sha256: a })).toBe(true);
  });
});

describe("Repeated requests with `dedupe` (UP-10)", () => {
  it("A repeat with the same key gets the same answer, whether or not the first try stored anything", async () => {
    const { id, uploadKey } = await openAccount();
    const bytes = png(3, 2, 400);
    const body = () => {
      const form = new FormData();
      form.append("dedupe", "true");
      form.append("file", new File([bytes], "a.png"));
      form.append("file", new File([bytes], "b.png"));
      return form;
    };
    const request = async (key: string) => {
      const headers = { ...bearer(uploadKey), "Idempotency-Key": key };
      const response = await call("/images/upload", { method: "POST", headers, body: body() });
      return { status: response.status, answer: await response.json() };
    };
    const first = await request("one");
    expect(first.status).toBe(201);
    expect(await request("one")).toEqual(first);
    const second = await request("two");
    expect(second.status).toBe(200);
    expect(await request("two")).toEqual(second);
    expect(await uploadRowIds(id)).toHaveLength(1);
  });
});
