import { constants, crc32, inflateRawSync } from "node:zlib";
import { concatBytes, type Head, headOf } from "../bytes.ts";
import { readTiffOrientation } from "../exif/exif-orientation.ts";
import { PNG_SIGNATURE } from "./png-chunks.ts";
import { INDEXED, listPasses, type PngHeader, readPngHeader, rowBytesOf } from "./png-header.ts";

/** PNG, 7.1: greater numbers are not valid. */
const MAX_NUMBER = 0x7fffffff;
const MAX_PALETTE_BYTES = 3 * 256;
/** The beginning of a longer row is enough. */
const MAX_ROW_BYTES = 64 * 1024;
/** The most packed image data that is read. No real encoder needs more for one row. */
const MAX_PACKED_BYTES = 128 * 1024;

/** RFC 1950, 2.2. */
const ZLIB_HEADER_BYTES = 2;

type Chunks = Iterator<HeadChunk, void>;

/**
 * Reads IHDR's width and height (PNG, 11.2.1), turned by an eXIf chunk before the image data; browsers use no other. Browsers show a
 * picture if its header is valid and its first row can be inflated. Wrong checksums are accepted, because viewers treat them differently.
 */
export function readPngHead(bytes: Uint8Array<ArrayBuffer>): Head {
  const chunks = walkHeadChunks(bytes);
  const first = chunks.next().value;
  if (first === undefined || first.data.length < 8) return headOf(0, 0, undefined);
  const view = new DataView(first.data.buffer, first.data.byteOffset, first.data.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const header = readPngHeader(first);
  const isKnown = header !== undefined && width <= MAX_NUMBER && height <= MAX_NUMBER;
  const { orientation, shows } = readChunks(chunks, header);
  if (width > MAX_NUMBER || height > MAX_NUMBER) return headOf(0, 0, false);
  return headOf(...(orientation >= 5 ? ([height, width] as const) : ([width, height] as const)), isKnown && shows);
}

interface Found {
  readonly orientation: number;
  readonly shows: boolean | undefined;
}

/** Reads the chunks before the image data. @param header undefined if decoders refuse it */
function readChunks(chunks: Chunks, header: PngHeader | undefined): Found {
  let orientation: number | undefined;
  let hasPalette = header?.colourType !== INDEXED;
  let shows: boolean | undefined;
  for (let chunk = chunks.next().value; chunk !== undefined && shows === undefined; chunk = chunks.next().value) {
    const { type, data } = chunk;
    if (type === "IDAT") {
      if (header === undefined || !hasPalette) shows = false;
      else return { orientation: orientation ?? 1, shows: hasFirstRow(header, chunk, chunks) };
    } else if (type === "eXIf") orientation ??= readOrientation(chunk);
    else if (type === "PLTE") {
      if (!hasPalette && chunk.isComplete && (data.length < 3 || data.length > MAX_PALETTE_BYTES)) shows = false;
      hasPalette = true;
    } else if (isCritical(type)) shows = false;
  }
  return { orientation: orientation ?? 1, shows };
}

/** Browsers skip a damaged chunk. */
function readOrientation({ data, whole, isComplete }: HeadChunk): number | undefined {
  if (isComplete) {
    const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
    if (crc32(whole.subarray(4, -4)) !== view.getUint32(whole.length - 4)) return undefined;
  }
  return readTiffOrientation(new DataView(data.buffer, data.byteOffset, data.byteLength), 0, data.length) ?? 1;
}

/** PNG, 5.4: the first letter of a critical chunk's name is a capital. Decoders stop at a critical chunk that is unknown or misplaced. */
function isCritical(type: string): boolean {
  return (type.charCodeAt(0) & 0x20) === 0;
}

/** Whether the first row exists; undefined if the bytes end first. @param first IDAT chunk */
function hasFirstRow(header: PngHeader, first: HeadChunk, chunks: Chunks): boolean | undefined {
  const pieces: Uint8Array[] = [];
  let packedBytes = 0;
  let isCutShort = false;
  for (
    let chunk: HeadChunk | undefined = first;
    packedBytes < MAX_PACKED_BYTES;
    chunk = chunks.next().value ?? undefined
  ) {
    isCutShort = chunk === undefined || !chunk.isComplete;
    // PNG, 5.6: IDAT chunks are consecutive.
    if (chunk === undefined || chunk.type !== "IDAT") break;
    pieces.push(chunk.data);
    packedBytes += chunk.data.length;
    if (isCutShort) break;
  }
  const [pass = { columns: 0 }] = listPasses(header);
  const wanted = Math.min(MAX_ROW_BYTES, 1 + rowBytesOf(header, pass.columns));
  const start = inflateStart(concatBytes(pieces), wanted);
  if (start === "complete") return true;
  if (start === "damaged" || !(isCutShort || packedBytes >= MAX_PACKED_BYTES)) return false;
  // Browsers show nothing of a row that is cut off, but other viewers show it.
  return start === "begun" ? true : undefined;
}

/**
 * Inflates the first `wanted` bytes of a zlib stream (RFC 1950). Like in viewers, later damage and a wrong checksum do not matter.
 * @returns `begun`: the packed bytes end within the wanted ones. `missing`: they end before the first one.
 */
function inflateStart(packed: Uint8Array, wanted: number): "complete" | "begun" | "missing" | "damaged" {
  const [cmf, flags] = packed;
  if (cmf === undefined || flags === undefined) return "missing";
  const isDeflate = (cmf & 15) === 8 && cmf >> 4 <= 7 && ((cmf << 8) | flags) % 31 === 0 && (flags & 0x20) === 0;
  if (!isDeflate) return "damaged";
  const inflate = (finishFlush: number) =>
    inflateRawSync(packed.subarray(ZLIB_HEADER_BYTES), {
      finishFlush,
      maxOutputLength: wanted,
      chunkSize: Math.max(constants.Z_MIN_CHUNK, wanted),
    }).length;
  try {
    const length = inflate(constants.Z_SYNC_FLUSH);
    if (length === wanted) return "complete";
    return hasEnded(inflate) ? "damaged" : length > 0 ? "begun" : "missing";
  } catch (error) {
    // The output exceeds `maxOutputLength`. workerd's error has no code.
    return error instanceof RangeError ? "complete" : "damaged";
  }
}

/** Whether the stream itself is complete, because only then zlib can finish it. */
function hasEnded(inflate: (finishFlush: number) => number): boolean {
  try {
    inflate(constants.Z_FINISH);
    return true;
  } catch {
    return false;
  }
}

/** A chunk has length and type before its data, and the CRC after it (PNG, 5.3). */
const HEADER_BYTES = 8;
const CRC_BYTES = 4;
/** The most chunks that are read: a file may contain millions of empty ones. */
const MAX_CHUNKS = 20_000;

interface HeadChunk {
  readonly type: string;
  /** The available part. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** Includes length, type and CRC, as far as available. */
  readonly whole: Uint8Array<ArrayBuffer>;
  /** Whether the chunk is complete. */
  readonly isComplete: boolean;
}

/** Walks the chunks in a PNG's first bytes, including an incomplete last chunk. Nothing is copied, and no CRC is checked. */
export function* walkHeadChunks(bytes: Uint8Array<ArrayBuffer>): Generator<HeadChunk, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = PNG_SIGNATURE.length;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + HEADER_BYTES <= bytes.length; chunks++) {
    const begin = at + HEADER_BYTES;
    const dataEnd = begin + view.getUint32(at);
    const end = dataEnd + CRC_BYTES;
    yield {
      type: String.fromCharCode(...bytes.subarray(at + 4, begin)),
      data: bytes.subarray(begin, dataEnd),
      whole: bytes.subarray(at, end),
      isComplete: end <= bytes.length,
    };
    at = end;
  }
}
