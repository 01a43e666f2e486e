import { createHash } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { MediaObject } from "../../../src/client/types.ts";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";
import { privateTags, readTags, withTags } from "../../support/metadata/exiftool.ts";
import { hashFrames, phoneMov, plainMp4 } from "../../support/metadata/films.ts";
import type { UploadResult } from "../../support/uploads/upload-result.ts";

// META-1 and META-2: the files that the whole product stores, by each way of uploading.

const MIB = 1024 * 1024;
const PLACE = { latitude: 48.2, longitude: 16.3 };
const PLACE_TAGS = [
  ...["-EXIF:GPSLatitude=48.2", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=16.3", "-EXIF:GPSLongitudeRef=E"],
  ...[
    "-XMP-photoshop:City=Vienna",
    "-EXIF:SerialNumber=SN1",
    "-EXIF:Make=Canon",
    "-DateTimeOriginal=2024:05:06 07:08:09",
  ],
];
const TAGS = ["-GPSLatitude=48.2", "-GPSLongitude=16.3", "-EXIF:SerialNumber=SN1", "-Make=Canon"];

let host: CompressionHost;
let jpeg: Buffer;
let film: Buffer;
let largeFilm: Buffer;

beforeAll(async () => {
  host = await CompressionHost.shared();
  jpeg = await withTags(await photo(120, 80).jpeg().toBuffer(), "a.jpg", ...TAGS);
  film = await phoneMov();
  largeFilm = await withBallast(await plainMp4());
});

/** The film with 20 MiB of unused media data before its `moov`. */
async function withBallast(small: Buffer): Promise<Buffer> {
  const moovAt = small.indexOf("moov") - 4;
  const ballast = Buffer.alloc(20 * MIB, "some media data ");
  ballast.writeUInt32BE(ballast.length, 0);
  ballast.write("mdat", 4, "latin1");
  return Buffer.concat([small.subarray(0, moovAt), ballast, small.subarray(moovAt)]);
}

async function fetchFile({ url }: UploadResult): Promise<Buffer> {
  const answer = await fetch(new URL(new URL(url).pathname, host.stack.url));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function store(account: CompressingAccount, bytes: Uint8Array, name: string): Promise<Buffer> {
  const before = await account.storageUsed();
  const answer = await account.upload({ name, bytes });
  expect(answer.status).toBe(201);
  const result = (await answer.json()) as UploadResult;
  const stored = await fetchFile(result);
  expect(result.fileSize).toBe(stored.length);
  expect(await account.storageUsed()).toBe(before + stored.length);
  return stored;
}

/** Uploads by tus in pieces of this size. */
async function storeByTus(
  account: CompressingAccount,
  bytes: Buffer,
  name: string,
  pieceBytes: number,
): Promise<Buffer> {
  const headers = { Authorization: `Bearer ${account.token}`, "Tus-Resumable": "1.0.0" };
  const filename = Buffer.from(name).toString("base64");
  const created = await fetch(new URL("/images/upload", host.stack.url), {
    method: "POST",
    headers: { ...headers, "Upload-Length": String(bytes.length), "Upload-Metadata": `filename ${filename}` },
  });
  expect(created.status).toBe(201);
  const location = new URL(created.headers.get("Location") ?? "", host.stack.url);
  const url = new URL(location.pathname, host.stack.url);
  for (let at = 0; ; at += pieceBytes) {
    const piece = new Uint8Array(bytes.subarray(at, at + pieceBytes));
    const answer = await fetch(url, {
      method: "PATCH",
      headers: { ...headers, "Upload-Offset": String(at), "Content-Type": "application/offset+octet-stream" },
      body: piece,
    });
    if (at + pieceBytes >= bytes.length) return fetchFile((await answer.json()) as UploadResult);
    expect(answer.status).toBe(204);
  }
}

describe("The metadata setting", () => {
  it("`PATCH /settings` sets the metadata mode, null resets it, and the default depends on the compression", async () => {
    const account = await host.openAccount({});
    const read = async () =>
      ((await (await host.send("GET", "/settings", account.token)).json()) as { metadata: string }).metadata;
    expect(await read()).toBe("keep");
    await account.change({ autoCompress: true });
    expect(await read()).toBe("private");
    await account.change({ metadata: "none" });
    await account.change({ autoCompress: false });
    expect(await read()).toBe("none");
    await account.change({ metadata: null });
    expect(await read()).toBe("keep");
    const wrong = await host.send("PATCH", "/settings", account.token, { metadata: "some" });
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([400, "invalid_request"]);
  });

  it("Files are stored byte for byte by default, and with `keep` although compression is on", async () => {
    const fresh = await host.openAccount({});
    expect((await store(fresh, film, "a.mov")).equals(film)).toBe(true);
    const keeping = await host.openAccount({ autoCompress: true, metadata: "keep" });
    expect((await store(keeping, film, "a.mov")).equals(film)).toBe(true);
  });

  it("`compress=true` removes the place of a film, and `compress=false` keeps no more than the setting", async () => {
    const send = async (account: CompressingAccount, bytes: Buffer, query: string) => {
      const headers = { Authorization: `Bearer ${account.token}` };
      const url = new URL(`/images/upload?${query}`, host.stack.url);
      const answer = await fetch(url, { method: "POST", headers, body: new Uint8Array(bytes) });
      return fetchFile((await answer.json()) as UploadResult);
    };
    const keeping = await host.openAccount({});
    const stored = await send(keeping, film, "filename=a.mov&compress=true");
    expect(privateTags(await readTags(stored, "a.mov"))).toEqual([]);
    const compressing = await host.openAccount();
    const original = await send(compressing, jpeg, "filename=a.jpg&compress=false");
    expect(original.length).toBe(jpeg.length);
    expect(privateTags(await readTags(original, "a.jpg"))).toEqual([]);
  });

  it("A film that an account with compression uploads loses its place", async () => {
    const account = await host.openAccount();
    const stored = await store(account, film, "a.mov");
    expect(privateTags(await readTags(stored, "a.mov"))).toEqual([]);
    expect(stored.length).toBe(film.length);
  });

  it.each(["private", "none"] as const)("Small files lose their metadata: %s", async (metadata) => {
    const account = await host.openAccount({ metadata });
    const picture = await store(account, jpeg, "a.jpg");
    expect(privateTags(await readTags(picture, "a.jpg"))).toEqual([]);
    expect(picture.includes("Canon")).toBe(metadata === "private");
    const video = await store(account, film, "a.mov");
    expect(privateTags(await readTags(video, "a.mov"))).toEqual([]);
    expect(await hashFrames(video)).toBe(await hashFrames(film));
  });

  it("A film that streams in parts loses its place, with `moov` at its end", async () => {
    expect(privateTags(await readTags(largeFilm, "a.mp4"))).not.toEqual([]);
    const stored = await store(await host.openAccount({ metadata: "private" }), largeFilm, "a.mp4");
    expect(privateTags(await readTags(stored, "a.mp4"))).toEqual([]);
    expect(stored.length).toBe(largeFilm.length);
    expect(await hashFrames(stored)).toBe(await hashFrames(largeFilm));
  });

  it.each([largePieces(), 3 * MIB])(
    "A resumable upload in pieces of %d bytes is stored like a form",
    async (pieceBytes) => {
      const account = await host.openAccount({ metadata: "private" });
      const [whole, pieces] = [
        await store(account, largeFilm, "a.mp4"),
        await storeByTus(account, largeFilm, "a.mp4", pieceBytes),
      ];
      expect(sha256(pieces)).toBe(sha256(whole));
    },
  );
});

describe("The removal of a place", () => {
  it.each(["a.jpg", "a.png", "a.webp", "a.mov", "a.mp4"])(
    "exiftool finds no place after its removal, and pixels and frames are equal: %s",
    async (name) => {
      const account = await host.openAccount({});
      const bytes = await sampleOf(name);
      expect(privateTags(await readTags(bytes, name))).not.toEqual([]);
      const answer = await account.upload({ name, bytes });
      const { _id, ...uploaded } = (await answer.json()) as UploadResult & Camera;
      const used = await account.storageUsed();
      if (name !== "a.mp4") expect(uploaded).toMatchObject({ location: PLACE });
      const image = await remove(account, _id);
      expect([image.location, image.camera, image.takenAt]).toEqual([null, uploaded.camera, uploaded.takenAt]);
      const stored = await fetchFile(image);
      expect([stored.length, await account.storageUsed()]).toEqual([bytes.length, used]);
      const tags = await readTags(stored, name);
      expect(privateTags(tags)).toEqual([]);
      if (name.startsWith("a.m")) expect(await hashFrames(stored)).toBe(await hashFrames(bytes));
      else expect(await sharp(stored).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
      if (name === "a.jpg") expect(scanOf(stored)).toEqual(scanOf(bytes));
      if (name === "a.jpg") expect(tags["IFD0:Orientation"]).toBe(6);
      expect((await remove(account, _id)).url).toBe(image.url);
    },
  );
});

type Camera = Pick<MediaObject, "location" | "camera" | "takenAt">;

async function remove(account: CompressingAccount, id: string): Promise<UploadResult & Camera> {
  const answer = await host.send("POST", `/images/${id}/remove-location`, account.token);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as UploadResult & Camera;
}

async function sampleOf(name: string): Promise<Buffer> {
  const picture = photo(120, 80);
  switch (name) {
    case "a.jpg":
      return withTags(await picture.jpeg().toBuffer(), name, ...PLACE_TAGS, "-Orientation#=6");
    case "a.png":
      return withTags(await picture.png().toBuffer(), name, ...PLACE_TAGS);
    case "a.webp":
      return withTags(await picture.webp().toBuffer(), name, ...PLACE_TAGS);
    case "a.mov":
      return withTags(film, name, "-Keys:GPSCoordinates=48.2, 16.3, 171");
    default:
      return largeFilm;
  }
}

/** The coded data of a JPEG, from its scan on. */
function scanOf(jpeg: Buffer): Buffer {
  return jpeg.subarray(jpeg.lastIndexOf(Buffer.of(0xff, 0xda)));
}

function largePieces(): number {
  return 9 * MIB;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
