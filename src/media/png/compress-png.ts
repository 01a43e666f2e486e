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

/** COMP-6. */
export const MAX_PIXELS = 100_000_000;

/**
 * Stores the same pixels in fewer bytes, exact to the last bit, including invisible pixels. The file is read twice, row by row, so memory
 * is the file, the result and less than 24 MB, for any dimensions. An interlaced picture becomes a non-interlaced one: its passes are read
 * in parallel.
 *
 * The file's chunks:
 *
 * | chunk                                   |                                                                            |
 * | --------------------------------------- | -------------------------------------------------------------------------- |
 * | gAMA cHRM sRGB iCCP cICP mDCV cLLI      | copied: they define the colours                                            |
 * | sBIT                                    | copied if colour type and depth stay; else it would be wrong               |
 * | pHYs                                    | copied                                                                     |
 * | PLTE tRNS                               | written for the new form                                                   |
 * | eXIf                                    | its orientation, if it is not the usual                                    |
 * | bKGD hIST sPLT, text, times, all others | left out: browsers ignore them, and the first two refer to the old palette |
 *
 * Like in browsers, the first chunk of a kind counts, and chunks after the image data are ignored. The file stays as it is if it is
 * animated, if copied or decoded data is damaged (checksums, image data too short or too long, a colour that is not in the palette), if a
 * critical chunk is unknown, or if viewers treat the order of its chunks differently. A wrong checksum of a chunk that is left out does not
 * matter.
 * @throws WebAssembly.RuntimeError if the engine fails, which is not the file's fault
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
