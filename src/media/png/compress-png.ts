import { optimisePng } from "../codecs.ts";
import { type Compression, kept } from "../compression.ts";
import { concatBytes } from "../concat-bytes.ts";
import { readTiffOrientation } from "../dimensions/exif-orientation.ts";
import { orientationTiff } from "../orientation-tiff.ts";
import { type PngChunk, pngChunk, readPngChunks } from "./png-chunks.ts";
import { repackPng } from "./repack-png.ts";

/** Bytes of the picture unpacked. oxipng takes up to eleven times as much. */
export const MAX_RAW_BYTES = 8 * 1024 * 1024;
/** The level above costs twice the time and saves a little on small pictures, next to nothing on large ones. */
const SMALL_RAW_BYTES = 2 * 1024 * 1024;
const SMALL_LEVEL = 2;
const LEVEL = 1;

/** What a viewer needs to show the picture as meant; text, times and Exif are left out. */
const KEPT_CHUNKS = new Set([
  "IHDR",
  "PLTE",
  "tRNS",
  "IDAT",
  "IEND",
  ..."gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT pHYs".split(" "),
]);
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** PNG, 11.2.1, table 11.1: samples of a pixel by colour type. */
const SAMPLES = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** The same pixels in fewer bytes: bit depth, palette, transparency and what tells the colours stay. */
export async function compressPng(file: Uint8Array<ArrayBuffer>): Promise<Compression> {
  const chunks = [...readPngChunks(file)];
  if (chunks.some(({ type }) => type === "acTL")) return kept("Animated");
  if (chunks.at(-1)?.type !== "IEND") return kept("Damaged");
  if (rawBytes(chunks[0]) > MAX_RAW_BYTES) return { outcome: "too-large" };
  const wanted = chunks.filter(({ type }) => KEPT_CHUNKS.has(type));
  const input = wanted.length === chunks.length ? file : toFile(wanted.map(({ whole }) => whole));
  const level = rawBytes(chunks[0]) <= SMALL_RAW_BYTES ? SMALL_LEVEL : LEVEL;
  try {
    const optimised = await optimisePng(input, level);
    const fitting = fitsProfile(optimised, wanted) ? optimised : toFile(repackPng(wanted, 2 * MAX_RAW_BYTES));
    const bytes = withOrientation(fitting, readOrientation(chunks));
    return bytes.length < file.length
      ? { outcome: "compressed", type: "image/png", bytes }
      : kept("Nothing to be saved");
  } catch {
    return kept("Damaged");
  }
}

function toFile(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concatBytes([SIGNATURE, ...chunks]);
}

/**
 * PNG, 11.3.2.3: a profile is either for gray or for colours. oxipng takes gray for RGB, and a palette for gray, where that
 * is smaller; decoders would then pass over the profile.
 */
function fitsProfile(optimised: Uint8Array<ArrayBuffer>, source: readonly PngChunk[]): boolean {
  if (!source.some(({ type }) => type === "iCCP")) return true;
  const [result] = readPngChunks(optimised);
  return isGray(result) === isGray(source[0]);
}

function isGray(header: PngChunk | undefined): boolean {
  const colourType = header?.data[9];
  return colourType === 0 || colourType === 4;
}

/** What IHDR promises, so that a bomb is known before it is unpacked. */
function rawBytes(header: PngChunk | undefined): number {
  if (header?.type !== "IHDR" || header.data.length !== 13) return Number.POSITIVE_INFINITY;
  const view = new DataView(header.data.buffer, header.data.byteOffset, header.data.byteLength);
  const samples = SAMPLES.get(view.getUint8(9)) ?? 4;
  return view.getUint32(4) * Math.ceil((view.getUint32(0) * samples * view.getUint8(8)) / 8);
}

/** Browsers heed an eXIf chunk only where it comes before the image data. */
function readOrientation(chunks: readonly PngChunk[]): number {
  const first = chunks.find(({ type }) => type === "eXIf" || type === "IDAT");
  if (first?.type !== "eXIf") return 1;
  const { data } = first;
  return readTiffOrientation(new DataView(data.buffer, data.byteOffset, data.byteLength), 0, data.length) ?? 1;
}

function withOrientation(file: Uint8Array<ArrayBuffer>, orientation: number): Uint8Array<ArrayBuffer> {
  if (orientation === 1) return file;
  const chunks = [...readPngChunks(file)].map(({ whole }) => whole);
  return toFile([...chunks.slice(0, 1), pngChunk("eXIf", orientationTiff(orientation)), ...chunks.slice(1)]);
}
