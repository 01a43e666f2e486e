import { beforeAll, describe, expect, it } from "vitest";
import { extensionOf, MEDIA_TYPES } from "../../src/domain/media-types.ts";
import { signPreview } from "../../src/domain/preview-token.ts";
import { parseContentDisposition } from "../../src/multipart/content-disposition.ts";
import {
  bytesOf,
  cdnEnv,
  fetchFile,
  observe,
  patternBytes,
  SERVED,
  store,
  storeFile,
  storeServed,
  THUMBNAIL_KEY,
  UPLOAD_ID,
} from "./harness.ts";

const BYTES = patternBytes(1000);
const CLOSED = "default-src 'none'; sandbox";

let video: Awaited<ReturnType<typeof store>>;

beforeAll(async () => {
  video = await storeFile("clip.mp4", BYTES);
});

const disposition = ({ headers }: Response) => headers.get("Content-Disposition");

describe("?download=1", () => {
  it("`?download=1` has the file saved under its name, and never shown as a page", async () => {
    const response = await fetchFile(`${video.url}?download=1`);
    expect([response.status, await bytesOf(response)]).toEqual([200, BYTES]);
    expect(disposition(response)).toBe('attachment; filename="clip.mp4"');
    expect(response.headers.get("Content-Type")).toBe("video/mp4");
    expect(response.headers.get("Content-Security-Policy")).toBe(CLOSED);
  });

  it.each([
    ["with space.jpg", "with space.jpg", undefined],
    ["it's (1).jpg", "it's (1).jpg", undefined],
    ['a"; filename="evil.exe.png', "a_; filename=_evil.exe.png", "a%22%3B%20filename%3D%22evil.exe.png"],
    ["back\\slash.mov", "back_slash.mov", "back%5Cslash.mov"],
    ["100% *'!.png", "100_ *'!.png", "100%25%20%2A%27%21.png"],
    ["naïve café.jpg", "na_ve caf_.jpg", "na%C3%AFve%20caf%C3%A9.jpg"],
    ["写真 🦊.webp", "__ _.webp", "%E5%86%99%E7%9C%9F%20%F0%9F%A6%8A.webp"],
  ])("`?download=1` names %s as in RFC 6266 and RFC 8187", async (name, plain, extended) => {
    const type = MEDIA_TYPES.find((type) => name.endsWith(`.${extensionOf(type)}`));
    const { url } = await storeFile(name, BYTES, type);
    const header = disposition(await fetchFile(`${url}?download=1`)) ?? "";
    const rest = extended === undefined ? "" : `; filename*=UTF-8''${extended}`;
    expect(header).toBe(`attachment; filename="${plain}"${rest}`);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(parseContentDisposition(header)?.filename).toBe(name);
  });

  it.each([
    ["evil.hta", "image/gif", "evil.hta.gif"],
    ["setup.exe", "video/mp4", "setup.exe.mp4"],
    ["photo.JPEG", "image/jpeg", undefined],
    ["film.m4v", "video/mp4", undefined],
    ["photo.jpg", "image/png", "photo.jpg.png"],
    ["gif", "image/gif", "gif.gif"],
  ])("%s of type %s is saved with an extension of its type", async (name, type, saved) => {
    const { url } = await storeFile(name, BYTES, type);
    expect(disposition(await fetchFile(`${url}?download=1`))).toBe(`attachment; filename="${saved ?? name}"`);
    // A browser's "Save as" of a shown file takes this name, too.
    expect(disposition(await fetchFile(url))).toBe(saved === undefined ? null : `inline; filename="${saved}"`);
  });

  it("`?download=1` cannot be used to write another header", async () => {
    for (const encoded of ["%0d%0aSet-Cookie:%20a=b", "%0a", "%00"]) {
      const response = await fetchFile(`${video.url}${encoded}?download=1`);
      expect([response.status, response.headers.get("Set-Cookie")]).toEqual([400, null]);
    }
  });

  it.each(SERVED)("`?download=1` of a $title works for GET, HEAD, ranges and cached files", async (served) => {
    const stored = await storeServed(served, "clip.mp4", BYTES, "video/mp4");
    const url = `${stored.url}${stored.url.includes("?") ? "&" : "?"}download=1`;
    const attachment = 'attachment; filename="clip.mp4"';
    const whole = await fetchFile(url);
    expect([whole.status, await bytesOf(whole), disposition(whole)]).toEqual([200, BYTES, attachment]);
    expect(whole.headers.get("Content-Security-Policy")).toBe(CLOSED);
    expect(disposition(await fetchFile(url, { method: "HEAD" }))).toBe(attachment);
    const range = await fetchFile(url, { headers: { Range: "bytes=10-19" } });
    expect([range.status, disposition(range)]).toEqual([206, attachment]);
    const known = await fetchFile(url, { headers: { "If-None-Match": stored.etag } });
    expect([known.status, known.headers.get("Content-Security-Policy")]).toEqual([304, CLOSED]);
  });

  it("`?download=1` names a thumbnail by its upload", async () => {
    const thumbnail = await store(THUMBNAIL_KEY, BYTES, "image/jpeg");
    const header = disposition(await fetchFile(`${thumbnail.url}?download=1`));
    expect(header).toBe(`attachment; filename="${UPLOAD_ID}-thumb.jpg"`);
  });

  it("`?download=1` costs one R2 operation and is a view, unless its URL is signed", async () => {
    const counted = await observe(`${video.url}?download=1`);
    expect([counted.operations, counted.views.length]).toEqual([["get"], 1]);
    const token = await signPreview(cdnEnv.PREVIEW_SECRET, video.objectKey, Math.floor(Date.now() / 1000) + 60);
    const uncounted = await observe(`${video.url}?preview=${token}&download=1`);
    expect([uncounted.operations, uncounted.views]).toEqual([["get"], []]);
    expect(disposition(uncounted.response)).toBe('attachment; filename="clip.mp4"');
  });

  it.each([
    "",
    "?download",
    "?download=",
    "?download=0",
    "?download=true",
    "?Download=1",
    "?x=download=1",
    "#download=1",
  ])("Only `1` and a name with a point are a download: %s shows the file", async (query) => {
    const response = await fetchFile(video.url + query);
    expect([response.status, disposition(response)]).toEqual([200, null]);
  });
});

describe("?download=<name>", () => {
  const save = async (name: string) =>
    disposition(await fetchFile(`${video.url}?download=${encodeURIComponent(name)}`));

  it.each([
    ["beach.mp4", 'attachment; filename="beach.mp4"'],
    ["no.extension", 'attachment; filename="no.extension.mp4"'],
    ["setup.exe", 'attachment; filename="setup.exe.mp4"'],
    ["setup.exe. ", 'attachment; filename="setup.exe..mp4"'],
    ["../../etc/pass.wd", 'attachment; filename="pass.wd.mp4"'],
    ["C:\\Windows\\a.mp4", 'attachment; filename="a.mp4"'],
    ["...", 'attachment; filename="file.mp4"'],
    [".htaccess", 'attachment; filename="htaccess.mp4"'],
    ["a\r\nSet-Cookie: a=b.mp4", 'attachment; filename="aSet-Cookie: a=b.mp4"'],
    ["a\u0000.mp4", 'attachment; filename="a.mp4"'],
    ["4pm\u202e.mp4", 'attachment; filename="4pm.mp4"'],
    [
      '"; filename="evil.exe',
      `attachment; filename="_; filename=_evil.exe.mp4"; filename*=UTF-8''%22%3B%20filename%3D%22evil.exe.mp4`,
    ],
    ["été.mp4", `attachment; filename="_t_.mp4"; filename*=UTF-8''%C3%A9t%C3%A9.mp4`],
  ])("The name %j is cleaned, and gets an extension of the type", async (name, header) => {
    expect(await save(name)).toBe(header);
  });

  it("A long name is cut before its extension, and a lone surrogate is harmless", async () => {
    const long = (await save(`${"é".repeat(2000)}.mp4`)) ?? "";
    const name = parseContentDisposition(long)?.filename ?? "";
    expect([name.endsWith(".mp4"), new TextEncoder().encode(name).length <= 205]).toEqual([true, true]);
    const odd = await fetchFile(`${video.url}?download=a%ED%A0%80%FF.mp4`);
    expect([odd.status, disposition(odd)?.startsWith("attachment; ")]).toEqual([200, true]);
  });
});
