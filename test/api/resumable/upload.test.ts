import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { expectConsistent, meterOf, readMeter, uploadRowIds } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, type UploadResult } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { begin, create, head, metadata, offsetOf, patch } from "../../support/uploads/tus.ts";

const MIB = 1024 * 1024;
const PART = 8 * MIB;

async function expectStored(accountId: string, response: Response, bytes: Uint8Array): Promise<UploadResult> {
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.stringContaining("_id")]);
  const result = JSON.parse(text) as UploadResult;
  expect(result).toMatchObject({ fileSize: bytes.length, originalFileSize: bytes.length, compressed: false });
  const object = await env.FILES.get(result.filename);
  expect(Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
  expect(await uploadRowIds(accountId)).toEqual([result._id]);
  expect(await readMeter(accountId)).toMatchObject({ usedTenths: 10, storageBytes: bytes.length });
  await expectConsistent(accountId);
  return result;
}

async function rowsLeft(accountId: string): Promise<number> {
  return runInDurableObject(meterOf(accountId), (_, { storage: { sql } }) => {
    const count = (table: string) => Number(sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n);
    return count("resumable_parts") + count("resumable_tails");
  });
}

describe("Uploads in pieces", () => {
  it.each([
    [1000, [1000]],
    [PART - 1, [MIB, PART - 1 - MIB]],
    [PART, [PART - 5, 5]],
    [PART + 1, [PART + 1]],
    [PART + 1, [PART, 1]],
    [2 * PART, [3 * MIB, 2 * PART - 3 * MIB]],
    [2 * PART + 77, [5 * MIB, 5 * MIB, 2 * PART + 77 - 10 * MIB]],
    [20 * MIB, [PART + 100, 100, 20 * MIB - PART - 200]],
  ])("An upload in pieces of %d bytes is stored once, byte for byte: %j", async (size, pieces) => {
    const { id, uploadKey } = await openAccount();
    const bytes = mp4(size, size);
    const path = await begin(uploadKey, size);
    let at = 0;
    for (const piece of pieces) {
      const response = await patch(uploadKey, path, at, bytes.subarray(at, at + piece));
      at += piece;
      expect(response.headers.get("Upload-Offset")).toBe(String(at));
      if (at < size) expect(response.status).toBe(204);
      else {
        const result = await expectStored(id, response, bytes);
        expect(path).toBe(`/images/upload/${result._id}`);
        expect(response.headers.get("Content-Location")).toBe(result.url);
      }
    }
    expect(await offsetOf(uploadKey, path)).toBe(size);
    expect(await rowsLeft(id)).toBe(0);
    // The answer was lost, so the client asks again with no bytes after the end.
    expect((await patch(uploadKey, path, size, "")).status).toBe(200);
  });

  it("An upload whose length is declared last is finished then", async () => {
    const { id, apiKey } = await openProAccount();
    const bytes = mp4(PART + 500);
    const created = await create(apiKey, {
      "Upload-Defer-Length": "1",
      "Upload-Metadata": metadata({ name: "a.mp4" }),
    });
    const path = created.headers.get("Location") ?? "";
    expect((await head(apiKey, path)).headers.get("Upload-Defer-Length")).toBe("1");
    expect((await patch(apiKey, path, 0, bytes)).status).toBe(204);
    const wrong = await patch(apiKey, path, bytes.length, "", { "Upload-Length": "5" });
    expect(wrong.status).toBe(400);
    const last = await patch(apiKey, path, bytes.length, "", { "Upload-Length": String(bytes.length) });
    expect(await expectStored(id, last, bytes)).toMatchObject({ originalFilename: "a.mp4" });
  });

  it("A creation may carry a part or all of the upload", async () => {
    const { id, token } = await openAccount();
    const bytes = png(1, 1, 5000);
    const length = { "Upload-Length": "5000" };
    const part = await create(token, length, bytes.subarray(0, 100));
    expect([part.status, part.headers.get("Upload-Offset")]).toEqual([201, "100"]);
    const path = part.headers.get("Location") ?? "";
    await expectStored(id, await patch(token, path, 100, bytes.subarray(100)), bytes);
    const whole = await create(token, length, bytes);
    expect([whole.status, await whole.json()]).toMatchObject([201, { fileSize: 5000, mimeType: "image/png" }]);
  });

  it("An upload in pieces has the folder and the tags of its creation", async () => {
    const { token, apiKey } = await openProAccount();
    const folder = await callJson("POST", "/folders", token, { name: "Films" });
    const { _id: folderId } = await folder.json<{ _id: string }>();
    const path = await begin(apiKey, 500, { folderId, tags: "one, two" });
    await patch(apiKey, path, 0, mp4(500));
    const listed = await call(`/images?folderId=${folderId}&tags=one,two`, { headers: bearer(apiKey) });
    expect(await listed.json()).toMatchObject({ images: [{ _id: path.split("/").at(-1), prompt: "film.mp4" }] });
  });

  it("An upload in pieces is shown as unfinished, and then as its file", async () => {
    const { uploadKey, token } = await openAccount();
    const bytes = mp4(3000);
    const path = await begin(uploadKey, 3000, { tags: "one,two" });
    await patch(uploadKey, path, 0, bytes.subarray(0, 1000));
    const shown = { filename: "film.mp4", state: "receiving", offset: 1000, length: 3000 };
    const read = async (at: string) => (await call(at, { headers: bearer(token) })).json();
    expect(await read(path)).toMatchObject(shown);
    expect(await read("/images/upload")).toMatchObject({ uploads: [{ ...shown, _id: path.split("/").at(-1) }] });
    await patch(uploadKey, path, 1000, bytes.subarray(1000));
    expect(await read("/images/upload")).toMatchObject({ uploads: [] });
    expect(await read(path)).toMatchObject({ fileSize: 3000, tags: ["one", "two"], thumbnailUrl: expect.any(String) });
  });
});
