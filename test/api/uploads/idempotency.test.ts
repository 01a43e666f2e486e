import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { readIdempotency } from "../../../src/api/images/read-idempotency.ts";
import { expectConsistent, meterOf, readMeter, replayIntents, uploadRowIds } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, call, openAccount, openProAccount, type UploadResult } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";
import { InterruptedUpload } from "../../support/uploads/interrupted-upload.ts";
import { streamOf } from "../../support/uploads/multipart.ts";

// DESIGN, "ways to upload": an upload whose answer got lost is sent again under the same Idempotency-Key.

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

/** Lets the time of every claim run out. */
function expireClaims(accountId: string): Promise<void> {
  return runInDurableObject(meterOf(accountId), (_, { storage }) => {
    storage.sql.exec("UPDATE request_claims SET due_at = ?", Date.now() - 1);
  });
}

/** For how long after that moment each answer is kept. */
function keptMinutes(accountId: string, since: number): Promise<number[]> {
  return runInDurableObject(meterOf(accountId), (_, { storage }) => {
    const rows = storage.sql.exec<{ due_at: number }>("SELECT due_at FROM request_claims").toArray();
    return rows.map(({ due_at }) => Math.round((due_at - since) / 60_000));
  });
}

/** A request that goes no further than a test says, with the same key and body as `post`. */
async function interrupted(accountId: string, bytes: Uint8Array<ArrayBuffer>) {
  const upload = new InterruptedUpload(accountId, "image");
  upload.claim = { key: KEY.slice(1, -1), claimant: crypto.randomUUID() };
  const headers = { "Idempotency-Key": KEY, "Content-Length": String(bytes.length) };
  const request = new Request(`${BASE_URL}/images/upload?filename=a.png`, { headers });
  const { fingerprint = "" } = readIdempotency(request, "image/png") ?? {};
  expect(await meterOf(accountId).claim(upload.claim, fingerprint)).toEqual({ outcome: "claimed" });
  return upload;
}

describe("an upload that is sent again with its idempotency key", () => {
  it.each([
    ["in quotes", KEY],
    ["without quotes", "01arz3ndektsv4rrffq69g5fav"],
  ])("%s is answered as the first one, and stored and counted once", async (_, key) => {
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

  it("is answered with every file's result, the failures too", async () => {
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

  it("while the first one is under way is 409, which says when to ask again; of many at once one is stored", async () => {
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
    ["another body", png(1, 1, 500), {}],
    ["another type", png(), { type: "image/jpeg" }],
    ["another name", png(), { query: "?filename=b.png" }],
  ])("is 422 with %s, and not stored", async (_, body, options) => {
    const account = await openAccount();
    await post(account.uploadKey, png());
    const answer = await post(account.uploadKey, body, options);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual({
      error: "This Idempotency-Key was sent with another request",
      statusCode: 422,
    });
    expect(await uploadRowIds(account.id)).toHaveLength(1);
  });

  it("is carried out anew where the first one stored nothing", async () => {
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

  it("is stored again after ten minutes, or with another key, or by another account", async () => {
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

  it("is 404 where its file was deleted meanwhile", async () => {
    const account = await openAccount();
    const { _id } = await (await post(account.uploadKey, png())).json<UploadResult>();
    await call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) });
    expect((await post(account.uploadKey, png())).status).toBe(404);
    expect(await uploadRowIds(account.id)).toEqual([]);
  });
});

describe("a request with an idempotency key that broke off", () => {
  it.each(["which the alarm has kept", "which nobody has looked at"])(
    "behind its row, %s, is answered with that upload",
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

  it("behind its settling is answered with that upload at once", async () => {
    const account = await openAccount();
    const bytes = png();
    const upload = await interrupted(account.id, bytes);
    for (const step of ["reserve", "put", "insertRow", "settle"] as const) await upload[step]();
    expect((await (await post(account.uploadKey, bytes)).json<UploadResult>())._id).toBe(upload.uploadId);
  });

  it("before its row is carried out anew, and nothing of it stays; should it go on after all, it has nothing to settle", async () => {
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
    // It announces a file only after another one has taken its place.
    await upload.reserve();
    expect((await upload.settle()).missing).toEqual([upload.uploadId]);
    expect(await uploadRowIds(account.id)).toEqual([_id]);
    expect((await readMeter(account.id)).intents).toEqual([]);
    await expectConsistent(account.id);
  });
});

describe("the Idempotency-Key", () => {
  it.each(["", '""', '"', '"a', 'a"b"', "two words", '"a\\"b"', "k".repeat(129), `"${"k".repeat(129)}"`])(
    "%j is 400, and nothing is stored",
    async (key) => {
      const account = await openAccount();
      const answer = await post(account.uploadKey, png(), { key });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: "Invalid Idempotency-Key",
        details: { "Idempotency-Key": expect.any(String) },
      });
      expect(await uploadRowIds(account.id)).toEqual([]);
    },
  );

  it("leaves no trace where it is not sent", async () => {
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
