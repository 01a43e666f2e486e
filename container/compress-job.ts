import { compressWebp } from "../src/media/webp/compress-webp.ts";
import { readWebpHead } from "../src/media/webp/read-webp-head.ts";
import type { ImageOutcome } from "./image-job.ts";
import { readSource, writeResult } from "./job-files.ts";
import { loadWebpEngine } from "./webp-engine.ts";

/**
 * One compression in a process of its own, so that it can be stopped, has bounded memory, and takes nobody along if the codec
 * crashes. `node compress-job.ts <quality> <max pixels>`, the WebP at descriptor 3, the result to descriptor 4, the outcome (JSON)
 * to standard output. A reason says that the image is to be kept as it is.
 */

async function run(): Promise<ImageOutcome> {
  const [quality, maxPixels] = process.argv.slice(2).map(Number);
  const file = readSource();
  const result = await compressWebp(loadWebpEngine(maxPixels ?? 0), file, quality ?? 0);
  switch (result.outcome) {
    case "compressed": {
      // Width and height never change.
      const { width, height } = readWebpHead(file);
      const sizeBytes = result.pieces.reduce((sum, piece) => sum + piece.length, 0);
      writeResult(result.pieces);
      return { contentType: "image/webp", width, height, sizeBytes };
    }
    case "kept":
      return { reason: result.reason };
    case "too-large":
      return { reason: "Too many pixels" };
  }
}

process.stdout.write(JSON.stringify(await run()));
