import sharp from "sharp";
import { expect, it } from "vitest";
import { MAX_JPEG_BYTES } from "../../../src/media/jpeg/recompress-jpeg.ts";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

// An isolate has 128 MB: the memory for a picture is bounded as a whole, with its file and its result.

/** Noise with hardly a zero coefficient: 2.8 bytes a pixel, and twice that in coefficients. */
async function noise(side: number): Promise<Buffer> {
  const random = seededRandom(11);
  const raw = Buffer.alloc(side * side * 3);
  for (let at = 0; at < raw.length; at += 4) raw.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  return sharp(raw, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
    .toBuffer();
}

it("A picture whose coefficients and file need too much memory is kept as it is", async () => {
  expect(await recompressJpeg(await noise(2800), 100)).toEqual({ outcome: "kept", reason: "Too many coefficients" });
});

it.each([50, 100])(
  "A picture with its file and result stays within the memory bound at quality %i",
  async (quality) => {
    const jpeg = await noise(2480);
    let mostHeld = 0;
    const onHold = (bytes: number) => {
      mostHeld = Math.max(mostHeld, jpeg.length + bytes);
    };
    const result = await recompressJpeg(jpeg, quality, onHold);
    expect(result).toMatchObject(
      quality === 50 ? { outcome: "recompressed" } : { outcome: "kept", reason: "Nothing to be saved" },
    );
    expect(mostHeld).toBeGreaterThan(2 * jpeg.length);
    expect(mostHeld).toBeLessThan(MAX_JPEG_BYTES);
  },
);
