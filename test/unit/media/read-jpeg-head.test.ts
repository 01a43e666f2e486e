import { describe, expect, it } from "vitest";
import { readHead } from "../../../src/media/first-bytes.ts";
import { BOUNDED_MS } from "../../support/bounded-time.ts";
import { bigEndian, exif, frame, jpegOf, segment, tiff } from "../../support/media/media-bytes.ts";
import { bytesOf } from "../../support/media/samples.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const FRAME = frame(640, 480);
const SOFS = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];

/** Undefined if neither side is known. */
function sizeOf(...parts: Parameters<typeof jpegOf>): [number, number] | undefined {
  const { width, height } = readHead("image/jpeg", jpegOf(...parts), false);
  return width === 0 && height === 0 ? undefined : [width, height];
}

function fullSegments(count: number, marker: number): Bytes {
  const full = segment(marker, new Uint8Array(65_533).fill(0xff));
  return bytesOf(...Array<Bytes>(count).fill(full));
}

describe("JPEG frame header (ITU-T T.81, B.2.2)", () => {
  it.each(SOFS)("A JPEG's frame header may have marker %i", (marker) => {
    expect(sizeOf(frame(640, 480, marker))).toEqual([640, 480]);
  });

  it.each([
    ["DHT", 0xc4],
    ["DAC", 0xcc],
  ])("A JPEG's frame header is not read from a %s segment", (_, marker) => {
    expect(sizeOf(frame(7, 7, marker), FRAME)).toEqual([640, 480]);
  });

  it("A JPEG's frame header has up to 65,535 columns and lines", () => {
    expect(sizeOf(frame(65_535, 65_535))).toEqual([65_535, 65_535]);
  });

  it("A JPEG's frame header is found after fill bytes (B.1.1.2)", () => {
    expect(sizeOf([0xff, 0xff], segment(0xe0, "JFIF\0"), new Uint8Array(500).fill(0xff), FRAME)).toEqual([640, 480]);
  });

  it.each<[string, Bytes]>([
    ["stray bytes", bytesOf(segment(0xe0, "JFIF\0"), [0, 1, 2], FRAME)],
    ["thousands of stray bytes", bytesOf(segment(0xe0, "JFIF\0"), new Uint8Array(70_000), FRAME)],
    ["a stray FF 00", bytesOf([0xff, 0], FRAME)],
    ["RST and TEM, which have no length", bytesOf([0xff, 0xd3, 0xff, 0x01], FRAME)],
    ["DNL", bytesOf(segment(0xdc, [0, 9]), FRAME)],
    ["a segment that says it is shorter than its own length", bytesOf([0xff, 0xe0, 0, 1], FRAME)],
    ["a segment that says it has no length", bytesOf([0xff, 0xe0, 0, 0], FRAME)],
  ])("A JPEG's frame header is found after %s, as in libjpeg and browsers", (_, bytes) => {
    expect(sizeOf(bytes)).toEqual([640, 480]);
  });

  it("A JPEG's frame header is found after two hundred segments", () => {
    const segments = Array.from({ length: 200 }, (_, i) => segment(0xe0 + (i % 16), new Uint8Array(i)));
    expect(sizeOf(...segments, FRAME)).toEqual([640, 480]);
  });

  it("A JPEG's frame header is found after megabytes of metadata", () => {
    expect(sizeOf(exif(tiff(6)), fullSegments(60, 0xe2), FRAME)).toEqual([480, 640]);
  });

  it("A JPEG's frame header is found after segments without content", () => {
    expect(sizeOf(segment(0xfe), segment(0xe1), segment(0xe1, "Exif"), segment(0xe1, "Exif\0\0"), FRAME)).toEqual([
      640, 480,
    ]);
  });

  it("A JPEG's frame header is not taken from a preview within a segment", () => {
    expect(sizeOf(segment(0xe1, "Exif\0\0", jpegOf(frame(160, 120))), FRAME)).toEqual([640, 480]);
  });

  it.each<[string, Bytes]>([
    ["a scan comes first", bytesOf(segment(0xda, [1, 1, 0, 0, 63, 0]), FRAME)],
    ["the file ends first", bytesOf([0xff, 0xd9], FRAME)],
    ["a segment reaches beyond the bytes at hand", bytesOf([0xff, 0xe0], bigEndian(65_535, 2), FRAME)],
    ["it is cut off", FRAME.subarray(0, 8)],
    ["there is none", segment(0xe0, "JFIF\0")],
  ])("A JPEG has no frame header if %s", (_, bytes) => {
    expect(sizeOf(bytes)).toBeUndefined();
  });

  it("A JPEG's frame header is searched for in bounded time", () => {
    const started = performance.now();
    expect(sizeOf(new Uint8Array(5_000_000).fill(0xff))).toBeUndefined();
    expect(sizeOf(...Array<Bytes>(10).fill(bytesOf(...Array<Bytes>(50_000).fill(segment(0xe1)))))).toBeUndefined();
    const manyEntries = exif("MM", [0, 42], bigEndian(8, 4), [255, 255], new Uint8Array(60_000));
    expect(sizeOf(...Array<Bytes>(80).fill(manyEntries), FRAME)).toEqual([640, 480]);
    expect(performance.now() - started).toBeLessThan(BOUNDED_MS);
  });
});

describe("Displayable JPEGs", () => {
  const SCAN = bytesOf(segment(0xda, [1, 1, 0, 0, 63, 0]), [1]);
  const withBits = (bits: number, marker: number) =>
    segment(marker, [bits], bigEndian(480, 2), bigEndian(640, 2), [1, 1, 0x11, 0]);
  const shows = (...parts: Bytes[]) => readHead("image/jpeg", jpegOf(...parts, SCAN), true).shows;

  it.each(SOFS)("A displayable JPEG has a frame of marker %i", (marker) => {
    expect(shows(frame(640, 480, marker))).toBe(true);
  });

  it.each(SOFS)(
    "A displayable JPEG has 8 or 12 bits a sample, 2 to 16 if its frame is lossless (marker %i)",
    (marker) => {
      const bits = Array.from({ length: 18 }, (_, bit) => bit).filter((bit) => shows(withBits(bit, marker)));
      const isLossless = [0xc3, 0xc7, 0xcb, 0xcf].includes(marker);
      expect(bits).toEqual(isLossless ? Array.from({ length: 15 }, (_, i) => i + 2) : [8, 12]);
    },
  );

  it("A hierarchical JPEG has the size that its hierarchy declares, not its first frame's (B.3.2)", () => {
    const dhp = frame(640, 480, 0xde);
    expect(sizeOf(dhp, frame(320, 240))).toEqual([640, 480]);
    expect(sizeOf(exif(tiff(6)), dhp, frame(320, 240))).toEqual([480, 640]);
    expect(shows(dhp, frame(320, 240))).toBe(true);
  });

  it.each<[string, Bytes[]]>([
    ["no frame", [frame(640, 480, 0xde)]],
    ["two hierarchies", [frame(640, 480, 0xde), frame(640, 480, 0xde), FRAME]],
    ["a hierarchy after its frame", [FRAME, frame(640, 480, 0xde)]],
    ["a hierarchy without a size", [frame(0, 0, 0xde), FRAME]],
    ["an expansion before its first scan", [FRAME, segment(0xdf, [0x11])]],
    ["two frames before its first scan", [frame(640, 480, 0xde), FRAME, FRAME]],
  ])("A JPEG with %s cannot be displayed", (_, parts) => {
    expect(shows(...parts)).toBe(false);
  });
});

describe("JPEG Exif orientation (Exif 2.32, 4.6.4)", () => {
  const EVERY = (["II", "MM"] as const).flatMap((order) =>
    [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({ order, orientation })),
  );

  it.each(EVERY)("Orientation $orientation in byte order $order rotates as in a viewer", ({ order, orientation }) => {
    expect(sizeOf(exif(tiff(orientation, order)), FRAME)).toEqual(orientation < 5 ? [640, 480] : [480, 640]);
  });

  it.each(["II", "MM"] as const)(
    "A JPEG's orientation is found after other entries and a gap, in byte order %s",
    (order) => {
      expect(sizeOf(exif(tiff(8, order, { before: 40, gap: 100 })), FRAME)).toEqual([480, 640]);
    },
  );

  it("A JPEG's orientation is found after JFIF and a segment of XMP", () => {
    const xmp = segment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>");
    expect(sizeOf(segment(0xe0, "JFIF\0"), xmp, exif(tiff(6)), FRAME)).toEqual([480, 640]);
    expect(sizeOf(exif(tiff(6)), xmp, FRAME)).toEqual([480, 640]);
  });

  it("A JPEG's orientation is found with any fill byte after the name, as in viewers (Exif 2.32, 4.7.2)", () => {
    expect(sizeOf(segment(0xe1, "Exif\0", [0xff], tiff(6)), FRAME)).toEqual([480, 640]);
  });

  it("A JPEG's orientation is the first of several, as in browsers", () => {
    expect(sizeOf(exif(tiff(6)), exif(tiff(1)), FRAME)).toEqual([480, 640]);
    expect(sizeOf(exif(tiff(1)), exif(tiff(6)), FRAME)).toEqual([640, 480]);
    expect(sizeOf(exif(tiff(0)), exif(tiff(6)), FRAME)).toEqual([480, 640]);
  });

  it.each<[string, Bytes]>([
    ["is 0", exif(tiff(0))],
    ["is 9", exif(tiff(9))],
    ["is 1,536: 6 in the other byte order", exif(tiff(0x0600))],
    ["is no SHORT", exif(tiff(6, "II", { type: 4 }))],
    ["is in no known byte order", exif("XX", tiff(6).subarray(2))],
    ["is in a directory at the segment's end", exif("MM", [0, 42], bigEndian(8, 4))],
    ["is in the next segment", bytesOf(exif("MM", [0, 42], bigEndian(12, 4)), segment(0xfe, tiff(6).subarray(8)))],
    ["is in a directory beyond the file", exif("MM", [0, 42], bigEndian(2 ** 32 - 1, 4), tiff(6).subarray(8))],
    ["is cut off", exif(tiff(6).subarray(0, 18))],
    ["is in no Exif segment", segment(0xe1, "Exof\0\0", tiff(6))],
    ["is in a segment whose name continues", segment(0xe1, "Exif!\0", tiff(6))],
    ["is in a segment that is not APP1", segment(0xe2, "Exif\0\0", tiff(6))],
  ])("A JPEG's orientation is ignored if it %s", (_, bytes) => {
    expect(sizeOf(bytes, FRAME)).toEqual([640, 480]);
  });

  it("A JPEG's orientation counts if it precedes the first scan, as in browsers", () => {
    const scan = segment(0xda, [1, 1, 0, 0, 63, 0]);
    expect(sizeOf(FRAME, exif(tiff(6)), scan, [1, 2])).toEqual([480, 640]);
    expect(sizeOf(FRAME, scan, [1, 2], exif(tiff(6)))).toEqual([640, 480]);
  });
});
