import { beforeAll, describe, expect, it } from "vitest";
import { toDownloadName } from "../../src/domain/media-types.ts";
import { fileKey } from "../../src/domain/object-key.ts";
import {
  ACCOUNT_ID,
  bytesOf,
  cdnEnv,
  fetchFile,
  observe,
  patternBytes,
  store,
  storeFile,
  THUMBNAIL_KEY,
  UPLOAD_ID,
} from "./harness.ts";

const BYTES = patternBytes(300_000);
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

let video: Awaited<ReturnType<typeof store>>;
let thumbnail: Awaited<ReturnType<typeof store>>;

beforeAll(async () => {
  video = await storeFile("clip.mp4", BYTES, "video/mp4");
  thumbnail = await store(THUMBNAIL_KEY, patternBytes(2000), "image/jpeg");
});

describe("GET", () => {
  it("GET answers the file byte for byte", async () => {
    const response = await fetchFile(video.url);
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(BYTES);
  });

  it("GET answers the file's headers", async () => {
    const { headers } = await fetchFile(video.url);
    expect(headers.get("Content-Length")).toBe("300000");
    expect(headers.get("Content-Type")).toBe("video/mp4");
    expect(headers.get("Accept-Ranges")).toBe("bytes");
    expect(headers.get("Content-Range")).toBeNull();
    expect(headers.get("Content-Disposition")).toBeNull();
    expect(headers.get("ETag")).toBe(video.etag);
    expect(headers.get("ETag")).toMatch(/^"[^"]+"$/);
    expect(headers.get("Last-Modified")).toMatch(IMF_FIXDATE);
    expect(Date.parse(headers.get("Last-Modified") ?? "")).toBe(Math.floor(video.uploaded.getTime() / 1000) * 1000);
  });

  it("GET takes one R2 operation", async () => {
    expect((await observe(video.url)).operations).toEqual(["get"]);
    expect((await observe(thumbnail.url)).operations).toEqual(["get"]);
  });

  it("GET answers an empty object, though none is ever stored", async () => {
    const empty = await storeFile("empty.png", new Uint8Array(), "image/png");
    const { response, body } = await observe(empty.url);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Length")).toBe("0");
    expect(body).toHaveLength(0);
    const ranged = await observe(empty.url, { headers: { Range: "bytes=0-" } });
    expect(ranged.response.status).toBe(416);
    expect(ranged.response.headers.get("Content-Range")).toBe("bytes */0");
  });
});

describe("HEAD", () => {
  it("HEAD has the headers of GET and no body", async () => {
    const get = await fetchFile(video.url);
    await bytesOf(get);
    const head = await fetchFile(video.url, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect([...head.headers]).toEqual([...get.headers]);
    expect(await bytesOf(head)).toHaveLength(0);
  });

  it("HEAD ignores Range (RFC 9110, 14.2)", async () => {
    const { response, operations } = await observe(video.url, { method: "HEAD", headers: { Range: "bytes=5-9" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Length")).toBe("300000");
    expect(response.headers.get("Content-Range")).toBeNull();
    expect(operations).toEqual(["head"]);
  });
});

describe("Content-Type", () => {
  it.each([
    "image/jpeg",
    "image/png",
    "image/webp",
    "image/gif",
    "video/mp4",
    "video/webm",
    "video/quicktime",
    "video/x-msvideo",
  ])("A file of type %s is shown", async (type) => {
    const file = await storeFile(toDownloadName("shown", type), patternBytes(10), type);
    const { headers } = await fetchFile(file.url);
    expect(headers.get("Content-Type")).toBe(type);
    expect(headers.get("Content-Disposition")).toBeNull();
  });

  it.each(["text/html", "image/svg+xml", "application/xhtml+xml", "image/jpeg; x=y", "IMAGE/JPEG", "constructor"])(
    "A file of type %s is a download of unknown bytes",
    async (type) => {
      const file = await storeFile("page.html", patternBytes(10), type);
      const { headers } = await fetchFile(file.url);
      expect(headers.get("Content-Type")).toBe("application/octet-stream");
      expect(headers.get("Content-Disposition")).toBe('attachment; filename="page.html.bin"');
      expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
    },
  );

  it("A file without a stored type is a download of unknown bytes", async () => {
    const file = await store(fileKey(ACCOUNT_ID, UPLOAD_ID, "untyped.jpg"), patternBytes(10));
    const { headers } = await fetchFile(file.url);
    expect(headers.get("Content-Type")).toBe("application/octet-stream");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="untyped.jpg.bin"');
  });
});

describe("Cache-Control", () => {
  it("A thumbnail is cached for 90 days", async () => {
    const { headers } = await fetchFile(thumbnail.url);
    expect(headers.get("Cache-Control")).toBe(`public, max-age=${90 * 24 * 60 * 60}`);
  });

  it("An original is cached for five minutes", async () => {
    expect((await fetchFile(video.url)).headers.get("Cache-Control")).toBe("public, max-age=300, no-transform");
  });

  it.each([
    ["0", "0"],
    ["60", "60"],
    ["0060", "60"],
    ["", "300"],
    ["-1", "300"],
    ["1.5", "300"],
    ["1e3", "300"],
    ["60, immutable", "300"],
    ["five", "300"],
    ["99999999999", "300"],
  ])("FILE_MAX_AGE_SECONDS %j means %s seconds", async (FILE_MAX_AGE_SECONDS, seconds) => {
    const { response } = await observe(video.url, {}, { FILE_MAX_AGE_SECONDS });
    expect(response.headers.get("Cache-Control")).toBe(`public, max-age=${seconds}, no-transform`);
  });
});

it("Other query parameters are ignored", async () => {
  const { response, body } = await observe(`${video.url}?download=1&v=%zz&preview2=x`);
  expect(response.status).toBe(200);
  expect(body).toEqual(BYTES);
});

it("A file that R2 no longer has is not served", async () => {
  const file = await storeFile("gone.mp4", patternBytes(100));
  expect((await observe(file.url)).response.status).toBe(200);
  await cdnEnv.FILES.delete(file.objectKey);
  expect((await observe(file.url)).response.status).toBe(404);
});
