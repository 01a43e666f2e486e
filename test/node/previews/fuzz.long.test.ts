import sharp from "sharp";
import { expect, it, vi } from "vitest";
import { makePreview } from "../../../src/codecs/make-preview.ts";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { fuzzCorpus } from "../../support/jpeg/fuzz-corpus.ts";
import { mutate } from "../../support/jpeg/mutate.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";
import { CountedFile } from "../../support/previews/counted-file.ts";

// A damaged file has a preview, goes to the media processor or never has a preview. Nothing throws, and little memory is held.

vi.mock("../../../src/codecs/picture/picture-engines.ts", async () =>
  (await import("../../support/previews/engines.ts")).previewEngines(),
);
vi.mock("../../../src/codecs/libwebp.ts", async () => (await import("../../support/previews/engines.ts")).webpEngine());

const ROUNDS = 1500;
const MAX_HELD_BYTES = 300 * 1024 * 1024;

async function corpus(): Promise<(readonly [MediaType, Buffer])[]> {
  const picture = (width = 300, height = 280) => makePicture({ width, height });
  const frames = await Promise.all([0, 120].map((hue) => picture().modulate({ hue }).png().toBuffer()));
  const animation = () => sharp(frames, { join: { animated: true } });
  const jpegs = [
    ...(await fuzzCorpus()),
    await picture(2100, 2060).jpeg({ quality: 40 }).toBuffer(),
    await picture(2100, 2060).jpeg({ quality: 40, progressive: true }).toBuffer(),
  ];
  const others: (readonly [MediaType, Buffer])[] = [
    ["image/png", await picture().png().toBuffer()],
    ["image/png", await picture().png({ palette: true, progressive: true }).toBuffer()],
    ["image/png", await picture(1200, 1000).png({ compressionLevel: 9 }).toBuffer()],
    ["image/gif", await picture().gif().toBuffer()],
    ["image/gif", await animation().gif().toBuffer()],
    ["image/webp", await picture().webp().toBuffer()],
    ["image/webp", await picture().webp({ lossless: true }).toBuffer()],
    ["image/webp", await animation().webp().toBuffer()],
    ["image/webp", await animation().webp({ lossless: true }).toBuffer()],
  ];
  return [...jpegs.map((file) => ["image/jpeg", file] as const), ...others];
}

/** Like `mutate` for a file without segments, with more changes near its beginning. */
function damage(file: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  const bytes = Buffer.from(file);
  for (let changes = 1 + below(6); changes > 0; changes--) {
    bytes[random() < 0.6 ? below(Math.min(200, bytes.length)) : below(bytes.length)] = below(256);
  }
  return random() < 0.2 ? bytes.subarray(0, 1 + below(bytes.length)) : bytes;
}

it("A damaged file of any format causes no failure of the service", async () => {
  const random = seededRandom(20_261_122);
  const files = await corpus();
  const outcomes: Record<string, number> = {};
  // Test files share a process, so memory that other tests hold does not count.
  const before = process.memoryUsage().external;
  for (let round = 0; round < ROUNDS; round++) {
    const [type, file] = files[round % files.length] ?? ["image/png", Buffer.alloc(0)];
    const damaged = type === "image/jpeg" ? mutate(file, random) : damage(file, random);
    const { outcome } = await makePreview({ type, sizeBytes: damaged.length }, new CountedFile(damaged).open());
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  expect(Object.keys(outcomes).sort()).toEqual(["impossible", "made", "too-large"]);
  expect(process.memoryUsage().external - before).toBeLessThan(MAX_HELD_BYTES);
}, 300_000);
