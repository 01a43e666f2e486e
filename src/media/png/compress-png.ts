import { crc32 } from "node:zlib";
import { loadPngEngine } from "../codecs.ts";
import { type Compression, kept } from "../compression.ts";
import { concatBytes } from "../concat-bytes.ts";
import { readTiffOrientation } from "../dimensions/exif-orientation.ts";
import { listAtMost } from "../list-at-most.ts";
import { orientationTiff } from "../orientation-tiff.ts";
import { PngEngine } from "./engine.ts";
import { PNG_SIGNATURE, type PngChunk, pngChunk, readPngChunks } from "./png-chunks.ts";
import { INDEXED, rawBytes, readPngHeader } from "./png-header.ts";
import { rewritePng } from "./rewrite-png.ts";

/** Bytes of the picture unpacked: 4 megapixels of RGB. */
export const MAX_RAW_BYTES = 12 * 1024 * 1024;
/** What hardly deflates takes most memory beside it: noise of this size grows it by some 95 MB at its peak. */
const MAX_FILE_BYTES = 9 * 1024 * 1024;
/** Encoders write image data in chunks of 4 KiB and more. */
const MAX_CHUNKS = 20_000;

/** What a viewer needs to show the picture as meant; text, times and Exif are left out. */
const KEPT_CHUNKS = new Set([
  "IHDR",
  "PLTE",
  "tRNS",
  "IDAT",
  "IEND",
  ..."gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT pHYs".split(" "),
]);

/**
 * The same pixels in fewer bytes: transparency and what tells the colours stay.
 * @throws WebAssembly.RuntimeError where the engine fails
 */
export async function compressPng(file: Uint8Array<ArrayBuffer>): Promise<Compression> {
  const chunks = listAtMost(readPngChunks(file), MAX_CHUNKS);
  if (chunks === undefined) return kept("Too many chunks");
  if (chunks.some(({ type }) => type === "acTL")) return kept("Animated");
  if (chunks.at(-1)?.type !== "IEND") return kept("Damaged");
  const header = readPngHeader(chunks[0]);
  if (header === undefined) return kept("Damaged");
  // What IHDR promises, so that a bomb is known before it is unpacked.
  if (rawBytes(header) > MAX_RAW_BYTES || file.length > MAX_FILE_BYTES) return { outcome: "too-large" };
  const wanted = chunks.filter(({ type }) => KEPT_CHUNKS.has(type));
  if (!wanted.every(isIntact)) return kept("Damaged");
  if (header.colourType === INDEXED && !wanted.some(({ type }) => type === "PLTE")) return kept("Damaged");
  const module = await loadPngEngine();
  try {
    const pieces = PngEngine.use(module, (engine) => rewritePng(engine, wanted, header));
    const bytes = concatBytes([PNG_SIGNATURE, ...pieces.slice(0, 1), ...orientationChunks(chunks), ...pieces.slice(1)]);
    return bytes.length < file.length
      ? { outcome: "compressed", type: "image/png", bytes }
      : kept("Nothing to be saved");
  } catch (error) {
    // The engine's own failure is no fault of the file.
    if (error instanceof WebAssembly.RuntimeError) throw error;
    return kept("Damaged");
  }
}

function isIntact({ whole }: PngChunk): boolean {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  return crc32(whole.subarray(4, -4)) === view.getUint32(whole.length - 4);
}

/** Browsers heed an eXIf chunk only where it comes before the image data. */
function readOrientation(chunks: readonly PngChunk[]): number {
  const first = chunks.find(({ type }) => type === "eXIf" || type === "IDAT");
  if (first?.type !== "eXIf") return 1;
  const { data } = first;
  return readTiffOrientation(new DataView(data.buffer, data.byteOffset, data.byteLength), 0, data.length) ?? 1;
}

function orientationChunks(chunks: readonly PngChunk[]): Uint8Array[] {
  const orientation = readOrientation(chunks);
  return orientation === 1 ? [] : [pngChunk("eXIf", orientationTiff(orientation))];
}
