import sharp from "sharp";
import { expect, it } from "vitest";
import { recompressJpeg } from "../../support/jpeg/recompress-jpeg.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

// An isolate has 128 MB: what a picture takes there is bounded as a whole, with its file and its result.

/** Noise, of which hardly a coefficient is zero: 2.8 bytes a pixel, and twice that in coefficients. */
async function noise(side: number): Promise<Buffer> {
  const random = seededRandom(11);
  const raw = Buffer.alloc(side * side * 3);
  for (let at = 0; at < raw.length; at += 4) raw.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  return sharp(raw, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
    .toBuffer();
}

it("keeps a picture whose coefficients and file take too much together", async () => {
  expect(recompressJpeg(await noise(2800), 100)).toEqual({ outcome: "kept", reason: "Too many coefficients" });
});

it("keeps a picture whose result would take too much beside them", async () => {
  const jpeg = await noise(2480);
  expect(recompressJpeg(jpeg, 100)).toEqual({ outcome: "kept", reason: "The result takes too much memory" });
  expect(recompressJpeg(jpeg, 50).outcome).toBe("recompressed");
});
