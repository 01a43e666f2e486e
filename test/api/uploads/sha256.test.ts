import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { forgetBlockList } from "../../../src/services/uploads/known-bytes.ts";
import { insertFolder } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  newAddress,
  openAccount,
  openProAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { writePng } from "../../support/png/write-png.ts";
import { begin, patch } from "../../support/uploads/tus.ts";
import type { UploadResult } from "../../support/uploads/upload-result.ts";

beforeEach(forgetBlockList);

const MIB = 1024 * 1024;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A PNG with a name in its metadata. */
function withAuthor(side: number): Uint8Array<ArrayBuffer> {
  const author = Buffer.from("Author\0Somebody with a name", "latin1");
  const picture = { width: side, height: side, colorType: 2, bitDepth: 8, pixel: () => [7, 8, 9] } as const;
  return new Uint8Array(writePng({ ...picture, before: [["tEXt", author]] }));
}

async function storedSha256({ filename }: UploadResult): Promise<string> {
  return sha256(new Uint8Array((await (await env.FILES.get(filename))?.arrayBuffer()) ?? []));
}

async function inPieces(token: string, bytes: Uint8Array, pieceBytes: number, name: string): Promise<UploadResult> {
  const path = await begin(token, bytes.length, { filename: name });
  let response: Response | undefined;
  for (let at = 0; at < bytes.length; at += pieceBytes)
    response = await patch(token, path, at, bytes.subarray(at, at + pieceBytes));
  if (response?.status !== 200) throw new Error(`The last piece answered ${response?.status}`);
  return response.json();
}

async function find(token: string, query: string): Promise<string[]> {
  const response = await call(`/images?${query}`, { headers: bearer(token) });
  expect(response.status).toBe(200);
  const { images, pagination } = await response.json<{ images: { _id: string }[]; pagination: { total: number } }>();
  expect(pagination.total).toBe(images.length);
  return images.map(({ _id }) => _id);
}

describe("SHA-256 of uploads (RES-4)", () => {
  it.each([100, 70_000, 600_000, 8 * MIB, 8 * MIB + 1, 20_000_000])(
    "A form's file of %d bytes has its hash",
    async (size) => {
      const account = await openAccount();
      const bytes = mp4(size, size);
      const result = await uploadOne(account.uploadKey, { name: "a.mp4", bytes });
      expect(result).toMatchObject({ sha256: sha256(bytes) });
      expect(result).not.toHaveProperty("uploadedSha256");
    },
  );

  it.each([
    [1000, 400],
    [8 * MIB, 5 * MIB],
    [8 * MIB + 1, 8 * MIB],
    [20 * MIB + 77, 5 * MIB + 13],
  ])("An upload of %d bytes in pieces of %d has its hash", async (size, pieceBytes) => {
    const account = await openAccount();
    const bytes = mp4(size, size);
    expect(await inPieces(account.uploadKey, bytes, pieceBytes, "a.mp4")).toMatchObject({ sha256: sha256(bytes) });
  });

  it("A compressed image has the hash of the stored bytes, and the hash of the uploaded ones", async () => {
    const account = await openAccount();
    await callJson("PATCH", "/settings", account.token, { autoCompress: true });
    const plain = new Uint8Array(
      writePng({ width: 40, height: 40, colorType: 2, bitDepth: 8, pixel: () => [200, 30, 30] }),
    );
    for (const result of [
      await uploadOne(account.uploadKey, { name: "a.png", bytes: plain }),
      await inPieces(account.uploadKey, plain, 3000, "b.png"),
    ]) {
      expect(result).toMatchObject({ compressed: true, uploadedSha256: sha256(plain) });
      expect(result.sha256).toBe(await storedSha256(result));
      expect(result.sha256).not.toBe(result.uploadedSha256);
    }
  });

  it.each([4, 1800])("A file that lost metadata has both hashes (%d pixels wide)", async (side) => {
    const account = await openAccount();
    await callJson("PATCH", "/settings", account.token, { metadata: "none" });
    const bytes = withAuthor(side);
    for (const result of [
      await uploadOne(account.uploadKey, { name: "a.png", bytes }),
      await inPieces(account.uploadKey, bytes, side === 4 ? 100 : 5 * MIB, "b.png"),
    ]) {
      expect(result).toMatchObject({ compressed: false, uploadedSha256: sha256(bytes) });
      expect(result.sha256).toBe(await storedSha256(result));
      expect(result.sha256).not.toBe(result.uploadedSha256);
    }
  });
});

describe("GET /images?sha256= (LIST-3)", () => {
  it("The filter finds equal files in every folder, newest first, by stored and by uploaded bytes", async () => {
    const account = await openAccount();
    const bytes = png(3, 2, 500);
    const folderId = await insertFolder(account.id);
    const first = await uploadOne(account.token, { name: "a.png", bytes });
    const second = await uploadOne(account.token, { name: "b.png", bytes }, { folderId });
    await uploadOne(account.token, { name: "c.png", bytes: png(3, 2, 501) });
    expect(await find(account.token, `sha256=${sha256(bytes)}`)).toEqual([second._id, first._id]);
    expect(await find(account.token, `sha256=${sha256(bytes).toUpperCase()}`)).toHaveLength(2);
    expect(await find(account.token, `sha256=${sha256(bytes)}&folderId=root`)).toEqual([first._id]);
    expect(await find(account.token, `sha256=${sha256(bytes)}&q=b.png`)).toEqual([second._id]);
    expect(await find(account.token, `sha256=${sha256(bytes)}&minSize=501`)).toEqual([]);
    expect(await find(account.token, `sha256=${sha256(png(1, 1))}`)).toEqual([]);
    await callJson("PATCH", "/settings", account.token, { autoCompress: true });
    const plain = new Uint8Array(
      writePng({ width: 40, height: 40, colorType: 2, bitDepth: 8, pixel: () => [9, 30, 30] }),
    );
    const compressed = await uploadOne(account.token, { name: "d.png", bytes: plain });
    expect(await find(account.token, `sha256=${sha256(plain)}`)).toEqual([compressed._id]);
    expect(await find(account.token, `sha256=${compressed.sha256}`)).toEqual([compressed._id]);
  });

  it("The filter respects the status, and the cursor continues it", async () => {
    const account = await openAccount();
    const bytes = png(5, 2, 300);
    const ids: string[] = [];
    for (let at = 0; at < 4; at++) ids.unshift((await uploadOne(account.token, { name: `${at}.png`, bytes }))._id);
    await callJson("POST", "/images/bulk-trash", account.token, { ids: [ids[1]] });
    const query = `sha256=${sha256(bytes)}`;
    const active = [ids[0], ids[2], ids[3]];
    expect(await find(account.token, query)).toEqual(active);
    expect(await find(account.token, `${query}&status=trash`)).toEqual([ids[1]]);
    expect(await find(account.token, `${query}&status=all`)).toEqual(ids);
    const walked: string[] = [];
    for (let cursor = ""; ; ) {
      const response = await call(`/images?${query}&limit=2${cursor}`, { headers: bearer(account.token) });
      const page = await response.json<{ images: { _id: string }[]; pagination: { nextCursor: string | null } }>();
      walked.push(...page.images.map(({ _id }) => _id));
      if (page.pagination.nextCursor === null) break;
      cursor = `&cursor=${page.pagination.nextCursor}`;
    }
    expect(walked).toEqual(active);
  });

  it("Other accounts' files are not found, and a confined key finds its own folder's", async () => {
    const account = await openProAccount();
    const stranger = await openAccount();
    const bytes = png(6, 2, 300);
    const folderId = await insertFolder(account.id);
    await uploadOne(stranger.token, { name: "a.png", bytes });
    await uploadOne(account.token, { name: "a.png", bytes });
    const inside = await uploadOne(account.token, { name: "b.png", bytes }, { folderId });
    const { key } = await createApiKey(account.token, [], { folderId });
    expect(await find(key, `sha256=${sha256(bytes)}`)).toEqual([inside._id]);
    expect(await find(account.token, `sha256=${sha256(bytes)}`)).toHaveLength(2);
  });

  it.each(["abc", "g".repeat(64), `${"a".repeat(64)}0`])("The value %s is 400", async (value) => {
    const { token } = await openAccount();
    const response = await call(`/images?sha256=${value}`, { headers: bearer(token) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ details: { sha256: "Must be 64 hexadecimal digits" } });
  });
});

describe("Blocked bytes (OPER-5)", () => {
  it("A large upload in pieces is refused if the bytes were blocked as uploaded", async () => {
    const account = await openAccount();
    await callJson("PATCH", "/settings", account.token, { metadata: "none" });
    const bytes = withAuthor(1800);
    const stored = await uploadOne(account.uploadKey, { name: "a.png", bytes });
    const takedown = await call("/admin/takedowns", {
      method: "POST",
      headers: { ...bearer(env.ADMIN_TOKEN), "Content-Type": "application/json", "CF-Connecting-IP": newAddress() },
      body: JSON.stringify({ url: stored.url, reason: "illegal" }),
    });
    expect(takedown.status).toBe(200);
    await callJson("PATCH", "/settings", account.token, { metadata: "keep" });
    forgetBlockList();
    const path = await begin(account.uploadKey, bytes.length, { filename: "b.png" });
    await patch(account.uploadKey, path, 0, bytes.subarray(0, 5 * MIB));
    const last = await patch(account.uploadKey, path, 5 * MIB, bytes.subarray(5 * MIB));
    expect([last.status, (await last.json<{ code: string }>()).code]).toEqual([415, "content_blocked"]);
  });
});
