import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MEDIA_TYPES } from "../../../src/domain/media-types.ts";
import { expectConsistent, expectNothingLeft, insertFolder, usageOf } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type UploadResult } from "../../support/api/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { inChunks, multipartBody, streamOf, utf8 } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";

// A body of any other type than multipart/form-data is the file itself (UP-3).

function post(token: string, body: BodyInit | null, query = "", headers: Record<string, string> = {}) {
  return call(`/images/upload${query}`, { method: "POST", headers: { ...bearer(token), ...headers }, body });
}

const SIZES = [100, 70_000, 600_000, 8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 20_000_000];

describe("Raw bodies", () => {
  it.each(SIZES)("A raw body of %d bytes is stored byte for byte", async (sizeBytes) => {
    const account = await openAccount();
    const bytes = mp4(sizeBytes, 3);
    for (const body of [bytes, streamOf(inChunks(bytes, 300_000))]) {
      const response = await post(account.uploadKey, body, "?filename=clip.mp4", { "Content-Type": "video/mp4" });
      expect(response.status).toBe(201);
      const result = await response.json<UploadResult>();
      expect(result).toMatchObject({ originalFilename: "clip.mp4", mimeType: "video/mp4", fileSize: sizeBytes });
      const object = await env.FILES.get(result.filename);
      expect(Buffer.compare(Buffer.from((await object?.arrayBuffer()) ?? []), bytes)).toBe(0);
    }
    await expectConsistent(account.id);
  });

  it.each([
    ["its own type", { "Content-Type": "image/png" }],
    ["another type", { "Content-Type": "application/octet-stream" }],
    ["a wrong type", { "Content-Type": "video/mp4; codecs=avc1" }],
    ["plain text", { "Content-Type": "text/plain" }],
    ["no type", { "Content-Type": "" }],
  ])("A raw body's type is detected by its bytes (%s)", async (_, headers) => {
    const account = await openAccount();
    const response = await post(account.uploadKey, png(), "?filename=a.png", headers);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ mimeType: "image/png", originalFilename: "a.png" });
  });

  it.each([
    ["the query", "?filename=from%20query%20%C3%A9.png", 'attachment; filename="other.png"', "from query é.png"],
    ["Content-Disposition", "", 'attachment; filename="from header.png"', "from header.png"],
    [
      "Content-Disposition where the query's is empty",
      "?filename=",
      'attachment; filename="from header.png"',
      "from header.png",
    ],
    ["its extended form", "", "attachment; filename*=UTF-8''na%C3%AFve.png", "naïve.png"],
    ["neither", "", "", "file.png"],
    ["a path in it", "?filename=..%2F..%2Fetc%2Fpasswd.png", "", "passwd.png"],
  ])("A raw body is named by %s", async (_, query, disposition, expected) => {
    const account = await openAccount();
    const headers = {
      "Content-Type": "image/png",
      ...(disposition === "" ? {} : { "Content-Disposition": disposition }),
    };
    const response = await post(account.uploadKey, png(), query, headers);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ originalFilename: expected });
  });

  it("A raw body with curl's default type is stored by its content", async () => {
    const account = await openAccount();
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const response = await post(account.uploadKey, png(), "?filename=a.png", headers);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ mimeType: "image/png", originalFilename: "a.png" });
    await expectConsistent(account.id);
  });

  it("A raw body gets the folder and the tags of the query", async () => {
    const account = await openAccount();
    const folderId = await insertFolder(account.id);
    const response = await post(account.uploadKey, png(), `?folderId=${folderId}&tags=b,a,%20b`);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ folderId, tags: expect.arrayContaining(["a", "b"]) });
    const unknown = await post(account.uploadKey, png(), "?folderId=01hzzzzzzzzzzzzzzzzzzzzzzz");
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual({ error: "Folder not found", code: "folder_not_found", statusCode: 404 });
    await expectConsistent(account.id);
  });

  it.each([
    ["JSON", "application/json", "{}"],
    ["a URL-encoded form", "application/x-www-form-urlencoded", "file=a"],
    ["another kind of multipart", "multipart/mixed; boundary=edge", multipartBody("edge", [])],
    ["no byte", "image/png", ""],
    ["no byte of a type", "", ""],
  ])("A raw body (%s) that cannot be a file is 400 with `details.file`", async (_, type, body) => {
    const account = await openAccount();
    const response = await post(account.uploadKey, body, "", { "Content-Type": type });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: "No file uploaded",
      code: "file_missing",
      details: { file: expect.any(String) },
    });
    await expectNothingLeft(account.id);
  });

  it.each([
    ["text", utf8("Dear diary"), "text/plain"],
    ["a PDF", utf8("%PDF-1.7 ..."), "application/pdf"],
    ["a drawing", utf8('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), "image/svg+xml"],
    ["a form without its type", multipartBody("edge", [{ name: "file", content: png() }]), "multipart/form-data"],
    ["noise", new Uint8Array(1000).fill(0x81), "application/octet-stream"],
  ])("A raw body (%s) of no supported type is 415 with the detected type", async (_, body, detected) => {
    const account = await openAccount();
    const response = await post(account.uploadKey, body, "", { "Content-Type": "image/png" });
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({
      error: "Only images and videos are allowed",
      code: "unsupported_media_type",
      statusCode: 415,
      details: { detected, supported: MEDIA_TYPES },
    });
    await expectNothingLeft(account.id);
  });

  it("A raw body sent with PUT is 405, at any size", async () => {
    const account = await openAccount();
    for (const type of ["image/png", "application/json"]) {
      const headers = { ...bearer(account.uploadKey), "Content-Type": type };
      const response = await call("/images/upload", { method: "PUT", headers, body: png(1, 1, 300_000) });
      expect([response.status, response.headers.get("Allow")?.includes("POST")]).toEqual([405, true]);
    }
  });
});

describe("Accept: text/plain", () => {
  const text = { Accept: "text/plain" };

  it("`Accept: text/plain` is answered with the URL of each stored file, one a line", async () => {
    const account = await openAccount();
    const one = await post(account.uploadKey, png(), "?filename=a.png", text);
    expect([one.status, one.headers.get("Content-Type")]).toEqual([201, expect.stringMatching(/^text\/plain/)]);
    expect(await one.text()).toMatch(/^https:\/\/media\.example\/uploads\/[^\n]+-a\.png\n$/);
    const parts = ["a.png", "b.txt", "c.png"].map((filename) => ({
      name: "file",
      filename,
      content: filename.endsWith("png") ? png() : utf8("text"),
    }));
    const several = await postMultipart(account.uploadKey, multipartBody("edge", parts), undefined, text);
    expect(several.status).toBe(201);
    expect(await several.text()).toMatch(/^https:[^\n]+-a\.png\nhttps:[^\n]+-c\.png\n$/);
    expect(usageOf(several).operations).toBe(3);
  });

  it("`Accept: text/plain` gets errors as JSON; with JSON accepted too, all results are JSON", async () => {
    const account = await openAccount();
    const failed = await post(account.uploadKey, utf8("text"), "", text);
    expect(failed.status).toBe(415);
    expect(failed.headers.get("Content-Type")).toMatch(/^application\/json/);
    const stored = await post(account.uploadKey, png(), "", { Accept: "application/json, text/plain, */*" });
    expect(stored.headers.get("Content-Type")).toMatch(/^application\/json/);
  });
});
