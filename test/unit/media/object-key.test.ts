import { describe, expect, it } from "vitest";
import { newId } from "../../../src/domain/ids.ts";
import {
  accountPrefix,
  fileKey,
  isReplaced,
  MAX_KEY_BYTES,
  newVersion,
  objectUrl,
  parseObjectKey,
  thumbnailKey,
  toSafeFileName,
  versionOf,
} from "../../../src/domain/object-key.ts";
import { seeded, utf8 } from "../../support/uploads/multipart.ts";

const ACCOUNT = newId(1_760_000_000_000);
const UPLOAD = newId(1_760_000_000_001);
const FOLDER = `uploads/${ACCOUNT}`;

const NAMES = [
  "photo.jpg",
  "a-b-c.jpg",
  `${UPLOAD}-thumb.jpg`,
  "thumbs",
  "..",
  " ",
  "a b\u00a0c.jpg",
  "100% %2f %252f %00.jpg",
  "a?b#c&d=e+f;g,h:i@j!k$l~m.jpg",
  'it\'s "(1)" [2] {3} <4> *5*.jpg',
  "back\\slash|`^.jpg",
  "line\nbreak\r.jpg",
  "写真 été שלום.jpg",
  "🦊👩‍👩‍👧🇩🇪.mp4",
];

it("Object keys have the forms of RES-2", () => {
  expect(fileKey(ACCOUNT, UPLOAD, "my photo.jpg")).toBe(`uploads/${ACCOUNT}/${UPLOAD}-my photo.jpg`);
  expect(thumbnailKey(ACCOUNT, UPLOAD)).toBe(`uploads/${ACCOUNT}/thumbs/${UPLOAD}-thumb.jpg`);
});

it.each(NAMES)("The object key of a file named %j contains its account and upload", (name) => {
  const key = fileKey(ACCOUNT, UPLOAD, name);
  expect(parseObjectKey(key)).toEqual({ kind: "file", accountId: ACCOUNT, uploadId: UPLOAD, version: UPLOAD });
  expect(key.startsWith(accountPrefix(ACCOUNT))).toBe(true);
});

it("The object key of a thumbnail contains its account and upload", () => {
  const key = thumbnailKey(ACCOUNT, UPLOAD);
  expect(parseObjectKey(key)).toEqual({ kind: "thumbnail", accountId: ACCOUNT, uploadId: UPLOAD, version: UPLOAD });
  expect(key.startsWith(accountPrefix(ACCOUNT))).toBe(true);
});

it("The object key of any file name is within R2's limit", () => {
  for (const letter of ["x", "é", "写", "🦊"]) {
    const key = fileKey(ACCOUNT, UPLOAD, toSafeFileName(letter.repeat(5000), "image/png"));
    expect(utf8(key).length).toBeLessThanOrEqual(MAX_KEY_BYTES);
  }
});

describe("Invalid keys", () => {
  const short = UPLOAD.slice(1);
  it.each([
    "",
    "/",
    "uploads",
    "uploads/",
    FOLDER,
    `${FOLDER}/`,
    `${FOLDER}/thumbs`,
    `${FOLDER}/thumbs/`,
    `/${FOLDER}/${UPLOAD}-a.jpg`,
    `uploads//${UPLOAD}-a.jpg`,
    `uploads/${UPLOAD}-a.jpg`,
    `Uploads/${ACCOUNT}/${UPLOAD}-a.jpg`,
    `other/${ACCOUNT}/${UPLOAD}-a.jpg`,
    `x/${FOLDER}/${UPLOAD}-a.jpg`,
    `${FOLDER}/${UPLOAD}`,
    `${FOLDER}/${UPLOAD}-`,
    `${FOLDER}/${UPLOAD}a.jpg`,
    `${FOLDER}/${UPLOAD}-a/b.jpg`,
    `${FOLDER}/${UPLOAD}-a.jpg/`,
    `${FOLDER}/../${ACCOUNT}/${UPLOAD}-a.jpg`,
    `${FOLDER}/${short}-a.jpg`,
    `${FOLDER}/0${UPLOAD}-a.jpg`,
    `${FOLDER}/${UPLOAD.toUpperCase()}-a.jpg`,
    `uploads/${ACCOUNT.toUpperCase()}/${UPLOAD}-a.jpg`,
    `uploads/${ACCOUNT.slice(1)}/${UPLOAD}-a.jpg`,
    `${FOLDER}/${".".repeat(26)}-a.jpg`,
    `${FOLDER}/thumbs/${UPLOAD}-thumb.png`,
    `${FOLDER}/thumbs/${UPLOAD}-thumb.jpg.jpg`,
    `${FOLDER}/thumbs/${UPLOAD}-thumb_jpg`,
    `${FOLDER}/thumbs/${UPLOAD}-a.jpg`,
    `${FOLDER}/thumbs/${short}-thumb.jpg`,
    `${FOLDER}/thumbs/thumbs/${UPLOAD}-thumb.jpg`,
    `${FOLDER}/Thumbs/${UPLOAD}-thumb.jpg`,
    `${FOLDER}/thumbs/${UPLOAD}-thumb.jpg\n`,
    `\n${FOLDER}/${UPLOAD}-a.jpg`,
  ])("%j is not an object key", (key) => {
    expect(parseObjectKey(key)).toBeUndefined();
  });
});

describe("Keys in URLs", () => {
  it.each(NAMES)("An object key in a URL is percent-encoded once, and whole: %j", (name) => {
    const key = fileKey(ACCOUNT, UPLOAD, name);
    const url = objectUrl("https://cdn.example", key);
    expect(url).toMatch(/^https:\/\/cdn\.example\/uploads\/[0-9a-z]{26}\/[0-9a-z]{26}-(?:[\w.~-]|%[0-9A-F]{2})+$/);
    const { pathname, search, hash, href } = new URL(url);
    expect(href).toBe(url);
    expect([search, hash]).toEqual(["", ""]);
    expect(decodeURIComponent(pathname.slice(1))).toBe(key);
  });

  it("An object key in a URL follows an address with a path", () => {
    expect(objectUrl("http://localhost:8787/files", thumbnailKey(ACCOUNT, UPLOAD))).toBe(
      `http://localhost:8787/files/uploads/${ACCOUNT}/thumbs/${UPLOAD}-thumb.jpg`,
    );
  });

  it("An object key is read back from its URL, for any file name", () => {
    const random = seeded(11);
    for (let round = 0; round < 1000; round++) {
      const codes = Array.from({ length: random(30) }, () => random(random(2) === 0 ? 0x180 : 0x110000));
      const key = fileKey(ACCOUNT, UPLOAD, toSafeFileName(String.fromCodePoint(...codes), "video/mp4"));
      const { pathname } = new URL(objectUrl("https://cdn.example", key));
      expect(decodeURIComponent(pathname.slice(1))).toBe(key);
      expect(parseObjectKey(key)).toMatchObject({ accountId: ACCOUNT, uploadId: UPLOAD });
    }
  });
});

it("The key of replaced bytes contains the upload and another version", () => {
  const version = newVersion(UPLOAD, "01k742sg01v9dn9e2s3cj7da27");
  const key = fileKey(ACCOUNT, version, "a-b.jpg");
  expect(parseObjectKey(key)).toEqual({ kind: "file", accountId: ACCOUNT, uploadId: UPLOAD, version });
  expect([versionOf(key), isReplaced(key)]).toEqual([`${UPLOAD}.3cj7da27`, true]);
  expect(isReplaced(fileKey(ACCOUNT, UPLOAD, "a.jpg"))).toBe(false);
  expect(parseObjectKey(`uploads/${ACCOUNT}/${UPLOAD}.3cj7-a.jpg`)).toBeUndefined();
});
