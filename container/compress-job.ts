import { fstatSync, readSync, writeSync } from "node:fs";
import { CannotCompress } from "./cannot-compress.ts";
import type { CompressedImage } from "./compressed-image.ts";
import { gifToPng } from "./gif/gif-to-png.ts";
import { recompressPng } from "./png/recompress-png.ts";

/**
 * One compression in a process of its own, so that it can be stopped, has bounded memory, and takes nobody along if a codec crashes.
 * `node compress-job.ts <type> <quality> <max pixels>`, the source at descriptor 3, the result to descriptor 4, the outcome (JSON) to
 * standard output.
 */

const SOURCE = 3;
const RESULT = 4;

export type CompressOutcome =
  | { contentType: CompressedImage["contentType"]; width: number; height: number; sizeBytes: number }
  | { reason: string };

function readSource(): Buffer {
  const file = Buffer.alloc(fstatSync(SOURCE).size);
  let at = 0;
  while (at < file.length) {
    const read = readSync(SOURCE, file, at, file.length - at, at);
    if (read === 0) throw new Error("The source became shorter");
    at += read;
  }
  return file;
}

function writeResult(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(RESULT, bytes, at);
}

async function compress(type: string, quality: number, maxPixels: number): Promise<CompressedImage> {
  const file = readSource();
  switch (type) {
    case "image/png":
      return recompressPng(file, { maxPixels });
    case "image/gif":
      return gifToPng(file, { maxPixels });
    case "image/webp": {
      const { recompressWebp } = await import("./webp/recompress-webp.ts");
      return recompressWebp(file, quality, { maxPixels });
    }
    default:
      throw new Error(`No way to compress ${type}`);
  }
}

async function run(): Promise<CompressOutcome> {
  const [type = "", quality, maxPixels] = process.argv.slice(2);
  try {
    const { contentType, width, height, parts } = await compress(type, Number(quality), Number(maxPixels));
    const bytes = Buffer.concat(parts);
    writeResult(bytes);
    return { contentType, width, height, sizeBytes: bytes.length };
  } catch (error) {
    if (error instanceof CannotCompress) return { reason: error.message };
    throw error;
  }
}

process.stdout.write(JSON.stringify(await run()));
