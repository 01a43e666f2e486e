import { recompressJpeg } from "./recompress-jpeg.ts";

/** The recompressed file. @throws where the original was kept */
export function recompressed(source: Uint8Array, quality: number): Uint8Array {
  const result = recompressJpeg(source, quality);
  if (result.outcome === "kept") throw new Error(`Kept: ${result.reason}`);
  return result.bytes;
}
