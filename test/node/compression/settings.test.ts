import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { writeGif } from "../../support/gif/write-gif.ts";
import { type CompressingAccount, CompressionHost, type Stored } from "../../support/media/compression.ts";
import { exifWithPlace } from "../../support/media/exif.ts";
import { photo } from "../../support/media/pictures.ts";
import { mp4 } from "../../support/media/samples.ts";

// SVC-3, COMP-1 and COMP-2: every uploaded image is compressed if the setting is on; it applies to later uploads only.

let host: CompressionHost;
let account: CompressingAccount;
let files: Record<"jpeg" | "png" | "webp" | "gif", Buffer>;

beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
  const picture = photo(240, 160);
  const colours = [[0, 0, 0], [255, 0, 9], [0, 255, 0], [9, 9, 255]] as const; // biome-ignore format: a table
  files = {
    jpeg: await picture.clone().jpeg({ quality: 95 }).toBuffer(),
    png: await picture.clone().png({ compressionLevel: 0 }).toBuffer(),
    webp: await picture.clone().webp({ quality: 97 }).toBuffer(),
    gif: writeGif({
      width: 90,
      height: 60,
      colours,
      frames: [{ width: 90, height: 60, pixel: (x, y) => (x ^ y) & 3 }],
    }),
  };
});

function named(): { name: string; bytes: Buffer }[] {
  return Object.entries(files).map(([type, bytes]) => ({ name: `picture.${type}`, bytes }));
}

describe("compression setting", () => {
  it("Compression is off by default, and images are stored byte for byte", async () => {
    const fresh = await host.openAccount({});
    const settings = (await (await host.send("GET", "/settings", fresh.token)).json()) as Record<string, unknown>;
    expect(settings).toMatchObject({ autoCompress: false, compressionQuality: 65 });
    for (const { name, bytes } of named()) {
      const { result } = await fresh.store(bytes, name);
      expect(result).toMatchObject({ compressed: false, fileSize: bytes.length, originalFileSize: bytes.length });
    }
  });

  it("The compression setting compresses every kind of image, and the result reports it", async () => {
    for (const { name, bytes } of named()) {
      const { result } = await account.store(bytes, name);
      expect(result).toMatchObject({ compressed: true, compressionQuality: 65 });
    }
  });

  it("The compression setting applies to later uploads only, in both directions", async () => {
    const own = await host.openAccount({});
    const before = await own.store(files.jpeg, "before.jpg");
    await own.change({ autoCompress: true, compressionQuality: 80 });
    const during = await own.store(files.jpeg, "during.jpg");
    expect(during.result).toMatchObject({ compressed: true, compressionQuality: 80 });
    await own.change({ autoCompress: false });
    expect((await own.store(files.jpeg, "after.jpg")).result.compressed).toBe(false);
    for (const { result, bytes } of [before, during]) {
      const served = await fetch(new URL(new URL(result.url).pathname, host.stack.url));
      expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it("Files sent one after the other at different qualities are compressed at their quality", async () => {
    const sizes: number[] = [];
    for (const compressionQuality of [50, 65, 80]) {
      await account.change({ compressionQuality });
      const { result } = await account.store(files.jpeg, "photo.jpg");
      expect(result).toMatchObject({ compressed: true, compressionQuality });
      sizes.push(result.fileSize);
    }
    await account.change({ compressionQuality: 65 });
    expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
  });
});

describe("batches", () => {
  it("A batch mixes files that are compressed, stored as uploaded, and refused", async () => {
    const small = await photo(200, 100).webp({ quality: 30 }).toBuffer();
    const outcomes = await account.storeBatch([
      { name: "photo.jpg", bytes: files.jpeg },
      { name: "film.mp4", bytes: mp4(50_000) },
      { name: "notes.txt", bytes: Buffer.from("no picture at all, nor a film") },
      { name: "drawing.gif", bytes: files.gif },
      { name: "small.webp", bytes: small },
      { name: "empty.png", bytes: files.png.subarray(0, 33) },
      { name: "screen.png", bytes: files.png },
    ]);
    const stored = (name: string) => (outcomes.get(name) as Stored).result;
    expect(stored("photo.jpg")).toMatchObject({ compressed: true, mimeType: "image/jpeg" });
    expect(stored("film.mp4")).toMatchObject({ compressed: false, mimeType: "video/mp4" });
    expect(stored("drawing.gif")).toMatchObject({ compressed: true, mimeType: "image/png" });
    expect(stored("small.webp")).toMatchObject({ compressed: false, mimeType: "image/webp" });
    expect(stored("screen.png")).toMatchObject({ compressed: true, mimeType: "image/png" });
    expect(outcomes.get("notes.txt")).toMatchObject({ statusCode: 415 });
    expect(outcomes.get("empty.png")).toMatchObject({ statusCode: 400, details: { file: expect.any(String) } });
  });
});

describe("compressed JPEGs", () => {
  it("A compressed JPEG is progressive, has profile, orientation and displayed size, and no location", async () => {
    const original = await photo(240, 160).withIccProfile("p3").jpeg({ quality: 95 }).toBuffer();
    const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), exifWithPlace(6)]);
    const app1 = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
    const turned = Buffer.concat([original.subarray(0, 2), app1, original.subarray(2)]);
    const { result, bytes } = await account.store(turned, "portrait.jpg");
    expect(result).toMatchObject({ compressed: true, mimeType: "image/jpeg", size: { width: 160, height: 240 } });
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ format: "jpeg", width: 240, height: 160, orientation: 6, isProgressive: true });
    expect(metadata.icc).toEqual((await sharp(original).metadata()).icc);
    expect(bytes.includes("Somebody")).toBe(false);
  });
});

describe("images compressed before", () => {
  it.each(["jpeg", "png", "webp", "gif"] as const)(
    "Repeated compression never enlarges an image and soon changes nothing: %s",
    async (type) => {
      let bytes: Buffer = files[type];
      for (let round = 0; round < 4; round++) bytes = (await account.store(bytes, "again")).bytes;
      const { result } = await account.store(bytes, "again");
      expect(result.fileSize).toBeLessThanOrEqual(bytes.length);
      if (type === "png" || type === "jpeg") expect(result.compressed).toBe(false);
    },
  );
});
