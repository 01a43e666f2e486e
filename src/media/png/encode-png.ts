import { concatBytes } from "../concat-bytes.ts";
import { deflate } from "./deflate/deflate.ts";
import type { PngEngine } from "./engine.ts";
import { filterRows } from "./filter-rows.ts";
import { PNG_SIGNATURE, pngChunk, pngChunkPieces } from "./png-chunks.ts";
import { headerData } from "./png-header.ts";
import { reducePicture } from "./reduce-picture.ts";
import type { Picture } from "./reduce-samples.ts";

/** A PNG file of a picture's pixels, in as few bytes as they take. */
export function encodePng(engine: PngEngine, picture: Picture): Uint8Array<ArrayBuffer> {
  const reduced = reducePicture(picture, false);
  return concatBytes([
    PNG_SIGNATURE,
    pngChunk("IHDR", headerData(reduced.header)),
    ...reduced.chunks,
    ...pngChunkPieces("IDAT", deflate(engine, filterRows(engine, reduced))),
    pngChunk("IEND", new Uint8Array()),
  ]);
}
