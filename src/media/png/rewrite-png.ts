import { concatBytes } from "../concat-bytes.ts";
import { deflate } from "./deflate/deflate.ts";
import { filterRows } from "./filter-rows.ts";
import { canHavePalette, makePalette } from "./make-palette.ts";
import { type PngChunk, pngChunk } from "./png-chunks.ts";
import { bytesPerPixel, headerData, INDEXED, type PngHeader } from "./png-header.ts";
import { type Picture, reduceSamples } from "./reduce-samples.ts";
import { inflatePng, unfilterLines } from "./unpack-png.ts";

/**
 * A PNG's chunks with the same pixels in fewer bytes. Interlaced pictures and those of less than a byte a sample keep their rows
 * as they are; of others the filters are chosen anew, and samples that say nothing are left out.
 * @param chunks from IHDR to IEND, those that are to stay
 * @throws Error where the image data is damaged
 */
export function rewritePng(chunks: readonly PngChunk[], header: PngHeader): Uint8Array<ArrayBuffer>[] {
  const lines = inflatePng(chunks, header);
  if (header.isInterlaced || header.bitDepth < 8) return withData(chunks, deflate(lines));

  const types = new Set(chunks.map(({ type }) => type));
  const picture: Picture = { header, bytes: unfilterLines(lines, header) };
  // Both tell about samples as they are.
  const mayReduce = !types.has("tRNS") && !types.has("sBIT") && header.colourType !== INDEXED;
  const reduced = mayReduce ? reduceSamples(picture, !types.has("iCCP")) : picture;
  // PNG, 11.3.2.3: a profile for gray does not go with a palette.
  const isGray = (header.colourType & 2) === 0;
  const mayHavePalette = mayReduce && canHavePalette(reduced) && !(isGray && types.has("iCCP"));
  const indexed = mayHavePalette ? makePalette(reduced) : undefined;
  const { header: newHeader, bytes } = indexed ?? reduced;
  const filtered = filterRows({
    bytes,
    rowBytes: bytes.length / header.height,
    height: header.height,
    step: bytesPerPixel(newHeader),
  });
  // An RGB picture's own palette is a suggestion, and not allowed beside gray (PNG, 11.2.2).
  const fitting = newHeader.colourType === header.colourType ? chunks : chunks.filter(({ type }) => type !== "PLTE");
  return withData(fitting, deflate(filtered), pngChunk("IHDR", headerData(newHeader)), indexed?.chunks);
}

function withData(
  chunks: readonly PngChunk[],
  data: readonly Uint8Array<ArrayBuffer>[],
  header?: Uint8Array<ArrayBuffer>,
  palette: readonly Uint8Array<ArrayBuffer>[] = [],
): Uint8Array<ArrayBuffer>[] {
  const first = chunks.findIndex(({ type }) => type === "IDAT");
  return chunks.flatMap(({ type, whole }, index) => {
    if (type === "IHDR") return [header ?? whole];
    if (type !== "IDAT") return [whole];
    return index === first ? [...palette, pngChunk("IDAT", concatBytes(data))] : [];
  });
}
