import { readTiffOrientation } from "../exif/exif-orientation.ts";
import { type PngChunk, readPngChunks } from "./png-chunks.ts";

/** A file may hold millions that take no bytes to speak of. */
const MAX_CHUNKS = 20_000;

/** How a PNG is turned: as an eXIf chunk says that comes before the image data (see readPngHead). 1 to 8. */
export function readPngOrientation(file: Uint8Array<ArrayBuffer>): number {
  let seen = 0;
  for (const chunk of readPngChunks(file)) {
    if (chunk.type === "IDAT" || ++seen > MAX_CHUNKS) break;
    if (chunk.type === "eXIf") return orientationIn(chunk) ?? 1;
  }
  return 1;
}

/** What an eXIf chunk says, 1 to 8; undefined where it says nothing. */
export function orientationIn({ data }: PngChunk): number | undefined {
  return readTiffOrientation(new DataView(data.buffer, data.byteOffset, data.byteLength), 0, data.length);
}
