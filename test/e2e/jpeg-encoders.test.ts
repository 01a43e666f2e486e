import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recompressJpeg } from "../support/jpeg/recompress-jpeg.ts";
import { recompressed } from "../support/jpeg/recompressed.ts";
import { makeSegment, splitJpeg, withBallast, withSegments } from "../support/jpeg/segments.ts";

const run = promisify(execFile);
const SIZES = ["320x200", "333x217", "17x31", "8x8", "1x1"];
const QUALITIES = ["20", "75", "92", "100"];
let folder: string;
let picture: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-host-jpeg-"));
  picture = join(folder, "picture.png");
  await run("convert", [
    "-seed",
    "7",
    "-size",
    "400x300",
    "plasma:fractal",
    "-attenuate",
    "0.3",
    "+noise",
    "Gaussian",
    picture,
  ]);
});

afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** libjpeg-turbo, through ImageMagick. */
async function convert(size: string, ...options: string[]): Promise<Buffer> {
  const path = join(folder, "source.jpg");
  await run("convert", [picture, "-crop", `${size}+5+7`, "+repage", ...options, path]);
  return readFile(path);
}

/** ffmpeg's own encoder. */
async function ffmpeg(size: string, ...options: string[]): Promise<Buffer> {
  const path = join(folder, "source.jpg");
  const crop = `crop=${size.replace("x", ":")}:5:7:exact=1`;
  await run("ffmpeg", ["-v", "error", "-y", "-i", picture, "-vf", crop, ...options, path]);
  return readFile(path);
}

/** Each file's results of two decoders: ImageMagick with libjpeg-turbo up to colours, ffmpeg up to the components. */
async function decoded(...jpegs: Uint8Array[]): Promise<string[]> {
  const paths = jpegs.map((_, at) => join(folder, `decoded-${at}.jpg`));
  await Promise.all(jpegs.map((jpeg, at) => writeFile(paths[at] ?? "", jpeg)));
  const inputs = paths.flatMap((path) => ["-i", path]);
  const maps = paths.flatMap((_, at) => ["-map", `${at}`]);
  const [magick, ff] = await Promise.all([
    run("identify", ["-regard-warnings", "-format", "%wx%h %[colorspace] %#\n", ...paths]),
    run("ffmpeg", ["-v", "error", "-xerror", ...inputs, ...maps, "-f", "framemd5", "-"]),
  ]);
  expect(magick.stderr + ff.stderr).toBe("");
  const colours = magick.stdout.trimEnd().split("\n");
  // "#dimensions 0: 8x8", and "0, ..., hash".
  return colours.map((line, at) => {
    const ofStream = new RegExp(`^(#[a-z_ ]+)?${at}[:,].*$`, "gm");
    const facts = ff.stdout.match(ofStream)?.map((fact) => fact.replace(/\d+(?=[:,])/, "")) ?? [];
    expect(facts.length).toBeGreaterThan(2);
    return [line, ...facts].join("\n");
  });
}

/**
 * Sources have ballast, because a result that saves nothing is not used. All are decoded at once: decoders take longer to start than to
 * decode.
 */
async function expectLossless(...sources: readonly Buffer[]): Promise<void> {
  const results: Uint8Array[] = [];
  for (const source of sources) results.push(await recompressed(withBallast(source), 100));
  const all = await decoded(...sources, ...results);
  expect(all.slice(sources.length)).toEqual(all.slice(0, sources.length));
}

/** The results of one encoding after the other: encoders write to one path. */
async function each<T>(values: readonly T[], encode: (value: T) => Promise<Buffer>): Promise<Buffer[]> {
  const files: Buffer[] = [];
  for (const value of values) files.push(await encode(value));
  return files;
}

describe.each([
  ["4:4:4", "1x1"],
  ["4:2:2", "2x1"],
  ["4:2:0", "2x2"],
  ["4:4:0", "1x2"],
  ["4:1:1", "4x1"],
])("lossless passes over %s of libjpeg-turbo", (_, sampling) => {
  it.each(["None", "JPEG"])(
    "A pass at quality 100 over libjpeg-turbo's file loses no pixel (interlace: %s)",
    async (interlace) => {
      const options = ["-sampling-factor", sampling, "-interlace", interlace];
      const [frame] = splitJpeg(await convert("320x200", ...options)).segments.filter(
        ({ marker }) => (marker & 0xfc) === 0xc0,
      );
      expect(frame?.content[7]?.toString(16)).toBe(sampling.replace("x", ""));
      await expectLossless(
        ...(await each(QUALITIES, (quality) => convert("333x217", ...options, "-quality", quality))),
        ...(await each(SIZES, (size) => convert(size, ...options, "-quality", "85"))),
      );
    },
  );
});

describe("lossless passes over libjpeg-turbo's other colours", () => {
  it.each(["None", "JPEG"])(
    "A pass at quality 100 over libjpeg-turbo's gray loses nothing (interlace: %s)",
    async (interlace) => {
      await expectLossless(
        ...(await each(SIZES, (size) => convert(size, "-colorspace", "Gray", "-interlace", interlace))),
      );
    },
  );

  it.each(["None", "JPEG"])(
    "A pass at quality 100 over libjpeg-turbo's YCCK loses nothing (interlace: %s)",
    async (interlace) => {
      for (const sampling of ["1x1", "2x2"]) {
        const options = ["-colorspace", "CMYK", "-interlace", interlace, "-sampling-factor", sampling];
        await expectLossless(...(await each(SIZES, (size) => convert(size, ...options, "-quality", "90"))));
      }
    },
  );
});

describe("lossless passes over sharp's files", () => {
  it.each(["4:4:4", "4:2:0"])(
    "A pass at quality 100 over mozjpeg's file loses no pixel at %s",
    async (chromaSubsampling) => {
      await expectLossless(
        ...(await each(QUALITIES.map(Number), (quality) =>
          sharp(picture).jpeg({ mozjpeg: true, quality, chromaSubsampling }).toBuffer(),
        )),
      );
    },
  );

  it.each([false, true])(
    "A pass at quality 100 over sharp's CMYK loses nothing (progressive: %s)",
    async (progressive) => {
      await expectLossless(await sharp(picture).toColourspace("cmyk").jpeg({ progressive }).toBuffer());
    },
  );

  it.each([false, true])(
    "A pass at quality 100 over sharp's RGB with Adobe's marker loses no pixel (progressive: %s)",
    async (progressive) => {
      const jpeg = await sharp(picture).jpeg({ progressive, chromaSubsampling: "4:4:4" }).toBuffer();
      const rgb = withSegments(jpeg, makeSegment(0xee, [...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, 0]));
      const [shown, inked] = await decoded(rgb, jpeg);
      expect(shown).not.toBe(inked);
      await expectLossless(rgb);
    },
  );
});

describe.each(["yuvj420p", "yuvj422p", "yuvj444p"])("lossless passes over ffmpeg's %s", (format) => {
  it.each(["default", "optimal"])(
    "A pass at quality 100 over ffmpeg's file loses no pixel (Huffman tables: %s)",
    async (huffman) => {
      const options = ["-pix_fmt", format, "-huffman", huffman];
      await expectLossless(
        ...(await each(["2", "5", "25"], (scale) => ffmpeg("333x217", ...options, "-q:v", scale))),
        ...(await each(["320x200", "16x16", "18x30"], (size) => ffmpeg(size, ...options))),
      );
    },
  );

  it("A pass at quality 100 over ffmpeg's slices with restart markers loses no pixel", async () => {
    const source = await ffmpeg("333x217", "-pix_fmt", format, "-threads", "4", "-slices", "4");
    expect(source.includes(Uint8Array.of(0xff, 0xd0))).toBe(true);
    await expectLossless(source);
  });
});

describe("passes at an everyday quality", () => {
  it.each(["1x1", "2x1", "2x2", "1x2", "4x1"])(
    "A pass at an everyday quality makes a file that both decoders read without a warning (%s)",
    async (sampling) => {
      for (const size of SIZES) {
        const result = await recompressJpeg(await convert(size, "-sampling-factor", sampling, "-quality", "95"), 65);
        if (result.outcome === "recompressed") expect((await decoded(result.bytes))[0]).toContain(`${size} sRGB`);
      }
    },
  );

  it("A lossless JPEG of ffmpeg is kept as it is", async () => {
    const source = await ffmpeg("320x200", "-c:v", "ljpeg", "-pix_fmt", "yuvj420p");
    expect(await recompressJpeg(source, 65)).toEqual({ outcome: "kept", reason: "Not a Huffman-coded DCT frame" });
  });
});
