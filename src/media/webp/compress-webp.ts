import { decodeWebp, encodeWebp } from "../codecs.ts";
import { type Compression, kept, LEAST_LOSSY_SAVING } from "../compression.ts";
import { readTiffOrientation } from "../dimensions/exif-orientation.ts";
import { readWebpDimensions } from "../dimensions/webp.ts";
import { orientationTiff } from "../orientation-tiff.ts";
import { type RiffChunk, readRiffChunks, riffFile } from "./riff-chunks.ts";

/** The decoder and the encoder take up to 24 bytes for each. */
export const MAX_PIXELS = 3_000_000;

/** Flags of VP8X (RFC 9649, 2.7.1). */
const ICC = 0x20;
const ALPHA = 0x10;
const EXIF = 0x08;

/** At the quality, with alpha, ICC profile and orientation; a lossless picture stays lossless. */
export async function compressWebp(file: Uint8Array<ArrayBuffer>, quality: number): Promise<Compression> {
  const chunks = [...readRiffChunks(file)];
  if (chunks.some(({ type }) => type === "ANIM" || type === "ANMF")) return kept("Animated");
  const size = readWebpDimensions(new DataView(file.buffer, file.byteOffset, file.byteLength));
  if (size === undefined || !chunks.some(({ type }) => isPicture(type))) return kept("Damaged");
  if (size.width * size.height > MAX_PIXELS) return { outcome: "too-large" };
  const lossless = chunks.some(({ type }) => type === "VP8L");
  try {
    const pixels = await decodeWebp(file);
    if (pixels === undefined || pixels.width !== size.width || pixels.height !== size.height) return kept("Damaged");
    const bytes = withMetadata(await encodeWebp(pixels, { quality, lossless }), chunks, pixels);
    const most = lossless ? file.length - 1 : file.length * (1 - LEAST_LOSSY_SAVING);
    return bytes.length <= most ? { outcome: "compressed", type: "image/webp", bytes } : kept("Nothing to be saved");
  } catch {
    return kept("Damaged");
  }
}

function isPicture(type: string): boolean {
  return type === "VP8 " || type === "VP8L";
}

/** Puts the source's ICC profile and orientation around an encoder's picture. */
function withMetadata(
  encoded: Uint8Array<ArrayBuffer>,
  source: readonly RiffChunk[],
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array<ArrayBuffer> {
  const profile = source.find(({ type }) => type === "ICCP");
  const orientation = readOrientation(source);
  if (profile === undefined && orientation === 1) return encoded;
  const picture = [...readRiffChunks(encoded)].filter(({ type }) => type === "ALPH" || isPicture(type));
  const flags = (profile === undefined ? 0 : ICC) | (orientation === 1 ? 0 : EXIF) | (hasAlpha(picture) ? ALPHA : 0);
  const header = new Uint8Array(10);
  const view = new DataView(header.buffer);
  view.setUint8(0, flags);
  view.setUint16(4, (width - 1) & 0xffff, true);
  view.setUint8(6, (width - 1) >> 16);
  view.setUint16(7, (height - 1) & 0xffff, true);
  view.setUint8(9, (height - 1) >> 16);
  return riffFile([
    { type: "VP8X", data: header },
    ...(profile === undefined ? [] : [profile]),
    ...picture,
    ...(orientation === 1 ? [] : [{ type: "EXIF", data: orientationTiff(orientation) }]),
  ]);
}

/** A lossless bitstream says it in its header (RFC 9649, 3.4). */
function hasAlpha(picture: readonly RiffChunk[]): boolean {
  return picture.some(({ type, data }) => type === "ALPH" || (type === "VP8L" && ((data[4] ?? 0) & 0x10) !== 0));
}

function readOrientation(chunks: readonly RiffChunk[]): number {
  const data = chunks.find(({ type }) => type === "EXIF")?.data;
  if (data === undefined) return 1;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  // Some writers put the six bytes in front that a JPEG has there.
  const tiff = data.length >= 6 && view.getUint32(0) === 0x45786966 ? 6 : 0;
  return readTiffOrientation(view, tiff, data.length - tiff) ?? 1;
}
