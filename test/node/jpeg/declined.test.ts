import { beforeAll, describe, expect, it } from "vitest";
import { type CoefficientPicture, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { type JpegSegment, joinJpeg, splitJpeg, withBallast } from "../../support/jpeg/segments.ts";
import { writeTestJpeg } from "../../support/jpeg/write-jpeg.ts";

const SOF0 = 0xc0;
const SOS = 0xda;
let source: Buffer;
let segments: JpegSegment[];
let picture: CoefficientPicture;

beforeAll(async () => {
  const image = makePicture({ width: 96, height: 64 });
  source = withBallast(await image.jpeg({ quality: 90, chromaSubsampling: "4:4:4" }).toBuffer());
  segments = splitJpeg(source).segments;
  picture = readCoefficients(source);
});

/** The file stays for the given reason, and its bytes are unchanged. */
async function expectKept(jpeg: Uint8Array, reason: string): Promise<void> {
  const before = Buffer.from(jpeg);
  expect(await recompressJpeg(jpeg, 65)).toEqual({ outcome: "kept", reason });
  expect(before.equals(jpeg)).toBe(true);
}

/** The file with one kind of segment changed. */
function altered(marker: number, alter: (segment: JpegSegment) => (JpegSegment | Uint8Array)[]): Buffer {
  return joinJpeg(segments.flatMap((segment) => (segment.marker === marker ? alter(segment) : [segment])));
}

const withFrame = (at: number, ...bytes: number[]) =>
  altered(SOF0, (frame) => {
    const content = Uint8Array.from(frame.content);
    content.set(bytes, at);
    return [{ ...frame, content }];
  });

it("The unaltered file of these tests is compressed", async () => {
  expect((await recompressJpeg(source, 65)).outcome).toBe("recompressed");
});

describe("unsupported processes", () => {
  const FRAMES = {
    lossless: [0xc3],
    hierarchical: [0xc5, 0xc6, 0xc7],
    arithmetic: [0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf],
  };
  const cases = Object.entries(FRAMES).flatMap(([name, markers]) => markers.map((marker) => [name, marker] as const));

  it.each(cases)("A file of another coding process is kept as it is: %s (marker %i)", async (_, marker) => {
    await expectKept(
      altered(SOF0, (frame) => [{ ...frame, marker }]),
      "Not a Huffman-coded DCT frame",
    );
  });

  it("A file of 12 bits a sample is kept as it is", async () => {
    await expectKept(withFrame(0, 12), "Not 8 bits a sample");
  });

  it("A file whose height follows the scan (DNL) is kept as it is", async () => {
    await expectKept(withFrame(1, 0, 0), "The frame header is damaged");
  });

  it("A file with the header of a hierarchical sequence is kept as it is", async () => {
    await expectKept(
      altered(SOF0, (frame) => [{ ...frame, marker: 0xde }, frame]),
      "A reserved marker",
    );
  });

  it("A file with sampling factors that libjpeg cannot decode is kept as it is", async () => {
    const factors = [0x31, 0x21, 0x11];
    const odd = altered(SOF0, (frame) => [
      {
        ...frame,
        content: frame.content.map((byte, at) => (at >= 6 && at % 3 === 1 ? (factors[(at - 7) / 3] ?? 0) : byte)),
      },
    ]);
    await expectKept(odd, "Fractional sampling");
  });
});

describe("damaged files", () => {
  it.each([
    ["nothing", 0, 0, "The file is cut off"],
    ["no SOI", 1, 50, "No SOI"],
  ])("A damaged file is kept as it is: %s", async (_, from, to, reason) => {
    await expectKept(source.subarray(from, to), reason);
  });

  it("A file that is cut off anywhere before EOI is kept as it is", async () => {
    const end = source.length - 2;
    for (let length = 0; length < end; length += length < 700 || length > end - 70 ? 1 : 97) {
      expect((await recompressJpeg(source.subarray(0, length), 65)).outcome).toBe("kept");
    }
    await expectKept(source.subarray(0, end - 1), "The data of a scan is cut off");
  });

  it("A file that is cut off and ends in a new EOI is kept as it is", async () => {
    const half = altered(SOS, (scan) => [{ ...scan, data: scan.data.subarray(0, scan.data.length / 2) }]);
    await expectKept(half, "The data of a scan is cut off");
  });

  it("A file with meaningless entropy-coded data is kept as it is", async () => {
    const ones = altered(SOS, (scan) => [{ ...scan, data: Buffer.from("ff00".repeat(scan.data.length / 2), "hex") }]);
    await expectKept(ones, "No such Huffman code");
  });

  it("A file with a missing or wrong restart marker is kept as it is", async () => {
    const scans = [{ of: [0, 1, 2], restartInterval: 10 }];
    const good = withBallast(writeTestJpeg(picture, { scans }));
    expect((await recompressJpeg(good, 65)).outcome).toBe("recompressed");
    const second = good.lastIndexOf(Uint8Array.of(0xff, 0xd1));
    expect(second).toBeGreaterThan(0);
    const wrong = Buffer.from(good).fill(0xd3, second + 1, second + 2);
    await expectKept(wrong, "A restart marker is missing");
    const without = Buffer.concat([good.subarray(0, second), good.subarray(second + 2)]);
    expect((await recompressJpeg(without, 65)).outcome).toBe("kept");
  });

  it("A file with two frames, a scan before the frame or no scan is kept as it is", async () => {
    await expectKept(
      altered(SOF0, (frame) => [frame, frame]),
      "A second frame",
    );
    await expectKept(joinJpeg(segments.filter(({ marker }) => marker !== SOF0)), "A scan before the frame");
    await expectKept(joinJpeg(segments.filter(({ marker }) => marker !== SOS)), "No picture");
  });

  it("A file with a component in no scan or in two scans is kept as it is", async () => {
    const scans = [{ of: [0] }, { of: [1] }, { of: [2] }];
    expect((await recompressJpeg(withBallast(writeTestJpeg(picture, { scans })), 65)).outcome).toBe("recompressed");
    const without = withBallast(writeTestJpeg(picture, { scans: scans.slice(1) }));
    expect((await recompressJpeg(without, 65)).outcome).toBe("recompressed");
    await expectKept(without.subarray(0, -2), "The file is cut off");
    const twice = writeTestJpeg(picture, { scans: [...scans, { of: [1] }] });
    await expectKept(withBallast(twice), "A scan is out of order");
  });

  it("A file with missing tables is kept as it is", async () => {
    await expectKept(joinJpeg(segments.filter(({ marker }) => marker !== 0xdb)), "A scan lacks a table");
    const progressive = await makePicture({ width: 96, height: 64 })
      .jpeg({ quality: 90, progressive: true })
      .toBuffer();
    const tableless = splitJpeg(withBallast(progressive)).segments.filter(({ marker }) => marker !== 0xc4);
    await expectKept(joinJpeg(tableless), "A scan lacks a table");
  });
});

it("A file without Huffman tables, as in Motion JPEG, is compressed with the standard tables", async () => {
  const image = makePicture({ width: 96, height: 64 });
  const whole = withBallast(await image.jpeg({ quality: 90, optimiseCoding: false }).toBuffer());
  const tableless = joinJpeg(splitJpeg(whole).segments.filter(({ marker }) => marker !== 0xc4));
  expect(tableless.length).toBeLessThan(whole.length - 400);
  const [expected, result] = [await recompressJpeg(whole, 65), await recompressJpeg(tableless, 65)];
  expect(result.outcome).toBe("recompressed");
  expect(result).toEqual(expected);
});
