import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Pixels } from "../../src/media/webp/webp-engine.ts";
import { type DeclinedJpeg, type LibjpegVerdict, makeDeclinedJpegs } from "../support/jpeg/declined-jpegs.ts";
import { decodeWithJsquash } from "../support/jpeg/jsquash-jpeg.ts";
import { makeLenientJpegs } from "../support/jpeg/lenient-jpegs.ts";
import { recompressJpeg } from "../support/jpeg/recompress-jpeg.ts";
import { recompressed } from "../support/jpeg/recompressed.ts";
import { BrowserImages } from "../support/odd-files/browser-images.ts";

// The codec stores some JPEGs as uploaded. This compares, for each reason, libjpeg (which decodes and encodes pixels: @jsquash/jpeg) with a
// real Chromium: do both show the same picture?

/** Files for which both show the same, and the reason why they still stay as they are. */
const STORED_ALL_THE_SAME: Readonly<Record<string, string>> = {
  "a gain map that is cut off": "its HDR part would be lost",
  "a film that is missing": "its parts would be lost",
  "256 pieces of a profile": "viewers differ about which colours such a profile means",
  "a run that leaves its block": "damage that libjpeg does not notice",
  "a mean of 15 bits": "damage that libjpeg does not notice",
  "a scan that comes twice": "no encoder writes it, and the time that repetitions take has no bound",
};
/** Decoders may round differently. */
const ROUNDING = 2;
const CODEC = "src/media/jpeg";
/** Files of tens of megapixels do not fit a pixel codec's memory either: `test/node/jpeg/{bombs,memory}.test.ts`. */
const BOUNDS = [
  ...["Too many pixels", "Too much work", "Too many coefficients"],
  "The parts behind the picture take too much memory",
];

let browser: BrowserImages;
let folder: string;
let files: readonly DeclinedJpeg[];

beforeAll(async () => {
  browser = await BrowserImages.start();
  folder = await mkdtemp(join(tmpdir(), "declined-jpegs-"));
  const path = join(folder, "lossless.jpg");
  const lossless = ["-frames:v", "1", "-c:v", "ljpeg", "-pix_fmt", "yuvj420p"];
  await promisify(execFile)("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=32x32", ...lossless, path]);
  files = await makeDeclinedJpegs(path);
});

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

async function judge({ bytes }: DeclinedJpeg): Promise<LibjpegVerdict> {
  const { pixels, warnings } = await decodeWithJsquash(bytes as Uint8Array<ArrayBuffer>);
  if (pixels === undefined) return "refused";
  if (warnings.length > 0) return "damaged";
  return looksAlike(pixels, await browser.paint("image/jpeg", bytes)) ? "same" : "another";
}

function looksAlike(one: Pixels, other: Pixels | undefined): boolean {
  if (one.width !== other?.width || one.height !== other.height) return false;
  return one.data.every((value, i) => Math.abs(value - (other.data[i] ?? 0)) <= ROUNDING);
}

it("The codec declines each of the files for the given reason", async () => {
  const outcomes = await Promise.all(files.map(async ({ label, bytes }) => [label, await recompressJpeg(bytes, 65)]));
  expect(outcomes).toEqual(files.map(({ label, reason }) => [label, { outcome: "kept", reason }]));
});

it("Each reason of the codec has a file, except bounds on large pictures", async () => {
  const names = (await readdir(CODEC)).filter((name) => name.endsWith(".ts"));
  const sources = (await Promise.all(names.map((name) => readFile(join(CODEC, name), "utf8")))).join("\n");
  const thrown = Array.from(sources.matchAll(/new JpegDeclined\("([^"]+)"\)/g), ([, reason]) => reason);
  const [, listed = ""] = /const REASONS = \[([^\]]+)\]/.exec(sources) ?? [];
  const reasons = [...thrown, ...Array.from(listed.matchAll(/"([^"]+)"/g), ([, reason]) => reason)];
  expect(new Set(reasons)).toEqual(new Set([...files.map(({ reason }) => reason), ...BOUNDS]));
});

it("libjpeg refuses the declined files, warns, or differs from Chromium, except known cases", async () => {
  const verdicts: Record<string, LibjpegVerdict> = {};
  for (const file of files) verdicts[file.label] = await judge(file);
  expect(verdicts).toEqual(Object.fromEntries(files.map(({ label, verdict }) => [label, verdict])));
  const same = Object.keys(verdicts).filter((label) => verdicts[label] === "same");
  expect(same.sort()).toEqual(Object.keys(STORED_ALL_THE_SAME).sort());
});

it("A file that violates the standard but that the codec takes looks the same in Chromium", async () => {
  for (const { label, bytes, sound } of await makeLenientJpegs()) {
    const paint = async (file: Uint8Array) =>
      Buffer.from((await browser.paint("image/jpeg", file))?.data ?? []).toString("hex");
    const shown = await paint(sound);
    expect(shown.length, label).toBe(96 * 64 * 8);
    expect((await paint(await recompressed(bytes, 100))) === shown, label).toBe(true);
    // If EOI is missing, Chromium waits for more bytes: it omits the last row of blocks, or the last scan.
    expect((await paint(bytes)) === shown, label).toBe(!label.includes("EOI"));
  }
});
