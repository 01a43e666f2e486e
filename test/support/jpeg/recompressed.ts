import { recompressJpeg } from "./recompress-jpeg.ts";

/** The recompressed file. @throws if the original was kept */
export async function recompressed(source: Uint8Array, quality: number): Promise<Uint8Array> {
  const result = await recompressJpeg(source, quality);
  if (result.outcome === "kept") throw new Error(`Kept: ${result.reason}`);
  return result.bytes;
}
