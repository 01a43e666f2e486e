import type { Sharp } from "sharp";
import type { ImageOutcome } from "./image-job.ts";
import { readSource, writeResult } from "./job-files.ts";

/**
 * One preview in a process of its own, as hostile images end libraries. `node preview-job.ts <type> <short edge> <long edge> <quality>
 * <max pixels>`, the image at descriptor 3, the WebP to descriptor 4, the outcome (JSON) to standard output.
 */

/** What a shell says of a program that is not there: no image is to blame for a libvips that cannot be loaded. */
const CANNOT_START = 127;
/** What libvips may read, whatever a file turns out to be; it knows some forty formats. */
const LOADERS: Record<string, string> = {
  "image/jpeg": "VipsForeignLoadJpegBuffer",
  "image/png": "VipsForeignLoadPngBuffer",
  "image/gif": "VipsForeignLoadNsgifBuffer",
  "image/webp": "VipsForeignLoadWebpBuffer",
};

const sharp = await import("sharp").then(
  (module) => module.default,
  (error) => {
    console.error(String(error));
    process.exit(CANNOT_START);
  },
);

async function run(): Promise<ImageOutcome> {
  const [type = "", ...numbers] = process.argv.slice(2);
  const [shortEdge = 0, longEdge = 0, quality = 0, maxPixels = 0] = numbers.map(Number);
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: [LOADERS[type] ?? ""] });
  // What is cut off shows what there is.
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

/** libvips writes down every step that failed. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.slice(0, 200) ?? "";
}
