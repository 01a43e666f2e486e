import { deflateSync } from "node:zlib";
import { concatBytes } from "../bytes.ts";
import type { CodecTools } from "../codec-tools.ts";
import { profileChunk } from "../icc/png-profile.ts";
import type { Pixels } from "../webp/webp-engine.ts";
import { compressPng } from "./compress-png.ts";
import { PNG_SIGNATURE, pngChunk } from "./png-chunks.ts";
import { headerData, RGB_ALPHA } from "./png-header.ts";

/** zlib's fastest level: the file is only written to be compressed again. */
const FAST = 1;

/** Writes a PNG of pixels in the form that takes the fewest bytes. @returns the file in pieces */
export async function encodePng(
  { data, width, height }: Pixels,
  profile: Uint8Array | undefined,
  tools: CodecTools,
): Promise<readonly Uint8Array[]> {
  const rowBytes = 4 * width;
  const rows = new Uint8Array(height * (1 + rowBytes));
  for (let y = 0; y < height; y++) {
    // Filter 0: the row as it is (PNG, 9.2).
    rows.set(data.subarray(y * rowBytes, (y + 1) * rowBytes), y * (1 + rowBytes) + 1);
  }
  const header = { width, height, bitDepth: 8, colourType: RGB_ALPHA, isInterlaced: false };
  const file = concatBytes([
    PNG_SIGNATURE,
    pngChunk("IHDR", headerData(header)),
    ...(profile === undefined ? [] : [profileChunk(profile)]),
    pngChunk("IDAT", deflateSync(rows, { level: FAST })),
    pngChunk("IEND", new Uint8Array()),
  ]);
  const compressed = await compressPng(file, tools);
  return compressed.outcome === "compressed" ? compressed.pieces : [file];
}
