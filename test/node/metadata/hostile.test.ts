import { describe, expect, it } from "vitest";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { beginScrub, scrubPart } from "../../../src/media/metadata/scrubber.ts";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { exifWithPlace } from "../../support/media/exif.ts";
import { photo } from "../../support/media/pictures.ts";
import { actionCamera, phoneMov } from "../../support/metadata/films.ts";
import { scrub } from "../../support/metadata/scrub.ts";

// META-4: damaged and hostile metadata costs bounded time, and never fails an upload.

const MIB = 1024 * 1024;
/** 10,000 steps each: far more than a step for each byte of 2 MiB. */
const MAX_SLICES = 300;

async function samples(): Promise<[MediaType, Buffer][]> {
  const exif = exifWithPlace(6);
  const jpeg = await photo(64, 48).jpeg().toBuffer();
  const app1 = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 8]), Buffer.from("Exif\0\0", "latin1"), exif]);
  return [
    ["image/jpeg", Buffer.concat([jpeg.subarray(0, 2), app1, jpeg.subarray(2)])],
    [
      "image/png",
      await photo(64, 48)
        .png()
        .withExif({ IFD3: { GPSLatitudeRef: "N" } })
        .toBuffer(),
    ],
    [
      "image/webp",
      await photo(64, 48)
        .webp()
        .withExif({ IFD3: { GPSLatitudeRef: "N" } })
        .toBuffer(),
    ],
    ["image/gif", await photo(64, 48).gif().toBuffer()],
    ["video/mp4", await actionCamera()],
    ["video/quicktime", await phoneMov()],
  ];
}

describe("damaged files", () => {
  it("A damaged file of any type keeps its length, and no error is thrown", async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed % below;
    };
    for (const [type, file] of await samples()) {
      for (let round = 0; round < 300; round++) {
        const damaged = Buffer.from(file.subarray(0, round % 3 === 0 ? random(file.length) : file.length));
        for (let i = 0; i < 1 + (round % 20) && damaged.length > 0; i++) damaged[random(damaged.length)] = random(256);
        const mode = round % 2 === 0 ? "private" : "none";
        const scrubbed = await scrub(damaged, type, mode, {
          partBytes: [1 + random(5000)],
          pieceBytes: 1 + random(3000),
        });
        expect(scrubbed.length).toBe(damaged.length);
      }
    }
  });
});

const repeat = (unit: Buffer, bytes: number) => Buffer.alloc(bytes, unit);
const box = (type: string, size: number) => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(size, 0);
  header.write(type, 4, "latin1");
  return header;
};

describe("hostile files", () => {
  it.each<[string, MediaType, () => Buffer]>([
    ["directories that point to themselves", "image/jpeg", () => segments(loopedTiff())],
    ["XMP that opens elements without an end", "image/jpeg", () => segments(xmp("<a>".repeat(20_000)))],
    ["XMP that is one attribute without an end", "image/jpeg", () => segments(xmp(`<a ${"b".repeat(60_000)}`))],
    ["pictures behind a picture", "image/jpeg", () => repeat(Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 4 * MIB)],
    [
      "zeros behind a picture",
      "image/jpeg",
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xd9]), Buffer.alloc(8 * MIB)]),
    ],
    [
      "XMP blocks without an end",
      "image/gif",
      () => repeat(Buffer.from("GIF89a\x01\0\x01\0\0\0\0!\xff\x0bXMP DataXMP\x01\0", "latin1"), 4 * MIB),
    ],
    [
      "empty text chunks",
      "image/png",
      () =>
        Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), repeat(Buffer.from("\0\0\0\0tEXt1234"), 4 * MIB)]),
    ],
    [
      "a text chunk of 4 GB",
      "image/png",
      () =>
        Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXtGPS\0", "latin1"), Buffer.alloc(4 * MIB, 1)]),
    ],
    [
      "nested boxes",
      "video/mp4",
      () => Buffer.concat(Array.from({ length: 4000 }, (_, i) => box("udta", 40_000 - 8 * i))),
    ],
    [
      "keys without number",
      "video/mp4",
      () =>
        Buffer.concat([
          box("moov", 4 * MIB),
          box("meta", 4 * MIB - 8),
          box("keys", 4 * MIB - 16),
          repeat(Buffer.concat([box("mdta", 9), Buffer.from("a")]), 4 * MIB - 32),
        ]),
    ],
    [
      "telemetry that is only announced",
      "video/mp4",
      () => Buffer.concat([box("mdat", 4 * MIB), repeat(Buffer.from("DEVC"), 4 * MIB - 8)]),
    ],
  ])("A hostile file costs bounded time: %s", async (_, type, make) => {
    const file = make();
    const began = performance.now();
    expect((await scrub(file, type, "private")).length).toBe(file.length);
    expect(performance.now() - began).toBeLessThan(BOUNDED_MS);
  });
});

describe("near matches", () => {
  it.each<[string, MediaType, (bytes: number) => Buffer]>([
    ["media data of eight bytes each", "video/mp4", (bytes) => repeat(box("mdat", 16), bytes)],
    [
      "telemetry that almost begins",
      "video/mp4",
      (bytes) => Buffer.concat([box("mdat", bytes), repeat(Buffer.from("DEVCDE"), bytes - 8)]),
    ],
    [
      "an XMP block of almost trailers",
      "image/gif",
      (bytes) =>
        Buffer.concat([
          Buffer.from("GIF89a\x01\0\x01\0\0\0\0!\xff\x0bXMP DataXMP", "latin1"),
          repeat(Buffer.from([1, 0xff]), bytes),
        ]),
    ],
    [
      "blocks of Samsung's that almost begin behind a picture",
      "image/jpeg",
      (bytes) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xd9]), repeat(Buffer.from("SEFT"), bytes)]),
    ],
    [
      "a scan of almost markers",
      "image/jpeg",
      (bytes) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]), repeat(Buffer.from([0xff, 0]), bytes)]),
    ],
  ])("Twice the bytes cost twice the work: %s", async (_, type, make) => {
    const [small, large] = [await countSlices(make(MIB), type), await countSlices(make(2 * MIB), type)];
    expect(small).toBeGreaterThan(0);
    expect(large).toBeLessThanOrEqual(2 * small + 1);
  });

  /** The work of a file in one part and one piece, in pauses of the scrubber. */
  async function countSlices(file: Buffer, type: MediaType): Promise<number> {
    const state = beginScrub(type, "private");
    if (state === undefined) throw new Error("The type has no metadata");
    let slices = 0;
    await scrubPart(state, [file], async () => {
      slices++;
      if (slices > MAX_SLICES) throw new Error("The work is not linear");
    });
    return slices;
  }
});

function segments(content: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, (content.length + 2) >> 8, (content.length + 2) & 255]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...Array.from({ length: 60 }, () => Buffer.concat([head, content])),
  ]);
}

function xmp(packet: string): Buffer {
  return Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`, "latin1");
}

/** 1000 entries. Each is a pointer to its own directory, or a value as long as the block. */
function loopedTiff(): Buffer {
  const tiff = Buffer.alloc(60_000);
  tiff.write("Exif\0\0MM\0*\0\0\0\x08", "latin1");
  tiff.writeUInt16BE(1000, 14);
  for (let i = 0; i < 1000; i++) {
    const at = 16 + 12 * i;
    tiff.writeUInt16BE(i % 2 === 0 ? 0x8769 : 0x010f, at);
    tiff.writeUInt16BE(i % 2 === 0 ? 4 : 2, at + 2);
    tiff.writeUInt32BE(i % 2 === 0 ? 1 : 59_000, at + 4);
    tiff.writeUInt32BE(i % 2 === 0 ? 8 : 0, at + 8);
  }
  return tiff;
}
