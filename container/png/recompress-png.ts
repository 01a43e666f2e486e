import { CannotCompress } from "../cannot-compress.ts";
import type { CompressedImage, ImageLimits } from "../compressed-image.ts";
import { readOrientation, writeOrientation } from "../orientation.ts";
import { requirePixels } from "../pixel-limit.ts";
import { type PngChunk, readChunks, SIGNATURE, writeChunk } from "./chunks.ts";
import { deflateUnfiltered } from "./deflate-unfiltered.ts";
import { bitsPerPixel, parseHeader } from "./header.ts";
import { ImageData } from "./image-data.ts";
import { readRows } from "./read-rows.ts";

/** What decides how the pixels look or how large they print. Text, times, histograms and private chunks are dropped. */
const KEPT = new Set(["PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "pHYs"]);
/** Chunks that may follow the image data and still count. */
const ANIMATION = new Set(["acTL", "fcTL", "fdAT"]);

/**
 * Writes a PNG again, smaller and with the same pixels: colour type, bit depth, palette, transparency, interlacing and colour chunks stay
 * as they are, only filters and deflate change, so nothing can be lost. Rows stream: memory grows with the file, not with the image.
 * @throws CannotCompress for APNG, damaged files, and where the result would not be smaller
 */
export async function recompressPng(file: Buffer, limits: ImageLimits): Promise<CompressedImage> {
  const { chunks, idat } = sortChunks(file);
  const [first, ...rest] = chunks;
  if (first?.type !== "IHDR") throw new CannotCompress("the header is missing");
  const header = parseHeader(first.data);
  requirePixels(header, limits.maxPixels);
  if (header.colorType === 3 && !rest.some(({ type }) => type === "PLTE")) throw new CannotCompress("no palette");
  const head = [SIGNATURE, writeChunk("IHDR", first.data), ...rest.map(({ type, data }) => writeChunk(type, data))];
  const tail = writeChunk("IEND", Buffer.alloc(0));
  const frameBytes = [...head, tail].reduce((sum, { length }) => sum + length, 12);

  const maxBytes = file.length - frameBytes - 1;
  const imageData = new ImageData(bitsPerPixel(header), maxBytes);
  for await (const { row, previous } of readRows(header, idat)) await imageData.writeRow(row, previous);
  const candidates = [await imageData.finish(), await deflateUnfiltered(header, idat)];
  const [deflated] = candidates
    .filter((candidate) => candidate !== undefined && sizeOf(candidate) <= maxBytes)
    .toSorted((a = [], b = []) => sizeOf(a) - sizeOf(b));
  if (deflated === undefined) throw new CannotCompress("the result is not smaller");
  return {
    contentType: "image/png",
    width: header.width,
    height: header.height,
    parts: [...head, writeChunk("IDAT", Buffer.concat(deflated)), tail],
  };
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** The chunks to keep, each at most once and before the image data, and the image data itself. */
function sortChunks(file: Buffer): { chunks: PngChunk[]; idat: Buffer[] } {
  const kept = new Map<string, PngChunk>();
  const idat: Buffer[] = [];
  for (const { type, data } of readChunks(file)) {
    if (ANIMATION.has(type)) throw new CannotCompress("animated");
    if (type === "IDAT") idat.push(data);
    else if (type === "eXIf") keepOrientation(kept, data);
    else if (type === "IHDR" || KEPT.has(type)) {
      if (idat.length === 0 && !kept.has(type)) kept.set(type, { type, data });
    } else if (isCritical(type)) throw new CannotCompress(`unknown ${type} chunk`);
  }
  return { chunks: [...kept.values()], idat };
}

function keepOrientation(kept: Map<string, PngChunk>, exif: Buffer): void {
  const orientation = readOrientation(exif);
  if (orientation !== undefined) kept.set("eXIf", { type: "eXIf", data: writeOrientation(orientation) });
}

function isCritical(type: string): boolean {
  return type.charCodeAt(0) < 0x61;
}
