import { deflate } from "./deflate/deflate.ts";
import type { PngEngine } from "./engine.ts";
import { filterRows } from "./filter-rows.ts";
import { type PngChunk, pngChunk, pngChunkPieces } from "./png-chunks.ts";
import { headerData, INDEXED, type PngHeader } from "./png-header.ts";
import { reducePicture } from "./reduce-picture.ts";
import { inflatePng, unfilterLines } from "./unpack-png.ts";

/**
 * A PNG's chunks with the same pixels in fewer bytes. Interlaced pictures and those of less than a byte a sample keep their rows
 * as they are; of others the filters are chosen anew, and samples that say nothing are left out.
 * @param chunks from IHDR to IEND, those that are to stay
 * @returns IHDR, then the others, in as many pieces as they were made: a copy of large image data would take memory
 * @throws Error where the image data is damaged
 */
export function rewritePng(engine: PngEngine, chunks: readonly PngChunk[], header: PngHeader): Uint8Array[] {
  if (header.isInterlaced || header.bitDepth < 8) {
    return withData(chunks, deflate(engine, inflatePng(chunks, header)));
  }
  const { newHeader, palette, filtered } = filterAnew(engine, chunks, header);
  // An RGB picture's own palette is a suggestion, and not allowed beside gray (PNG, 11.2.2).
  const fitting = newHeader.colourType === header.colourType ? chunks : chunks.filter(({ type }) => type !== "PLTE");
  return withData(fitting, deflate(engine, filtered), pngChunk("IHDR", headerData(newHeader)), palette);
}

/** Nothing of the picture but what is returned is needed after it, so its memory can go before the data is deflated. */
function filterAnew(engine: PngEngine, chunks: readonly PngChunk[], header: PngHeader) {
  const types = new Set(chunks.map(({ type }) => type));
  const picture = { header, bytes: unfilterLines(inflatePng(chunks, header), header) };
  // Both tell about samples as they are.
  const mayChange = !types.has("tRNS") && !types.has("sBIT") && header.colourType !== INDEXED;
  const reduced = mayChange ? reducePicture(picture, types.has("iCCP")) : { ...picture, chunks: [] };
  return { newHeader: reduced.header, palette: reduced.chunks, filtered: filterRows(engine, reduced) };
}

function withData(
  chunks: readonly PngChunk[],
  data: readonly Uint8Array<ArrayBuffer>[],
  header?: Uint8Array<ArrayBuffer>,
  palette: readonly Uint8Array<ArrayBuffer>[] = [],
): Uint8Array[] {
  const first = chunks.findIndex(({ type }) => type === "IDAT");
  return chunks.flatMap(({ type, whole }, index) => {
    if (type === "IHDR") return [header ?? whole];
    if (type !== "IDAT") return [whole];
    return index === first ? [...palette, ...pngChunkPieces("IDAT", data)] : [];
  });
}
