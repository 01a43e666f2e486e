import sharp from "sharp";
import { expect, it } from "vitest";
import { DECODING_LIMITS, decodeReduced } from "../../../src/media/jpeg/decode-reduced.ts";
import { parseJpegStart } from "../../../src/media/jpeg/parse-jpeg.ts";
import { readModule } from "../../support/codecs/read-module.ts";
import { type CoefficientPlane, readCoefficients } from "../../support/jpeg/coefficients.ts";
import { makePicture } from "../../support/jpeg/picture.ts";
import { randomJpeg } from "../../support/jpeg/random-jpeg.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

const engine = await readModule("src/media/jpeg/engine/jpeg-engine.wasm");

/** The samples of each component at a quarter of its size: two by two of each block. */
async function decodeQuarter(jpeg: Uint8Array): Promise<Buffer[]> {
  const bytes = Uint8Array.from(jpeg);
  const file = parseJpegStart(bytes, DECODING_LIMITS, { isWhole: true, wanted: "all" });
  if (file === undefined) throw new Error("The file is not whole");
  const rows = file.components.map((): Buffer[] => []);
  const planes = file.components.map(({ blocksPerLine }, i) => ({
    addRow: (samples: Uint8Array) => void rows[i]?.push(Buffer.from(samples.subarray(0, blocksPerLine * 2))),
  }));
  const tools = { engine, yieldIfDue: () => undefined, holdIfMore: () => undefined };
  await decodeReduced(tools, bytes, file, { side: 2, planes });
  return rows.map((lines) => Buffer.concat(lines));
}

/** The same from the definition: the inverse transform of the four lowest coefficients, two by two. */
function transformQuarter(plane: CoefficientPlane): Buffer {
  const { blocksPerLine, blockLines, paddedBlocksPerLine, steps, coefficients } = plane;
  const stride = blocksPerLine * 2;
  const samples = Buffer.alloc(stride * blockLines * 2);
  for (let line = 0; line < blockLines; line++) {
    for (let column = 0; column < blocksPerLine; column++) {
      const block = (line * paddedBlocksPerLine + column) * 64;
      const value = (k: number) => ((coefficients[block + k] ?? 0) * (steps[k] ?? 0)) / 8;
      for (const y of [0, 1]) {
        for (const x of [0, 1]) {
          const [across, down] = [x === 0 ? value(1) : -value(1), y === 0 ? value(2) : -value(2)];
          const sample = 128 + value(0) + across + down + (x === y ? value(4) : -value(4));
          samples[(line * 2 + y) * stride + column * 2 + x] = Math.max(0, Math.min(255, Math.floor(sample + 0.5)));
        }
      }
    }
  }
  return samples;
}

function expectQuarter(planes: readonly Buffer[], jpeg: Uint8Array, label: string): void {
  for (const [i, plane] of readCoefficients(jpeg).components.entries()) {
    expect(planes[i]?.equals(transformQuarter(plane)), `${label}, component ${i}`).toBe(true);
  }
}

it("A JPEG at a quarter of its size has the exact samples of its four lowest coefficients", async () => {
  const random = seededRandom(20_261_127);
  for (let round = 0; round < 100; round++) {
    const jpeg = randomJpeg(random, { factors: [1, 2, 4], componentCounts: [1, 3, 4], maxBits: 10 });
    expectQuarter(await decodeQuarter(jpeg), jpeg, `round ${round}`);
  }
});

it("Runs of empty blocks and refinements of a progressive photo give the exact samples at a quarter of its size", async () => {
  const noisy = await makePicture({ width: 640, height: 200 }).png().toBuffer();
  const halfFlat = sharp(noisy).extend({ bottom: 300, left: 77, background: "#48a" });
  for (const quality of [30, 65, 90]) {
    const jpeg = await halfFlat.clone().jpeg({ quality, mozjpeg: true }).toBuffer();
    expectQuarter(await decodeQuarter(jpeg), jpeg, `quality ${quality}`);
  }
});
