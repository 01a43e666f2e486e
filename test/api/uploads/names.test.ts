import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MEDIA_TYPES } from "../../../src/domain/media-types.ts";
import worker from "../../../src/worker.ts";
import { expectNothingLeft } from "../../support/api/account-state.ts";
import { BASE_URL, bearer, call, openAccount, type TestAccount, type UploadResult } from "../../support/api/api.ts";
import { bytesOf, gif, jpeg, mp4, png } from "../../support/media/samples.ts";
import { multipartBody, utf8 } from "../../support/uploads/multipart.ts";
import { postMultipart } from "../../support/uploads/post-multipart.ts";

type Bytes = Uint8Array<ArrayBuffer>;

function send(account: TestAccount, filename: string, content: Bytes): Promise<Response> {
  return postMultipart(account.uploadKey, multipartBody("edge", [{ name: "file", filename, content }]));
}

describe("File names", () => {
  it.each<[string, string, string?]>([
    ["../../../etc/passwd.png", "passwd.png"],
    ["..\\..\\secret.png", "secret.png"],
    ["C:\\fakepath\\photo.png", "photo.png"],
    ["/absolute.png", "absolute.png"],
    ["a%2fb.png", "a%2fb.png"],
    ["%2e%2e%2fa.png", "%2e%2e%2fa.png"],
    ["100%.png", "100%.png"],
    ['say "cheese".png', 'say "cheese".png'],
    ["it's (1) [2] {3}.png", "it's (1) [2] {3}.png"],
    ["a?b#c&d=e+f;g.png", "a?b#c&d=e+f;g.png"],
    ["a\r\nX-Injected: 1\r\n.png", "aX-Injected: 1.png"],
    ["a\0b\x7f.png", "ab.png"],
    ["🦊 family 👩‍👩‍👧.png", "🦊 family 👩‍👩‍👧.png"],
    ["שלום עולם.png", "שלום עולם.png"],
    ["مرحبا.png", "مرحبا.png"],
    ["photo\u202egnp.exe", "photognp.exe"],
    ["写真.png", "写真.png"],
    [".hidden", ".hidden", "hidden.png"],
    ["...three.png", "...three.png", "three.png"],
    ["blob", "blob", "blob.png"],
    ["..", "file.png"],
    ["/", "file.png"],
    ["   ", "   ", "file.png"],
    ["\u202e", "file.png"],
  ])("A file's name %j is kept as %j, and its URL leads to the file", async (uploaded, kept, stored = kept) => {
    const account = await openAccount();
    const bytes = png(3, 2, 777);
    const response = await send(account, uploaded, bytes);
    expect(response.status, await response.clone().text()).toBe(201);
    const result = await response.json<UploadResult>();
    expect(result.originalFilename).toBe(kept);
    expect(result.filename).toBe(`uploads/${account.id}/${result._id}-${stored}`);
    // No character that could end a URL early or have another meaning in it.
    const { pathname, href } = new URL(result.url);
    expect(href).toBe(result.url);
    expect(pathname).toMatch(/^\/uploads\/[0-9a-z]{26}\/[0-9a-z]{26}-[A-Za-z0-9%._~-]+$/);
    expect(decodeURIComponent(pathname.slice(1))).toBe(result.filename);
    const served = await call(pathname);
    expect(served.status).toBe(200);
    expect(Buffer.compare(Buffer.from(await served.arrayBuffer()), bytes)).toBe(0);
  });

  it.each([
    ["letters", `${"x".repeat(5000)}.png`],
    ["emoji", `${"👩‍👩‍👧".repeat(280)}.png`],
    ["an extension", `a.${"p".repeat(5000)}`],
    ["dots", ".".repeat(5000)],
  ])("A file's name of 5 KB of %s is shortened, and the stored one more", async (_, name) => {
    const account = await openAccount();
    const response = await send(account, name, png());
    expect(response.status).toBe(201);
    const result = await response.json<UploadResult>();
    expect(utf8(result.originalFilename).length).toBeLessThanOrEqual(1024);
    expect(utf8(result.filename.slice(result.filename.lastIndexOf("/") + 1)).length).toBeLessThanOrEqual(255);
    expect(result.originalFilename).not.toContain("\ufffd");
    expect((await call(new URL(result.url).pathname)).status).toBe(200);
  });

  it("A file's name of a file system's longest is recorded as a whole, and found by its end", async () => {
    const account = await openAccount();
    const name = `${"写".repeat(230)} last words.png`;
    const result = await (await send(account, name, png())).json<UploadResult>();
    expect(result.originalFilename).toBe(name);
    expect(utf8(result.filename.slice(result.filename.lastIndexOf("/") + 1)).length).toBeLessThanOrEqual(255);
    const found = await call("/images?q=last%20words", { headers: bearer(account.token) });
    expect(await found.json()).toMatchObject({ images: [{ _id: result._id, prompt: name }] });
  });

  it("A file's name longer than the part headers' limit is 400", async () => {
    const account = await openAccount();
    expect((await send(account, "x".repeat(20_000), png())).status).toBe(400);
    await expectNothingLeft(account.id);
  });
});

describe("Content", () => {
  const box = (type: string) => bytesOf([0, 0, 0, 24], `ftyp${type}`, [0, 0, 0, 0], "mif1heic");
  it.each<[string, string, Bytes]>([
    ["HTML", "text/html", utf8("<!doctype html><script>alert(1)</script>")],
    ["SVG", "image/svg+xml", utf8('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ["XML", "image/svg+xml", utf8('<?xml version="1.0"?><svg/>')],
    ["PDF", "application/pdf", utf8("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n")],
    ["ZIP", "application/zip", bytesOf("PK\x03\x04", new Uint8Array(100))],
    ["MP3 with ID3", "audio/mpeg", bytesOf("ID3", [4, 0, 0, 0, 0, 0, 10], new Uint8Array(100))],
    ["MP3", "audio/mpeg", bytesOf([0xff, 0xfb, 0x90, 0x64], new Uint8Array(100))],
    ["WAV", "audio/wav", bytesOf("RIFF", [100, 0, 0, 0], "WAVEfmt ", new Uint8Array(50))],
    ["TIFF", "image/tiff", bytesOf("II*\0", new Uint8Array(50))],
    ["BMP", "image/bmp", bytesOf("BM", new Uint8Array(60))],
    ["HEIC", "image/heic", box("heic")],
    ["AVIF", "image/avif", box("avif")],
    ["M4A", "audio/mp4", box("M4A ")],
    ["an executable", "application/vnd.microsoft.portable-executable", bytesOf("MZ", new Uint8Array(100))],
    ["zeros", "application/octet-stream", new Uint8Array(100)],
    ["one byte", "application/octet-stream", bytesOf([0xff])],
    ["half a PNG signature", "application/octet-stream", bytesOf("\x89PNG")],
  ])("A file of %s named .jpg is 415 and not stored; the answer has its type (%s)", async (_, detected, bytes) => {
    const account = await openAccount();
    const response = await send(account, "photo.jpg", bytes);
    expect(response.status).toBe(415);
    expect(await response.json()).toEqual({
      error: "Only images and videos are allowed",
      code: "unsupported_media_type",
      statusCode: 415,
      details: { detected, supported: MEDIA_TYPES },
    });
    await expectNothingLeft(account.id);
  });

  it.each<[string, Bytes, string]>([
    ["photo.txt", jpeg(), "image/jpeg"],
    ["photo.png", jpeg(), "image/jpeg"],
    ["page.html", gif(), "image/gif"],
    ["photo.jpg", mp4(), "video/mp4"],
  ])("The content decides the type: %s", async (name, bytes, mimeType) => {
    const account = await openAccount();
    const result = await (await send(account, name, bytes)).json<UploadResult>();
    expect(result).toMatchObject({ mimeType, originalFilename: name });
    expect((await call(new URL(result.url).pathname)).headers.get("Content-Type")).toBe(mimeType);
  });

  it("A file that is a GIF and a page at once is served as a GIF that no browser runs", async () => {
    const account = await openAccount();
    const polyglot = bytesOf(gif(), "/*<html><script>alert(document.domain)</script>*/");
    const result = await (await send(account, "polyglot.html", polyglot)).json<UploadResult>();
    expect(result.mimeType).toBe("image/gif");
    const served = await call(new URL(result.url).pathname);
    expect(served.headers.get("Content-Type")).toBe("image/gif");
    expect(served.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(served.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; (?!.*script-src)/);
    expect((await env.FILES.head(result.filename))?.size).toBe(polyglot.length);
  });
});

it.each(["https://cdn.example", "https://cdn.example/"])(
  "URLs of files begin with CDN_URL if it is %s",
  async (CDN_URL) => {
    const account = await openAccount();
    const body = multipartBody("edge", [{ name: "file", filename: "a.mp4", content: mp4() }]);
    const headers = { ...bearer(account.uploadKey), "Content-Type": "multipart/form-data; boundary=edge" };
    const request = new Request(`${BASE_URL}/images/upload`, { method: "POST", headers, body });
    const ctx = createExecutionContext();
    const response = await worker.fetch(request, { ...env, CDN_URL }, ctx);
    await waitOnExecutionContext(ctx);
    const result = await response.json<UploadResult>();
    expect(result.url).toBe(`https://cdn.example/${result.filename}`);
    expect(result.thumbnailUrl).toBe(`https://cdn.example/uploads/${account.id}/thumbs/${result._id}-thumb.jpg`);
  },
);
