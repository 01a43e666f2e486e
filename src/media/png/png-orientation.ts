import { readTiffOrientation } from "../exif/exif-orientation.ts";
import { type PngChunk, readPngChunks } from "./png-chunks.ts";

/** The most chunks that are read: a file may contain millions of tiny ones. */
const MAX_CHUNKS = 20_000;

/** A PNG's orientation, 1 to 8, from an eXIf chunk before the image data (see `readPngHead`). */
export function readPngOrientation(file: Uint8Array<ArrayBuffer>): number {
  let seen = 0;
  for (const chunk of readPngChunks(file)) {
    if (chunk.type === "IDAT" || ++seen > MAX_CHUNKS) break;
    if (chunk.type === "eXIf") return orientationIn(chunk) ?? 1;
  }
  return 1;
}

/** The orientation in an eXIf chunk, 1 to 8; undefined if it has none. */
export function orientationIn({ data }: PngChunk): number | undefined {
  return readTiffOrientation(new DataView(data.buffer, data.byteOffset, data.byteLength), 0, data.length);
}
