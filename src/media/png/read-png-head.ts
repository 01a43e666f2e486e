import { crc32 } from "node:zlib";
import { concatBytes } from "../concat-bytes.ts";
import { readTiffOrientation } from "../exif/exif-orientation.ts";
import { type Head, headOf } from "../head.ts";
import { type HeadChunk, walkHeadChunks } from "./head-chunks.ts";
import { inflateStart } from "./inflate-start.ts";
import { INDEXED, listPasses, type PngHeader, readPngHeader, rowBytesOf } from "./png-header.ts";

/** PNG, 7.1: greater numbers are not valid. */
const MAX_NUMBER = 0x7fffffff;
const MAX_PALETTE_BYTES = 3 * 256;
/** Of a longer row, as many bytes tell as much. */
const MAX_ROW_BYTES = 64 * 1024;
/** Of image data, packed. An encoder that takes more for one row is none. */
const MAX_PACKED_BYTES = 128 * 1024;

type Chunks = Iterator<HeadChunk, void>;

/**
 * IHDR's width and height (PNG, 11.2.1), turned as an eXIf chunk says that comes before the image data: browsers heed no
 * other. Browsers show what has a header that the standard knows, and image data whose first row can be unpacked; a wrong
 * checksum, of which viewers think differently, is not held against it.
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
  /** 1 to 8. */
  readonly orientation: number;
  readonly shows: boolean | undefined;
}

/** Reads up to the image data. @param header undefined where decoders refuse it */
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

/** Browsers pass over a chunk that is damaged. */
function readOrientation({ data, whole, isComplete }: HeadChunk): number | undefined {
  if (isComplete) {
    const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
    if (crc32(whole.subarray(4, -4)) !== view.getUint32(whole.length - 4)) return undefined;
  }
  return readTiffOrientation(new DataView(data.buffer, data.byteOffset, data.byteLength), 0, data.length) ?? 1;
}

/** PNG, 5.4: a capital letter first. No decoder passes over one that it does not know, or that may not stand there. */
function isCritical(type: string): boolean {
  return (type.charCodeAt(0) & 0x20) === 0;
}

/** Whether the first row is there; undefined where the bytes end before it does. @param first IDAT chunk */
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
    // PNG, 5.6: the data's chunks follow one another.
    if (chunk === undefined || chunk.type !== "IDAT") break;
    pieces.push(chunk.data);
    packedBytes += chunk.data.length;
    if (isCutShort) break;
  }
  const [pass = { columns: 0 }] = listPasses(header);
  const wanted = Math.min(MAX_ROW_BYTES, 1 + rowBytesOf(header, pass.columns));
  const { bytes, endedBy } = inflateStart(concatBytes(pieces), wanted);
  if (endedBy === "wanted") return true;
  if (endedBy === "data" || !(isCutShort || packedBytes >= MAX_PACKED_BYTES)) return false;
  // Of a row that is cut off browsers show nothing, but other viewers do.
  return bytes.length > 0 ? true : undefined;
}
