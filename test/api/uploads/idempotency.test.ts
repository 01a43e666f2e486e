import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/domain/ids.ts";
import { ContentHash } from "../../../src/services/uploads/receive/content-hash.ts";
import {
  expectConsistent,
  meterOf,
  readMeter,
  replayIntents,
  setStorageBytes,
  uploadRowIds,
} from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  openAccount,
  openProAccount,
  type TestAccount,
  type UploadResult,
} from "../../support/api/api.ts";
import { bytesOf, mp4, png } from "../../support/media/samples.ts";
import { LIMIT, openFullAccount } from "../../support/uploads/full-account.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";
import { type BodyPart, inChunks, multipartBody, streamOf, utf8 } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";
import { create, metadata, patch, remove } from "../../support/uploads/tus.ts";

// An upload whose answer was lost is repeated under the same Idempotency-Key (UP-10).

const KEY = '"8e03978e-40d5-43dd-bc93-6894a57f9324"';

function post(token: string, body: BodyInit, { key = KEY, query = "?filename=a.png", type = "image/png" } = {}) {
  const headers = { ...bearer(token), "Content-Type": type, "Idempotency-Key": key };
  return call(`/images/upload${query}`, { method: "POST", headers, body });
}

function postForm(token: string, files: readonly [name: string, bytes: Uint8Array<ArrayBuffer>][]) {
  const body = new FormData();
  for (const [name, bytes] of files) body.append("file", new File([bytes], name));
  return call("/images/upload", { method: "POST", headers: { ...bearer(token), "Idempotency-Key": KEY }, body });
}

/** A body that breaks off after these bytes, although its `Content-Length` announces more. */
function cutOff(bytes: Uint8Array, announcedBytes: number): ReadableStream {
  const { readable, writable } = new FixedLengthStream(announcedBytes);
  const writer = writable.getWriter();
  const writing = writer.write(bytes).then(() => writer.abort(new Error("Network connection lost.")));
  writing.catch(() => undefined);
  return readable;
}

function expireClaims(accountId: string): Promise<void> {
  return runInDurableObject(meterOf(accountId), (_, { storage }) => {
    storage.sql.exec("UPDATE request_claims SET due_at = ?", Date.now() - 1);
  });
}

/** The minutes for which each answer is stored from that moment on. */
function keptMinutes(accountId: string, since: number): Promise<number[]> {
  return runInDurableObject(meterOf(accountId), (_, { storage }) => {
    const rows = storage.sql.exec<{ due_at: number }>("SELECT due_at FROM request_claims").toArray();
    return rows.map(({ due_at }) => Math.round((due_at - since) / 60_000));
  });
}

/** A request that stops at a step that the test chooses, with the same key and body as `post`. */
async function interrupted(accountId: string, bytes: Uint8Array<ArrayBuffer>) {
  const upload = new InterruptedUpload(accountId, "image");
  upload.claim = { key: KEY.slice(1, -1), claimant: crypto.randomUUID() };
  expect(await meterOf(accountId).claim(upload.claim)).toEqual({ outcome: "claimed" });
  const content = new ContentHash(["a.png", {}]);
  const chunks = [bytes][Symbol.iterator]();
  const { read } = content.ofFile({ read: async () => chunks.next().value });
  while ((await read()) !== undefined);
  await meterOf(accountId).identifyClaim(upload.claim, content.digest());
  return upload;
}

describe("Repeated uploads", () => {
  it.each([
    ["in quotes", KEY],
    ["without quotes", "01arz3ndektsv4rrffq69g5fav"],
  ])("A repeated upload with its key %s gets the first answer, and is stored and counted once", async (_, key) => {
    const account = await openAccount();
    const first = await post(account.uploadKey, png(), { key });
    expect(first.status).toBe(201);
    const again = await post(account.uploadKey, png(), { key });
    expect(again.status).toBe(201);
    expect(await again.json()).toEqual(await first.json());
    expect(again.headers.get("X-Operations-Used")).toBe("1");
    expect(await uploadRowIds(account.id)).toHaveLength(1);
    await expectConsistent(account.id);
  });

  it("A repeated upload gets every file's result, the failures too", async () => {
    const account = await openAccount();
    const files = [
      ["a.png", png(1, 1)],
      ["b.txt", new TextEncoder().encode("no picture")],
      ["c.png", png(2, 2)],
    ] as [string, Uint8Array<ArrayBuffer>][];
    const first = await (await postForm(account.uploadKey, files)).json<{ uploaded: unknown[]; failed: unknown[] }>();
    expect(first).toMatchObject({ uploaded: [{}, {}], failed: [{ originalFilename: "b.txt", statusCode: 415 }] });
    expect(await (await postForm(account.uploadKey, files)).json()).toEqual(first);
    expect(await uploadRowIds(account.id)).toHaveLength(2);
  });

  it("A repeat during the first request is 409 with the time to retry; of many at once one is stored", async () => {
    const account = await openProAccount();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(account.apiKey, png())));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(201);
    expect(new Set(statuses.slice(1))).toEqual(new Set([409]));
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.headers.get("Retry-After")).toBe("2");
    expect(await refused?.json()).toMatchObject({ statusCode: 409, details: { retryAfter: 2 } });
    expect(await uploadRowIds(account.id)).toHaveLength(1);
    expect((await post(account.apiKey, png())).status).toBe(201);
    expect(await uploadRowIds(account.id)).toHaveLength(1);
  });

  it.each([
    ["a body of another length", png(1, 1, 500), {}],
    ["another body of the same length", png(2, 1), {}],
    ["another name", png(), { query: "?filename=b.png" }],
    ["other tags", png(), { query: "?filename=a.png&tags=sea" }],
  ])("A repeated upload with %s is 422, and not stored", async (_, body, options) => {
    const account = await openAccount();
    await post(account.uploadKey, png());
    const answer = await post(account.uploadKey, body, options);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({
      error: "This Idempotency-Key was already used for a different request",
      code: "idempotency_key_reused",
      statusCode: 422,
    });
    expect(await uploadRowIds(account.id)).toHaveLength(1);
  });

  it("A repeated upload is carried out if the first one stored nothing", async () => {
    const account = await openAccount();
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await post(account.uploadKey, new TextEncoder().encode("no picture"));
      expect(refused.status).toBe(415);
    }
    const broken = streamOf([png().subarray(0, 20)], new Error("Network connection lost."));
    await post(account.uploadKey, broken).catch(() => undefined);
    await expect.poll(async () => (await post(account.uploadKey, png())).status).toBe(201);
    await expectConsistent(account.id);
  });

  it("A repeated upload is stored again after ten minutes, with another key or by another account", async () => {
    const [account, other] = await Promise.all([openAccount(), openAccount()]);
    const sentAt = Date.now();
    await post(account.uploadKey, png());
    expect(await keptMinutes(account.id, sentAt)).toEqual([10]);
    await post(account.uploadKey, png(), { key: '"another"' });
    await post(other.uploadKey, png());
    expect(await uploadRowIds(account.id)).toHaveLength(2);
    expect(await uploadRowIds(other.id)).toHaveLength(1);
    await expireClaims(account.id);
    await post(account.uploadKey, png());
    expect(await uploadRowIds(account.id)).toHaveLength(3);
  });

  it("A repeated upload is 404 if its file was deleted since", async () => {
    const account = await openAccount();
    const { _id } = await (await post(account.uploadKey, png())).json<UploadResult>();
    await call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) });
    expect((await post(account.uploadKey, png())).status).toBe(404);
    expect(await uploadRowIds(account.id)).toEqual([]);
  });
});

describe("Repeated forms", () => {
  const send = ({ uploadKey }: TestAccount, parts: readonly BodyPart[], boundary = "edge", body?: BodyInit) =>
    postMultipart(uploadKey, body ?? multipartBody(boundary, parts), `multipart/form-data; boundary=${boundary}`, {
      "Idempotency-Key": KEY,
    });
  const file = (content: Uint8Array, filename = "a.png"): BodyPart => ({ name: "file", filename, content });
  const tags: BodyPart = { name: "tags", content: utf8("sea") };
  const moved = file(bytesOf(png(1, 1).slice(-1), png(2, 1)), "b.png");
  const first = [tags, file(png(1, 1)), file(png(2, 1), "b.png"), { name: "other", content: utf8("x") }];

  it("A repeated form may differ in boundary length, part headers, preamble and chunks", async () => {
    const account = await openAccount();
    const stored = await (await send(account, first)).json();
    expect(stored).toMatchObject({ uploaded: [{}, {}] });
    const long = "a-much-longer-boundary";
    const whole = multipartBody(long, first, { preamble: "preamble\r\n", padding: " ", epilogue: "\r\nepilogue" });
    const head = Buffer.from(whole).toString("latin1").replaceAll("application/octet-stream", "image/png");
    const answers = [
      await send(account, first, long),
      await send(account, first, long, whole),
      await send(account, first, long, Buffer.from(head, "latin1")),
      await send(account, first, long, streamOf(inChunks(whole, 7))),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(await answer.json()).toEqual(stored);
    }
    expect(await uploadRowIds(account.id)).toHaveLength(2);
    await expectConsistent(account.id);
  });

  it.each<[string, readonly BodyPart[]]>([
    ["another photo of the same length", [tags, file(png(1, 2)), ...first.slice(2)]],
    [
      "another photo of the same length at the end",
      [...first.slice(0, 2), file(png(2, 2), "b.png"), ...first.slice(3)],
    ],
    ["its files in another order", [tags, file(png(2, 1), "b.png"), file(png(1, 1)), ...first.slice(3)]],
    ["another file name", [tags, file(png(1, 1), "c.png"), ...first.slice(2)]],
    ["other tags", [{ ...tags, content: utf8("sun") }, ...first.slice(1)]],
    ["a field of another name", [...first.slice(0, 3), { name: "newer", content: utf8("x") }]],
    ["a file less", [...first.slice(0, 2), ...first.slice(3)]],
    ["bytes that have moved from one file to the next", [tags, file(png(1, 1).slice(0, -1)), moved, ...first.slice(3)]],
  ])("A repeated form with %s is another request: 422, and nothing is stored or reserved", async (_, parts) => {
    const account = await openAccount();
    await send(account, first);
    const before = await readMeter(account.id);
    const answer = await send(account, parts);
    expect(answer.status).toBe(422);
    expect(await uploadRowIds(account.id)).toHaveLength(2);
    expect(await readMeter(account.id)).toEqual(before);
    await expectConsistent(account.id);
    expect((await send(account, first)).status).toBe(201);
  });

  it("A repeated form differs from a raw body of the same photo", async () => {
    const account = await openAccount();
    await send(account, [file(png())]);
    expect((await post(account.uploadKey, png())).status).toBe(422);
  });

  it("A repeated form is answered even if the account is full and its folder deleted since", async () => {
    const account = await openAccount();
    const folder = await call("/folders", {
      method: "POST",
      headers: { ...bearer(account.token), "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Holidays" }),
    });
    const { _id } = await folder.json<{ _id: string }>();
    const parts = [{ name: "folderId", content: utf8(_id) }, file(png())];
    const { _id: stored } = await (await send(account, parts)).json<UploadResult>();
    await call(`/folders/${_id}`, { method: "DELETE", headers: bearer(account.token) });
    await setStorageBytes(account.id, LIMIT);
    const again = await send(account, parts);
    expect(again.status).toBe(201);
    expect(await again.json()).toMatchObject({ _id: stored, folderId: null });
    expect((await send(account, [file(png(2, 2))])).status).toBe(422);
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it("A repeated form that breaks off is 400, and the next one is answered", async () => {
    const account = await openAccount();
    const { _id } = await (await send(account, [file(png())])).json<UploadResult>();
    const whole = multipartBody("edge", [file(png())]);
    const broken = await send(account, [], "edge", whole.slice(0, -30));
    expect(broken.status).toBe(400);
    expect(await (await send(account, [file(png())])).json()).toMatchObject({ _id });
  });

  it("A repeated form with a film of several parts is read once more, and stored once", async () => {
    const account = await openAccount();
    const film = mp4(20_000_000);
    const other = film.slice();
    other[19_999_999] = 1;
    const { _id } = await (await send(account, [file(film, "a.mp4")])).json<UploadResult>();
    expect(await (await send(account, [file(film, "a.mp4")], "other")).json()).toMatchObject({ _id });
    expect((await send(account, [file(other, "a.mp4")])).status).toBe(422);
    expect(await uploadRowIds(account.id)).toEqual([_id]);
    await expectConsistent(account.id);
  });
});

describe("Interrupted requests", () => {
  it.each(["which the alarm has kept", "which nobody has looked at"])(
    "A request interrupted after its row, %s, is answered with that upload when repeated",
    async (kept) => {
      const account = await openAccount();
      const bytes = png();
      const upload = await interrupted(account.id, bytes);
      await upload.reserve();
      await upload.put();
      await upload.insertRow();
      expect((await post(account.uploadKey, bytes)).status).toBe(409);
      if (kept === "which the alarm has kept") await replayIntents(account.id);
      await expireClaims(account.id);
      for (let attempt = 0; attempt < 2; attempt++) {
        const answer = await post(account.uploadKey, bytes);
        expect(answer.status).toBe(201);
        expect((await answer.json<UploadResult>())._id).toBe(upload.uploadId);
      }
      expect(await uploadRowIds(account.id)).toEqual([upload.uploadId]);
      await expectConsistent(account.id);
    },
  );

  it("A request interrupted after its settling is answered with that upload at once", async () => {
    const account = await openAccount();
    const bytes = png();
    const upload = await interrupted(account.id, bytes);
    for (const step of ["reserve", "put", "insertRow", "settle"] as const) await upload[step]();
    expect((await (await post(account.uploadKey, bytes)).json<UploadResult>())._id).toBe(upload.uploadId);
  });

  it("A request interrupted after its row and repeated with another body is 422", async () => {
    const account = await openAccount();
    const upload = await interrupted(account.id, png());
    for (const step of ["reserve", "put", "insertRow"] as const) await upload[step]();
    await expireClaims(account.id);
    expect((await post(account.uploadKey, png(2, 1))).status).toBe(422);
    expect(await (await post(account.uploadKey, png())).json()).toMatchObject({ _id: upload.uploadId });
  });

  it("A request interrupted before its row is carried out again, and can never settle afterwards", async () => {
    const account = await openAccount();
    const bytes = png();
    const upload = await interrupted(account.id, bytes);
    await upload.reserve();
    await upload.put();
    await expireClaims(account.id);
    const answer = await post(account.uploadKey, bytes);
    expect(answer.status).toBe(201);
    const { _id } = await answer.json<UploadResult>();
    expect(_id).not.toBe(upload.uploadId);
    expect((await upload.settle()).missing).toEqual([upload.uploadId]);
    // It announces a file only after another request has replaced it.
    await upload.reserve();
    expect((await upload.settle()).missing).toEqual([upload.uploadId]);
    expect(await uploadRowIds(account.id)).toEqual([_id]);
    expect((await readMeter(account.id)).intents).toEqual([]);
    await expectConsistent(account.id);
  });
});

describe("Repeated creations", () => {
  const bytes = png(1, 1, 200);
  const named = (filename = "a.png") => ({ "Upload-Metadata": `${metadata({ filename })},${metadata({ kind: "x" })}` });
  const begin = (account: TestAccount, body?: BodyInit, headers: Record<string, string> = {}) =>
    create(account.token, { "Upload-Length": "200", ...named(), "Idempotency-Key": KEY, ...headers }, body);
  const unfinished = async ({ token }: TestAccount) => {
    const list = await call("/images/upload", { headers: bearer(token) });
    return (await list.json<{ uploads: { _id: string }[] }>()).uploads.map(({ _id }) => `/images/upload/${_id}`);
  };

  it("A repeated creation gets the same URL, and the current offset of the upload", async () => {
    const account = await openAccount();
    const first = await begin(account);
    const path = first.headers.get("Location") ?? "";
    const again = await begin(account);
    expect(again.status).toBe(201);
    expect(again.headers.get("Location")).toBe(path);
    expect(again.headers.get("Upload-Offset")).toBe("0");
    await patch(account.token, path, 0, bytes.slice(0, 80));
    expect((await begin(account)).headers.get("Upload-Offset")).toBe("80");
    expect(await unfinished(account)).toEqual([path]);
    const stored = await (await patch(account.token, path, 80, bytes.slice(80))).json<UploadResult>();
    expect(await (await begin(account)).json()).toMatchObject({ _id: stored._id });
    expect(await uploadRowIds(account.id)).toEqual([stored._id]);
    await expectConsistent(account.id);
  });

  it("A repeated creation may have its metadata in another order", async () => {
    const account = await openAccount();
    const path = (await begin(account)).headers.get("Location");
    const turned = { "Upload-Metadata": `${metadata({ kind: "x" })}, ${metadata({ filename: "a.png" })}` };
    expect((await begin(account, undefined, turned)).headers.get("Location")).toBe(path);
  });

  it.each<[string, BodyInit | undefined, Record<string, string>]>([
    ["another length", undefined, { "Upload-Length": "201" }],
    ["another name", undefined, named("b.png")],
    ["its first bytes", bytes, {}],
  ])("A repeated creation with %s is another request: 422, and nothing is created", async (_, body, headers) => {
    const account = await openAccount();
    const path = (await begin(account)).headers.get("Location");
    expect((await begin(account, body, headers)).status).toBe(422);
    expect(await unfinished(account)).toEqual([path]);
  });

  it.each([
    ["all of the file", 200],
    ["its first bytes", 80],
  ])("A repeated creation with %s gets the first answer, and with other bytes it is 422", async (_, length) => {
    const account = await openAccount();
    const other = png(2, 1, 200).slice(0, length);
    const [first, again, differs] = [
      await begin(account, bytes.slice(0, length)),
      await begin(account, streamOf(inChunks(bytes.slice(0, length), 7))),
      await begin(account, other),
    ];
    expect([first.status, again.status, differs.status]).toEqual([201, 201, 422]);
    for (const name of ["Location", "Upload-Offset"]) expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(await again.text()).toBe(await first.text());
    expect(await unfinished(account)).toHaveLength(length === 200 ? 0 : 1);
    expect(await uploadRowIds(account.id)).toHaveLength(length === 200 ? 1 : 0);
    await expectConsistent(account.id);
  });

  it("A repeated creation with a file of exactly one part gets the first answer", async () => {
    const account = await openAccount();
    const film = mp4(8 * 1024 * 1024);
    const headers = { "Upload-Length": String(film.length) };
    const { _id } = await (await begin(account, film, headers)).json<UploadResult>();
    expect(await (await begin(account, film, headers)).json()).toMatchObject({ _id });
    expect((await begin(account, mp4(film.length, 2), headers)).status).toBe(422);
    expect(await uploadRowIds(account.id)).toEqual([_id]);
  });

  it("A repeated creation replaces a first one whose bytes broke off, also in the last free storage", async () => {
    const account = await openFullAccount(300);
    await begin(account, cutOff(bytes.slice(0, 80), 200)).catch(() => undefined);
    await expect.poll(() => unfinished(account)).toHaveLength(1);
    await expect.poll(async () => (await begin(account, bytes)).status).toBe(201);
    expect(await unfinished(account)).toEqual([]);
    expect(await uploadRowIds(account.id)).toHaveLength(1);
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it("A repeat during the first creation is 409; after a refusal it is carried out", async () => {
    const account = await openAccount();
    const refused = await begin(account, new Uint8Array(200).fill(32));
    expect(refused.status).toBe(415);
    const answers = await Promise.all([begin(account, bytes), begin(account, bytes), begin(account, bytes)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await uploadRowIds(account.id)).toHaveLength(1);
  });

  it("A repeated creation is refused again if the file shows nothing", async () => {
    const account = await openAccount();
    const empty = png(0, 0, 200);
    for (let attempt = 0; attempt < 2; attempt++) expect((await begin(account, empty)).status).toBe(400);
    expect(await unfinished(account)).toEqual([]);
  });

  it.each(["before its bytes were read", "after they were read"])(
    "A repeated creation after a crash %s replaces the first one",
    async (when) => {
      const account = await openAccount();
      const claim = { key: KEY.slice(1, -1), claimant: crypto.randomUUID() };
      await meterOf(account.id).claim(claim);
      const facts = { metadata: null, filename: "a.png", folderId: null, tags: [], keyId: null };
      const id = newId(Date.now());
      await meterOf(account.id).createResumable({ id, length: 200, facts }, claim);
      if (when === "after they were read") await meterOf(account.id).identifyClaim(claim, "0".repeat(64));
      expect((await begin(account, bytes)).status).toBe(409);
      await expireClaims(account.id);
      const answer = await begin(account, bytes);
      expect(answer.status).toBe(201);
      const { _id } = await answer.json<UploadResult>();
      expect(_id).not.toBe(id);
      expect(await unfinished(account)).toEqual([]);
      await expectConsistent(account.id);
    },
  );

  it("A repeated creation is 404 after the upload was deleted", async () => {
    const account = await openAccount();
    const path = (await begin(account)).headers.get("Location") ?? "";
    await remove(account.token, path);
    expect((await begin(account)).status).toBe(404);
  });
});

describe("Answers of earlier versions", () => {
  it("An answer of an earlier version without content is not repeated, so that no photo is lost", async () => {
    const account = await openAccount();
    await post(account.uploadKey, png());
    await runInDurableObject(meterOf(account.id), (_, { storage }) => {
      storage.sql.exec("UPDATE request_claims SET fingerprint = ?", '["image/png","67","?filename=a.png"]');
    });
    const { _id } = await (await post(account.uploadKey, png(2, 1))).json<UploadResult>();
    expect(await uploadRowIds(account.id)).toHaveLength(2);
    expect(await (await post(account.uploadKey, png(2, 1))).json()).toMatchObject({ _id });
  });
});

describe("Idempotency-Key", () => {
  it.each(["", '""', '"', '"a', 'a"b"', "two words", '"a\\"b"', "k".repeat(129), `"${"k".repeat(129)}"`])(
    "The Idempotency-Key %j is 400, and nothing is stored",
    async (key) => {
      const account = await openAccount();
      const answer = await post(account.uploadKey, png(), { key });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: "Invalid Idempotency-Key",
        code: "invalid_idempotency_key",
        details: { "Idempotency-Key": expect.any(String) },
      });
      expect(await uploadRowIds(account.id)).toEqual([]);
    },
  );

  it("An upload without an Idempotency-Key leaves no record of one", async () => {
    const account = await openAccount();
    await call("/images/upload", {
      method: "POST",
      headers: { ...bearer(account.uploadKey), "Content-Type": "image/png" },
      body: png(),
    });
    const tables = await runInDurableObject(meterOf(account.id), (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'request_claims'").toArray(),
    );
    expect(tables).toEqual([]);
  });
});
