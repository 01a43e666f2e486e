import type { CodecTools } from "../codec-tools.ts";
import { type Compression, kept } from "../compression.ts";
import { orientationTiff } from "../exif/orientation-tiff.ts";
import type { Form } from "./choose-form.ts";
import { PNG_SIGNATURE, type PngChunk, pngChunk, pngChunkPieces } from "./png-chunks.ts";
import { type PngFile, readPngFile } from "./png-file.ts";
import { headerData } from "./png-header.ts";
import { orientationIn } from "./png-orientation.ts";
import { sourceOf } from "./png-source.ts";
import { rewritePicture } from "./rewrite-picture.ts";

/** DESIGN, "size". */
export const MAX_PIXELS = 100_000_000;

/**
 * The same pixels in fewer bytes, to the last bit, those that cannot be seen included. The file is read twice, row by row,
 * so memory is the file, the result and less than 24 MB, whatever the dimensions. An interlaced picture becomes one that is
 * not: its passes are read side by side.
 *
 * What becomes of a file's chunks:
 *
 * | chunk                                   |                                                                            |
 * | --------------------------------------- | -------------------------------------------------------------------------- |
 * | gAMA cHRM sRGB iCCP cICP mDCV cLLI      | copied: they tell the colours                                              |
 * | sBIT                                    | copied where colour type and depth stay; else it would be untrue           |
 * | pHYs                                    | copied                                                                     |
 * | PLTE tRNS                               | written anew as the new form needs them                                    |
 * | eXIf                                    | its orientation, where that is not the usual                               |
 * | bKGD hIST sPLT, text, times, all others | left out: no browser shows them, and the first two tell of the old palette |
 *
 * Of several of a kind the first counts, and what stands behind the image data counts for nothing, as in browsers. A file stays
 * as it is where it is animated, where anything that is copied or decoded is damaged (checksums, image data too short or too
 * long, a colour that is not in the palette), where a critical chunk is not known, and where chunks stand in an order of which
 * viewers make different things. A wrong checksum of a chunk that is left out says nothing.
 * @throws WebAssembly.RuntimeError where the engine fails, which is no fault of the file
 */
export async function compressPng(file: Uint8Array<ArrayBuffer>, tools: CodecTools): Promise<Compression> {
  const png = readPngFile(file);
  if (typeof png === "string") return kept(png);
  if (png.header.width * png.header.height > MAX_PIXELS) return kept("Too large");
  const source = sourceOf(png);
  const result = await rewritePicture(source, tools, file.length);
  if (result === "damaged") return kept("Damaged");
  if (result === "larger") return kept("Nothing to be saved");
  const pieces = [
    PNG_SIGNATURE,
    ...headChunks(png, result.form),
    ...pngChunkPieces("IDAT", result.data),
    pngChunk("IEND", new Uint8Array()),
  ];
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return sizeBytes < file.length ? { outcome: "compressed", type: "image/png", pieces } : kept("Nothing to be saved");
}

function headChunks({ header, palette, transparency, colour, resolution, exif }: PngFile, form: Form | undefined) {
  const newHeader = form?.header ?? header;
  const isSameForm = newHeader.colourType === header.colourType && newHeader.bitDepth === header.bitDepth;
  const own = [palette, transparency].flatMap((chunk) => (chunk === undefined ? [] : [chunk.whole]));
  return [
    pngChunk("IHDR", headerData(newHeader)),
    ...colour.filter(({ type }) => type !== "sBIT" || isSameForm).map(({ whole }) => whole),
    ...(form?.chunks ?? own),
    ...(resolution === undefined ? [] : [resolution.whole]),
    ...orientationChunks(exif),
  ];
}

function orientationChunks(exif: PngChunk | undefined): Uint8Array<ArrayBuffer>[] {
  if (exif === undefined) return [];
  const orientation = orientationIn(exif);
  return orientation === undefined || orientation === 1 ? [] : [pngChunk("eXIf", orientationTiff(orientation))];
}
