import sharp from "sharp";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { makeVariant } from "../../../src/codecs/make-variant.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { parseVariant } from "../../../src/domain/variants/parse-variant.ts";
import { type AcceptedFormats, variantFor, variantName } from "../../../src/domain/variants/variant.ts";
import { photograph } from "../../bench/compression/pictures.ts";
import { ssim } from "../../support/media/ssim.ts";
import { CountedFile } from "../../support/previews/counted-file.ts";

// `auto=compress` (VAR-1): quality 60 in place of 75 unless the URL has a quality. The photo has a camera's noise, blur and colours.

vi.mock("../../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../../support/previews/engines.ts")).previewEngines(),
);
vi.mock("../../../src/codecs/libwebp.ts", async () => (await import("../../support/previews/engines.ts")).webpEngine());

const NO_FORMATS: AcceptedFormats = { webp: false, avif: false };
const WEBP: AcceptedFormats = { webp: true, avif: false };

const files: Record<"image/jpeg" | "image/png", Buffer> = { "image/jpeg": Buffer.of(), "image/png": Buffer.of() };
/** The photo at 640 pixels as sharp makes it. */
let ideal: Buffer;

beforeAll(async () => {
  const photo = await photograph(1600, 1200, 7).png().toBuffer();
  files["image/png"] = photo;
  files["image/jpeg"] = await sharp(photo).jpeg({ quality: 92 }).toBuffer();
  ideal = await sharp(photo).resize(640).png().toBuffer();
});

function variantOf(type: MediaType, query: string, accepted: AcceptedFormats) {
  const parsed = parseVariant(query);
  if (parsed === undefined || "errors" in parsed) throw new Error(`Not a variant: ${JSON.stringify(parsed)}`);
  return variantFor(parsed.request, { sourceType: type, accepted, hasProcessor: true });
}

/** @returns the bytes, and the similarity to sharp's picture before it is encoded */
async function made(type: keyof typeof files, query: string, accepted = NO_FORMATS) {
  const file = files[type];
  const variant = variantOf(type, query, accepted);
  const task = { type, sizeBytes: file.length, variant, leavesMoving: false };
  const answer = await makeVariant(task, new CountedFile(file).open());
  if (answer.outcome !== "made") throw new Error(JSON.stringify(answer));
  const bytes = Buffer.from(answer.bytes);
  return { type: answer.type, bytes: bytes.length, similar: await ssim(bytes, ideal), file: bytes };
}

describe("`auto=compress` of a photo at 640 pixels", () => {
  it.each<[keyof typeof files, string, AcceptedFormats, string, number]>([
    ["image/jpeg", "", NO_FORMATS, "image/jpeg", 0.74],
    ["image/png", "&fm=jpg", NO_FORMATS, "image/jpeg", 0.74],
    ["image/jpeg", "&fm=webp", NO_FORMATS, "image/webp", 0.83],
    ["image/jpeg", "&auto=format", WEBP, "image/webp", 0.83],
    ["image/png", "&auto=format", WEBP, "image/webp", 0.83],
  ])("The variant of %s with %j is smaller, and looks like the photo", async (type, rest, accepted, as, share) => {
    const plain = await made(type, `w=640${rest}`, accepted);
    const query = rest.includes("auto=format") ? "w=640&auto=format,compress" : `w=640&auto=compress${rest}`;
    const compressed = await made(type, query, accepted);
    expect([plain.type, compressed.type]).toEqual([as, as]);
    expect(Math.abs(compressed.bytes / plain.bytes - share)).toBeLessThan(0.03);
    expect(compressed.similar).toBeGreaterThan(0.94);
    expect(compressed.similar).toBeLessThan(plain.similar);
    expect(plain.similar - compressed.similar).toBeLessThan(0.02);
  });

  it("`auto=compress` is quality 60 in every lossy format, and a `q` in the URL wins", async () => {
    const compressed = await made("image/jpeg", "w=640&auto=compress");
    expect(compressed.file).toEqual((await made("image/jpeg", "w=640&q=60")).file);
    expect((await made("image/jpeg", "w=640&auto=compress&q=75")).file).toEqual(
      (await made("image/jpeg", "w=640")).file,
    );
  });

  it("A PNG stays lossless: it is the same variant as without `auto=compress`", async () => {
    const [plain, compressed] = ["w=640", "w=640&auto=compress"].map((query) =>
      variantName(variantOf("image/png", query, NO_FORMATS)),
    );
    expect(compressed).toBe(plain);
    expect((await made("image/png", "w=640&auto=compress")).similar).toBeGreaterThan(0.98);
  });

  it("`auto=format` chooses the client's format first, in any order of the two words", () => {
    const name = (query: string, accepted: AcceptedFormats) => variantName(variantOf("image/png", query, accepted));
    for (const both of ["format,compress", "compress,format"]) {
      expect(name(`w=640&auto=${both}`, WEBP)).toBe("w640-q60.webp");
      expect(name(`w=640&auto=${both}`, { webp: true, avif: true })).toBe("w640-q60.avif");
      expect(name(`w=640&auto=${both}`, NO_FORMATS)).toBe("w640.png");
    }
  });
});
