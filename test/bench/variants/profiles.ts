import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { makeSegment, withSegments } from "../../support/jpeg/segments.ts";
import { photograph } from "../compression/pictures.ts";
import type { Target } from "../support/report.ts";
import { reportFigure, reportTarget } from "../support/report.ts";
import { startVariants } from "./start-variants.ts";

const WIDTHS = [320, 640];
const QUALITY = 75;
/** A JPEG's segment around a profile: marker, length, name and numbers. */
const SEGMENT_BYTES = 18;
/** A WebP's chunks for a profile: the head of `ICCP`, and `VP8X`. */
const CHUNK_BYTES = 26;
/** A difference that is seen beside the original. */
const VISIBLE = 8;

/**
 * Variants of photos with a wide gamut: the bytes with their profile beside sRGB without one (sharp's), and the pixels whose colours sRGB does
 * not have.
 */
export async function benchProfiles(): Promise<Target[]> {
  const plain = await photograph(1600, 1200, 5).jpeg({ quality: 90 }).toBuffer();
  const targets: Target[] = [];
  for (const [name, profile] of [
    ["Display P3", await displayP3()],
    ["Adobe RGB", adobeRgb()],
  ] as const) {
    const segment = makeSegment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\x01", "latin1"), profile]));
    const file = withSegments(plain, segment);
    console.log(`variants: ${name}, a profile of ${profile.length} bytes`);
    reportFigure("beyond sRGB", 100 * (await lostShare(file, profile)), "% of the pixels");
    for (const width of WIDTHS) {
      for (const format of ["jpg", "webp"] as const) targets.push(await benchCase(file, profile, width, format));
    }
  }
  return targets;
}

async function benchCase(file: Buffer, profile: Buffer, width: number, format: "jpg" | "webp"): Promise<Target> {
  await using bench = await startVariants();
  await fetch(bench.url, { method: "PUT", headers: { "Content-Type": "image/jpeg" }, body: new Uint8Array(file) });
  const answer = await fetch(new URL(`/?w=${width}&q=${QUALITY}&fm=${format}`, bench.url));
  const ours = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(ours.toString());
  if ((await sharp(ours).metadata()).icc?.equals(profile) !== true) throw new Error("The variant has another profile");
  const encode = (ignoreIcc: boolean) => {
    const resized = sharp(file, { ignoreIcc }).resize(width);
    return (format === "jpg" ? resized.jpeg({ quality: QUALITY }) : resized.webp({ quality: QUALITY })).toBuffer();
  };
  const [same, converted] = await Promise.all([encode(true), encode(false)]);
  const kept = same.length + profile.length + (format === "jpg" ? SEGMENT_BYTES : CHUNK_BYTES);
  console.log(`  ${format} at ${width} pixels`);
  reportFigure("product", ours.length, "bytes");
  reportFigure("sharp, kept", kept, "bytes");
  reportFigure("sharp, sRGB", converted.length, "bytes");
  return reportTarget({ name: "kept by sRGB", value: kept / converted.length, atMost: 1.03, unit: "x" });
}

/** The share of pixels that a conversion to sRGB and back changes visibly. */
async function lostShare(file: Buffer, profile: Buffer): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "bench-profiles-"));
  try {
    const path = join(folder, "profile.icc");
    await writeFile(path, profile);
    const before = await sharp(file, { ignoreIcc: true }).resize(640).raw().toBuffer();
    const converted = await sharp(file).resize(640).png().toBuffer();
    const after = await sharp(converted).withIccProfile(path).raw().toBuffer();
    let lost = 0;
    for (let at = 0; at < before.length; at += 3) {
      const change = [0, 1, 2].map((sample) => Math.abs((before[at + sample] ?? 0) - (after[at + sample] ?? 0)));
      if (Math.max(...change) > VISIBLE) lost++;
    }
    return (3 * lost) / before.length;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function displayP3(): Promise<Buffer> {
  const file = await sharp({ create: { width: 1, height: 1, channels: 3, background: "#888" } })
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const { icc } = await sharp(file).metadata();
  if (icc === undefined) throw new Error("sharp has written no profile");
  return icc;
}

/** A profile with Adobe RGB's primaries and gamma (ICC.1:2001). Adobe's own has 560 bytes. */
function adobeRgb(): Buffer {
  const number = (value: number) => Math.round(value * 65_536);
  const xyz = (...values: number[]) => {
    const tag = Buffer.alloc(20);
    tag.write("XYZ ");
    for (const [at, value] of values.entries()) tag.writeInt32BE(number(value), 8 + 4 * at);
    return tag;
  };
  const gamma = Buffer.alloc(16);
  gamma.write("curv");
  gamma.writeUInt32BE(1, 8);
  gamma.writeUInt16BE(0x0233, 12);
  const description = Buffer.alloc(124);
  description.write("desc");
  description.writeUInt32BE(18, 8);
  description.write("Adobe RGB (1998)\0\0", 12);
  const copyright = Buffer.alloc(52, 0);
  copyright.write("text\0\0\0\0Primaries and gamma of Adobe RGB (1998)");
  const tags: [string, Buffer][] = [
    ["cprt", copyright],
    ["desc", description],
    ["wtpt", xyz(0.9505, 1, 1.0891)],
    ["bkpt", xyz(0, 0, 0)],
    ["rTRC", gamma],
    ["gTRC", gamma],
    ["bTRC", gamma],
    ["rXYZ", xyz(0.60974, 0.31111, 0.01947)],
    ["gXYZ", xyz(0.20528, 0.62567, 0.06087)],
    ["bXYZ", xyz(0.14919, 0.06322, 0.74457)],
  ];
  const head = Buffer.alloc(132 + 12 * tags.length);
  const bodies: Buffer[] = [];
  let end = head.length;
  for (const [at, [name, body]] of tags.entries()) {
    const entry = 132 + 12 * at;
    head.write(name, entry);
    head.writeUInt32BE(end, entry + 4);
    head.writeUInt32BE(body.length, entry + 8);
    bodies.push(body);
    end += body.length;
  }
  head.writeUInt32BE(end, 0);
  head.writeUInt32BE(0x02100000, 8);
  head.write("mntrRGB XYZ ", 12);
  head.write("acsp", 36);
  for (const [at, value] of [0.9642, 1, 0.8249].entries()) head.writeInt32BE(number(value), 68 + 4 * at);
  head.writeUInt32BE(tags.length, 128);
  return Buffer.concat([head, ...bodies]);
}
