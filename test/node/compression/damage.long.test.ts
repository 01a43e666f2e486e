import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sniffMediaType } from "../../../src/media/first-bytes.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import {
  type CompressingAccount,
  CompressionHost,
  type ErrorBody,
  type Stored,
} from "../../support/media/compression.ts";
import { decode, fromPixels, photo } from "../../support/media/pictures.ts";

// COMP-6: a damaged image is stored as uploaded if a viewer shows any of it. An unreadable one is 400.

const SEED = 20260301;
const FLIPS = 40;
const HEADER_BYTES = 60;
const BATCH = 40;
const TYPES = ["jpg", "png", "webp", "lossless.webp", "gif"] as const;
type Kind = (typeof TYPES)[number];

let host: CompressionHost;
let account: CompressingAccount;
let sound: Record<Kind, Buffer>;

beforeAll(async () => {
  host = await CompressionHost.start();
  account = await host.openAccount();
  const picture = photo(160, 120);
  const drawing = fromPixels(160, 120, (x, y) => [(x * y) & 255, x & 255, y, x % 9 ? 255 : 90]);
  sound = {
    jpg: await picture.clone().jpeg({ quality: 95 }).toBuffer(),
    png: await picture.clone().png({ compressionLevel: 1, adaptiveFiltering: false }).toBuffer(),
    webp: await picture.clone().webp({ quality: 97 }).toBuffer(),
    "lossless.webp": await drawing.webp({ lossless: true, effort: 0 }).toBuffer(),
    gif: await picture.clone().gif({ colours: 32, dither: 0, effort: 1 }).toBuffer(),
  };
});

afterAll(() => host?.[Symbol.asyncDispose]());

interface Case {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A file that lost its signature is no damaged image but another kind of file. */
function isStillOfItsType(bytes: Buffer): boolean {
  return sniffMediaType(bytes) !== undefined;
}

/** The picture that libvips shows in its lenient mode; undefined if it refuses the file. */
async function shown(bytes: Buffer): Promise<Buffer | undefined> {
  return decode(bytes).then(
    ({ pixels }) => pixels,
    () => undefined,
  );
}

async function uploadAll(cases: readonly Case[]): Promise<Map<string, Stored | ErrorBody>> {
  const outcomes = new Map<string, Stored | ErrorBody>();
  for (let at = 0; at < cases.length; at += BATCH) {
    // The damaged file is sent with a sound file, so the answer reports both.
    const files = [...cases.slice(at, at + BATCH), { name: "sound", bytes: sound.png }];
    for (const [name, outcome] of await account.storeBatch(files)) outcomes.set(name, outcome);
  }
  return outcomes;
}

async function expectTreatedWell(cases: readonly Case[]): Promise<void> {
  const outcomes = await uploadAll([...cases]);
  for (const { name, bytes } of cases) {
    const outcome = outcomes.get(name);
    if (outcome === undefined) throw new Error(`${name} has no result`);
    const original = await shown(bytes);
    if (original !== undefined && isStillOfItsType(bytes)) expect(outcome, `${name} is shown`).toHaveProperty("result");
    if ("result" in outcome) {
      if (outcome.result.compressed) await expectSamePicture(name, original, outcome);
    } else {
      expect(outcome.statusCode, name).toBe(isStillOfItsType(bytes) ? 400 : 415);
      if (outcome.statusCode === 400) expect(outcome.details?.file, name).toEqual(expect.any(String));
    }
  }
}

/** If the file was compressed, the result must look like the original. */
async function expectSamePicture(name: string, original: Buffer | undefined, { bytes }: Stored): Promise<void> {
  const stored = await sharp(bytes, { ignoreIcc: true }).ensureAlpha().raw().toBuffer();
  if (original === undefined) throw new Error(`${name} was compressed but showed nothing`);
  // libvips rejects a GIF whose screen is far larger than its picture.
  if (name.endsWith(".gif") && stored.length !== original.length) return;
  expect(stored.length, name).toBe(original.length);
  // Browsers show nothing outside a GIF's frame; libvips shows the background.
  const isSame = (value: number, at: number) =>
    value === original[at] || (name.endsWith(".gif") && stored[at | 3] === 0);
  if (/(png|gif|lossless.webp)$/.test(name)) expect(stored.every(isSame), `${name} shows something else`).toBe(true);
}

async function expectNextOnesCompressed(): Promise<void> {
  for (const type of TYPES) {
    const { result } = await account.store(sound[type], `sound.${type}`);
    expect(result.compressed, type).toBe(true);
  }
}

describe.each(TYPES)("a damaged file: %s", (type) => {
  it("A file that is cut off at any tenth is kept if a part of it is visible", async () => {
    const whole = sound[type];
    const cases = Array.from({ length: 9 }, (_, i) => {
      const bytes = whole.subarray(0, Math.round((whole.length * (i + 1)) / 10));
      return { name: `cut-${i}.${type}`, bytes };
    });
    await expectTreatedWell(cases);
    await expectNextOnesCompressed();
  });

  it("A file that is cut off in its headers is kept if a part of it is visible", async () => {
    const cases = Array.from({ length: 36 }, (_, i) => ({
      name: `head-${i}.${type}`,
      bytes: sound[type].subarray(0, 1 + i * 20),
    }));
    await expectTreatedWell(cases);
    await expectNextOnesCompressed();
  });

  it.each([
    ["its headers", (length: number) => [0, Math.min(length, HEADER_BYTES)]],
    ["its data", (length: number) => [Math.min(length >> 1, 700), length]],
  ] as const)("A file with bits changed in %s is kept if a part of it is visible", async (_, range) => {
    const random = seededRandom(SEED + type.length);
    const [from, to] = range(sound[type].length);
    const cases = Array.from({ length: FLIPS }, (_, i) => {
      const bytes = Buffer.from(sound[type]);
      for (let flips = 1 + (i % 3); flips > 0; flips--) {
        const at = (from ?? 0) + Math.floor(random() * ((to ?? 0) - (from ?? 0)));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      return { name: `flip-${i}.${type}`, bytes };
    });
    await expectTreatedWell(cases);
    await expectNextOnesCompressed();
  });
});
