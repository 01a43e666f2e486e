import { makePalette } from "./make-palette.ts";
import { pngChunk } from "./png-chunks.ts";
import { GRAY, GRAY_ALPHA, INDEXED, type PngHeader, RGB } from "./png-header.ts";
import type { SourcePicture } from "./source-picture.ts";

/** Facts that are true for all pixels of a picture. */
export interface Analysis {
  /** Samples of a pixel as the engine reads it: 1 to 4. */
  readonly samples: number;
  readonly sampleBytes: 1 | 2;
  readonly isOpaque: boolean;
  readonly isGray: boolean;
  /** Samples have 16 bits, but the lower eight repeat the upper eight. */
  readonly isHalvable: boolean;
  readonly isKeyUsed: boolean;
  /** Red << 24 | green << 16 | blue << 8 | alpha of each colour of 8 bits; undefined if there are more than 256. */
  readonly colours: Uint32Array | undefined;
}

/** The form of the pixels in the new file. */
export interface Form {
  readonly header: PngHeader;
  /** PLTE and tRNS. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** The position in the palette of each found colour. */
  readonly indices?: Uint8Array;
  /** The bytes of each pixel that stay if there is no palette. */
  readonly picks: readonly number[];
}

/**
 * Chooses a smaller form for the same pixels: redundant samples are left out, few colours become a palette, few grays take less than a
 * byte. Every pixel stays the same to the last bit, including transparent pixels.
 */
export function chooseForm(source: SourcePicture, analysis: Analysis): Form {
  const { samples, sampleBytes, colours } = analysis;
  const isGrayFile = (source.colourType & 2) === 0;
  const hasAlpha = samples % 2 === 0;
  const isGray = samples < 3 || (analysis.isGray && !(source.hasProfile && !isGrayFile));
  const keepsAlpha = hasAlpha && !analysis.isOpaque;
  const bitDepth = sampleBytes === 2 && !analysis.isHalvable ? 16 : 8;
  const keptSamples = [...Array(samples).keys()].filter((sample) => {
    return hasAlpha && sample === samples - 1 ? keepsAlpha : sample === 0 || !isGray;
  });
  const base = { width: source.width, height: source.height, isInterlaced: false };
  const plain = {
    header: { ...base, bitDepth, colourType: (isGray ? GRAY : RGB) + (keepsAlpha ? GRAY_ALPHA : 0) },
    picks: keptSamples.flatMap((sample) => [...Array(bitDepth / 8).keys()].map((byte) => sample * sampleBytes + byte)),
  };
  const keyed = (form: typeof plain): Form => ({ ...form, chunks: keyChunks(source, analysis, form.header) });
  if (bitDepth === 16 || colours === undefined) return keyed(plain);

  const grayBits = isGray && !keepsAlpha ? bitsOfGrays(colours) : 8;
  const grayForm = keyed({ ...plain, header: { ...plain.header, bitDepth: grayBits } });
  if (isGrayFile && source.hasProfile) return grayForm;
  const perPixel = (keptSamples.length * grayBits) / 8;
  const palette = makePalette(colours, { pixels: source.width * source.height, bytesPerPixel: perPixel });
  if (palette === undefined) return grayForm;
  const { chunks, indices, bits } = palette;
  return { header: { ...base, bitDepth: bits, colourType: INDEXED }, chunks, indices, picks: [] };
}

/** The bits for a picture's grays (PNG, 13.12): the fewest whose values, scaled to eight bits, include all of them. */
function bitsOfGrays(colours: Uint32Array): number {
  const fits = (bits: number) => colours.every((colour) => (colour >>> 24) % (255 / (2 ** bits - 1)) === 0);
  return [1, 2, 4].find(fits) ?? 8;
}

/** The transparent colour, if it occurs (PNG, 11.3.1.1). */
function keyChunks({ key, bitDepth }: SourcePicture, { isKeyUsed }: Analysis, header: PngHeader) {
  if (key === undefined || !isKeyUsed) return [];
  const data = new Uint8Array(2 * (header.colourType === GRAY ? 1 : 3));
  const view = new DataView(data.buffer);
  // Scales from the file's depth to eight or sixteen bits, then takes the upper ones.
  const scale = bitDepth < 8 ? 255 / (2 ** bitDepth - 1) : 1;
  const drop = Math.max(8, bitDepth) - header.bitDepth;
  for (let at = 0; at < data.length; at += 2) view.setUint16(at, ((key[at / 2] ?? 0) * scale) >> drop);
  return [pngChunk("tRNS", data)];
}
