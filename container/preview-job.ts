import type { Sharp } from "sharp";
import type { ImageOutcome } from "./image-job.ts";
import { readSource, writeResult } from "./job-files.ts";
import { firstLine, openSharp } from "./open-sharp.ts";

/**
 * One preview in a process of its own, because hostile images crash libraries. `node preview-job.ts <type> <short edge> <long edge>
 * <quality> <max pixels>`: the image is at descriptor 3, the WebP goes to descriptor 4, the outcome (JSON) to standard output.
 */

const [type = "", ...numbers] = process.argv.slice(2);
const sharp = await openSharp([type]);

async function run(): Promise<ImageOutcome> {
  const [shortEdge = 0, longEdge = 0, quality = 0, maxPixels = 0] = numbers.map(Number);
  // A truncated image shows the part that is there.
  const image = sharp(readSource(), { limitInputPixels: maxPixels, failOn: "none", sequentialRead: true });
  const size = await sizeOf(image, { shortEdge, longEdge });
  const { data, info } = await image
    .autoOrient()
    .resize({ ...size, fit: "fill" })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true });
  writeResult([data]);
  return { contentType: "image/webp", width: info.width, height: info.height, sizeBytes: data.length };
}

async function sizeOf(image: Sharp, edges: { readonly shortEdge: number; readonly longEdge: number }) {
  const { width, height } = (await image.metadata()).autoOrient;
  const scale = Math.min(1, edges.shortEdge / Math.min(width, height), edges.longEdge / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

const outcome = await run().catch((error: unknown): ImageOutcome => ({ reason: firstLine(error) }));
process.stdout.write(JSON.stringify(outcome));
