import { describe, expect, it } from "vitest";
import { parseFileUrl } from "../../src/cdn/object-path.ts";
import { ServiceError } from "../../src/domain/errors.ts";
import { fileKey, objectUrl, thumbnailKey } from "../../src/domain/object-key.ts";
import { BOUNDED_MS } from "../support/bounded-time.ts";
import { ACCOUNT_ID, ORIGIN, UPLOAD_ID } from "./harness.ts";

const FOLDER = `${ORIGIN}/uploads/${ACCOUNT_ID}`;
const FILE = `${FOLDER}/${UPLOAD_ID}-`;

function statusOf(url: string): number {
  try {
    parseFileUrl(url);
    return 200;
  } catch (error) {
    if (error instanceof ServiceError) return error.statusCode;
    throw error;
  }
}

describe("Key of a URL", () => {
  it.each([
    "a.jpg",
    "holiday photo (1).jpg",
    "100% \"real\" 'it'.png",
    "%2f.png",
    "%25.png",
    "a%00b.png",
    "..",
    "naïve été.mp4",
    "写真.webp",
    "שלום.gif",
    "🦊👩‍👩‍👧.mp4",
    "a+b&c=d;e,f#g?h.mov",
    "back\\slash.avi",
    "{[<|^`~>]}.jpg",
  ])("The key of a URL is the stored key for %s", (name) => {
    const objectKey = fileKey(ACCOUNT_ID, UPLOAD_ID, name);
    const file = { kind: "file", accountId: ACCOUNT_ID, uploadId: UPLOAD_ID, version: UPLOAD_ID, objectKey, query: "" };
    expect(parseFileUrl(objectUrl(ORIGIN, objectKey))).toEqual(file);
    expect(parseFileUrl(new URL(objectUrl(ORIGIN, objectKey)).href)).toEqual(file);
  });

  it("The key of a URL separates thumbnails from files", () => {
    const objectKey = thumbnailKey(ACCOUNT_ID, UPLOAD_ID);
    expect(parseFileUrl(objectUrl(ORIGIN, objectKey))).toMatchObject({ kind: "thumbnail", objectKey });
  });

  it("The key of a URL may have needless escapes, in either case", () => {
    expect(parseFileUrl(`${FILE}%61%c3%a9%C3%A9.jpg`).objectKey).toBe(fileKey(ACCOUNT_ID, UPLOAD_ID, "aéé.jpg"));
  });

  it("The key of a URL may have unescaped Unicode", () => {
    expect(parseFileUrl(`${FILE}é🦊.jpg`).objectKey).toBe(fileKey(ACCOUNT_ID, UPLOAD_ID, "é🦊.jpg"));
  });

  it("The key of a URL excludes the query and the fragment", () => {
    const objectKey = fileKey(ACCOUNT_ID, UPLOAD_ID, "a.jpg");
    expect(parseFileUrl(`${FILE}a.jpg?b=/c%zz?d#e`)).toMatchObject({ objectKey, query: "b=/c%zz?d" });
    expect(parseFileUrl(`${FILE}a.jpg?`)).toMatchObject({ objectKey, query: "" });
    expect(parseFileUrl(`${FILE}a.jpg#b?c`)).toMatchObject({ objectKey, query: "" });
  });

  it("The key of a URL is decoded once only", () => {
    expect(parseFileUrl(`${FILE}%252e%2525.jpg`).objectKey).toBe(fileKey(ACCOUNT_ID, UPLOAD_ID, "%2e%25.jpg"));
  });
});

describe("Malformed URLs", () => {
  it.each(["%", "%4", "%zz", "%e0%a4%a", "a%gg.jpg", "%u0041"])("A URL with the escape %s is 400", (name) => {
    expect(statusOf(FILE + name)).toBe(400);
  });

  it.each(["%ff", "%c3", "%c0%af", "%e0%80%af", "%ed%a0%80", "%f4%90%80%80", "%80"])(
    "A URL that is not UTF-8 (%s) is 400",
    (name) => {
      expect(statusOf(FILE + name)).toBe(400);
    },
  );

  it("A URL with a control character is 400", () => {
    for (let code = 0; code < 0x20; code++) {
      expect(statusOf(`${FILE}a%${code.toString(16).padStart(2, "0")}b.jpg`)).toBe(400);
    }
    expect(statusOf(`${FILE}a%7fb.jpg`)).toBe(400);
    expect(statusOf(`${ORIGIN}/elsewhere%0d%0aX-Injected:%20yes`)).toBe(400);
  });
});

describe("Key length, in bytes of UTF-8", () => {
  const prefixBytes = fileKey(ACCOUNT_ID, UPLOAD_ID, "").length;

  it("A key has at most 1,024 bytes", () => {
    expect(statusOf(FILE + "a".repeat(1024 - prefixBytes))).toBe(200);
    expect(statusOf(FILE + "a".repeat(1025 - prefixBytes))).toBe(414);
  });

  it("The length of a key is not counted in characters", () => {
    const euros = Math.floor((1024 - prefixBytes) / 3);
    expect(statusOf(FILE + "€".repeat(euros))).toBe(200);
    expect(statusOf(FILE + encodeURIComponent("€".repeat(euros)))).toBe(200);
    expect(statusOf(FILE + encodeURIComponent("€".repeat(euros + 1)))).toBe(414);
    expect(statusOf(FILE + encodeURIComponent("🦊".repeat(300)))).toBe(414);
  });

  it("The length of a key is not counted in escapes", () => {
    expect(statusOf(FILE + "%61".repeat(1024 - prefixBytes))).toBe(200);
    expect(statusOf(FILE + "%61".repeat(1025 - prefixBytes))).toBe(414);
  });

  it("An absurdly long path is refused before it is decoded", () => {
    const started = performance.now();
    for (const part of ["a", "%", "%61", "/", "é", "?"]) statusOf(ORIGIN + part.repeat(1_000_000));
    expect(statusOf(`${ORIGIN}/${"%".repeat(1_000_000)}`)).toBe(414);
    expect(performance.now() - started).toBeLessThan(BOUNDED_MS);
  });
});

describe("Other paths", () => {
  it.each([
    ORIGIN,
    `${ORIGIN}/`,
    `${ORIGIN}/uploads`,
    `${ORIGIN}/uploads/`,
    `${ORIGIN}/favicon.ico`,
    FOLDER,
    `${FOLDER}/`,
    `${FOLDER}/${UPLOAD_ID}`,
    FILE,
    `${FILE}a.jpg/`,
    `${FILE}a.jpg/b`,
    `${FILE}a.jpg%2f`,
    `${FILE}a%2Fb.jpg`,
    `${FOLDER}//${UPLOAD_ID}-a.jpg`,
    `${ORIGIN}//uploads/${ACCOUNT_ID}/${UPLOAD_ID}-a.jpg`,
    `${ORIGIN}/UPLOADS/${ACCOUNT_ID}/${UPLOAD_ID}-a.jpg`,
    `${ORIGIN}/uploads/${ACCOUNT_ID.toUpperCase()}/${UPLOAD_ID}-a.jpg`,
    `${ORIGIN}/uploads/${ACCOUNT_ID}0/${UPLOAD_ID}-a.jpg`,
    `${ORIGIN}/x/uploads/${ACCOUNT_ID}/${UPLOAD_ID}-a.jpg`,
    `${ORIGIN}/uploads%2f${ACCOUNT_ID}/${UPLOAD_ID}-a.jpg`,
    `${FOLDER}/thumbs%2F${UPLOAD_ID}-thumb.jpg`,
    `${FOLDER}/thumbs/${UPLOAD_ID}-thumb.png`,
    `${FOLDER}/thumbs/${UPLOAD_ID}-thumb.jpg.html`,
    `${FOLDER}/thumbs/${UPLOAD_ID}-thumb.jpg%20`,
  ])("The path %s is 404", (url) => {
    expect(statusOf(url)).toBe(404);
  });
});
