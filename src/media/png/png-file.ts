import { crc32 } from "node:zlib";
import { listAtMost } from "../list-at-most.ts";
import { type PngChunk, readPngChunks } from "./png-chunks.ts";
import { INDEXED, type PngHeader, readPngHeader } from "./png-header.ts";

/** Encoders write image data in chunks of 4 KiB and more. */
const MAX_CHUNKS = 20_000;

/** Chunks that define the colours. All of them come before PLTE (PNG, 5.6). */
const COLOUR_CHUNKS = new Set("gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT".split(" "));
const CRITICAL = new Set(["IHDR", "PLTE", "IDAT", "IEND"]);

/** A PNG's chunks by purpose. */
export interface PngFile {
  readonly header: PngHeader;
  readonly palette: PngChunk | undefined;
  readonly transparency: PngChunk | undefined;
  readonly colour: readonly PngChunk[];
  readonly resolution: PngChunk | undefined;
  readonly exif: PngChunk | undefined;
  readonly imageData: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Sorts a PNG's chunks. Like in viewers, the first chunk of a kind counts, and only before the image data. Text, times, backgrounds,
 * histograms and unknown chunks are ignored.
 * @param takesAnimated accepts an animation's default image
 * @returns a reason if the file must stay as it is: it is animated or damaged, or viewers would show it differently
 */
export function readPngFile(
  file: Uint8Array<ArrayBuffer>,
  { takesAnimated = false }: { readonly takesAnimated?: boolean } = {},
): PngFile | string {
  const chunks = listAtMost(readPngChunks(file), MAX_CHUNKS);
  if (chunks === undefined) return "Too many chunks";
  if (!takesAnimated && chunks.some(({ type }) => type === "acTL")) return "Animated";
  if (chunks.at(-1)?.type !== "IEND") return "Damaged";
  const header = readPngHeader(chunks[0]);
  if (header === undefined) return "Damaged";
  const firstData = chunks.findIndex(({ type }) => type === "IDAT");
  const lastData = chunks.findLastIndex(({ type }) => type === "IDAT");
  const imageData = chunks.slice(firstData, lastData + 1);
  if (firstData === -1 || imageData.some(({ type }) => type !== "IDAT")) return "Damaged";
  if (chunks.some(({ type }, index) => isUnknownAndCritical(type) || (type === "IHDR" && index > 0))) return "Damaged";

  const before = chunks.slice(1, firstData);
  const find = (wanted: string) => before.find(({ type }) => type === wanted);
  const palette = find("PLTE");
  const colour = [...COLOUR_CHUNKS].map(find).filter((chunk) => chunk !== undefined);
  const [transparency, resolution, exif] = ["tRNS", "pHYs", "eXIf"].map(find);
  const used = [chunks[0], palette, transparency, resolution, ...colour, ...imageData, chunks.at(-1)];
  if (!used.every((chunk) => chunk === undefined || isIntact(chunk))) return "Damaged";
  if (!fits(header, palette, transparency)) return "Damaged";
  // Some viewers use chunks at a wrong place, others ignore them.
  const isAfterPalette = (chunk: PngChunk) => palette !== undefined && before.indexOf(chunk) > before.indexOf(palette);
  const isTransparencyEarly = palette !== undefined && transparency !== undefined && !isAfterPalette(transparency);
  if (colour.some(isAfterPalette) || isTransparencyEarly) return "Disordered";
  return { header, palette, transparency, colour, resolution, exif, imageData: imageData.map(({ data }) => data) };
}

function isUnknownAndCritical(type: string): boolean {
  return (type.charCodeAt(0) & 0x20) === 0 && !CRITICAL.has(type);
}

function isIntact({ whole }: PngChunk): boolean {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  return crc32(whole.subarray(4, -4)) === view.getUint32(whole.length - 4);
}

/** PNG, 11.2.2 and 11.3.1.1. */
function fits({ colourType, bitDepth }: PngHeader, palette?: PngChunk, transparency?: PngChunk): boolean {
  if (colourType !== INDEXED) {
    if (transparency === undefined) return true;
    // Samples of the transparent colour. A form with alpha has no transparent colour.
    const key = readKey(transparency);
    return transparency.data.length === [2, 0, 6][colourType] && key.every((sample) => sample < 2 ** bitDepth);
  }
  const paletteBytes = palette?.data.length ?? 0;
  const colours = paletteBytes / 3;
  return (
    paletteBytes > 0 &&
    paletteBytes % 3 === 0 &&
    colours <= 2 ** bitDepth &&
    (transparency?.data.length ?? 0) <= colours
  );
}

/** The samples of a transparent colour (PNG, 11.3.1.1). */
export function readKey({ data }: PngChunk): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: data.length >> 1 }, (_, index) => view.getUint16(2 * index));
}
