import { CannotCompress } from "../cannot-compress.ts";
import type { CompressedImage, ImageLimits } from "../compressed-image.ts";
import { requirePixels } from "../pixel-limit.ts";
import { SIGNATURE, writeChunk } from "../png/chunks.ts";
import { INDEXED, type PngHeader, writeHeader } from "../png/header.ts";
import { ImageData } from "../png/image-data.ts";
import { compactPalette } from "./compact-palette.ts";
import { decodeLzw } from "./decode-lzw.ts";
import { parseGif } from "./parse-gif.ts";
import { screenRows } from "./screen-rows.ts";

/**
 * A PNG with the pixels of a GIF: its own colours, as a palette of just those that it uses, and transparent where the GIF is.
 * @throws CannotCompress for animations, damaged files, and where the PNG would not be smaller
 */
export async function gifToPng(file: Buffer, limits: ImageLimits): Promise<CompressedImage> {
  const gif = parseGif(file);
  requirePixels(gif, limits.maxPixels);
  const { frame } = gif;
  const indexes = decodeLzw(frame.codes, frame.minimumCodeSize, frame.width * frame.height);
  const coversScreen = frame.width === gif.width && frame.height === gif.height;
  const { palette, alpha, translate } = compactPalette(frame, indexes, !coversScreen);
  const header: PngHeader = {
    width: gif.width,
    height: gif.height,
    bitDepth: bitDepthFor(palette.length / 3),
    colorType: INDEXED,
    interlaced: false,
  };
  const imageData = new ImageData(header.bitDepth, file.length);
  let row = new Uint8Array(Math.ceil((gif.width * header.bitDepth) / 8));
  let above = new Uint8Array(row.length);
  for (const pixels of screenRows(gif, indexes, translate)) {
    packPixels(row, pixels, header.bitDepth);
    await imageData.writeRow(row, above);
    [row, above] = [above, row];
  }
  const deflated = await imageData.finish();
  const parts = [SIGNATURE, writeChunk("IHDR", writeHeader(header)), writeChunk("PLTE", palette)];
  if (alpha.length > 0) parts.push(writeChunk("tRNS", alpha));
  parts.push(writeChunk("IDAT", Buffer.concat(deflated ?? [])), writeChunk("IEND", Buffer.alloc(0)));
  const sizeBytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (deflated === undefined || sizeBytes >= file.length) throw new CannotCompress("the result is not smaller");
  return { contentType: "image/png", width: gif.width, height: gif.height, parts };
}

function bitDepthFor(colors: number): number {
  if (colors <= 2) return 1;
  if (colors <= 4) return 2;
  return colors <= 16 ? 4 : 8;
}

/** Pixels of less than a byte, the first one in the highest bits (PNG, third edition, 7.2). */
function packPixels(row: Uint8Array, pixels: Uint8Array, bitDepth: number): void {
  const perByte = 8 / bitDepth;
  for (let at = 0; at < row.length; at++) {
    let byte = 0;
    for (let k = 0; k < perByte; k++) byte = (byte << bitDepth) | (pixels[at * perByte + k] ?? 0);
    row[at] = byte;
  }
}
