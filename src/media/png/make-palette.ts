import { pngChunk } from "./png-chunks.ts";

/** Bytes of two chunks besides the palette itself. */
const CHUNKS_BYTES = 24;
/** The approximate share of a palette's saving that remains after deflating. */
const DEFLATED_SHARE = 1 / 16;
const OPAQUE = 0xff;

export interface Palette {
  /** PLTE, and tRNS if there is alpha. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  /** The palette index of each given colour. */
  readonly indices: Uint8Array;
  /** Bits of an index (PNG, 11.2.1). */
  readonly bits: number;
}

/**
 * Makes a palette of at most 256 colours; undefined if it does not pay.
 * @param colours red << 24 | green << 16 | blue << 8 | alpha
 * @param picture its size without a palette
 */
export function makePalette(
  colours: Uint32Array,
  { pixels, bytesPerPixel }: { readonly pixels: number; readonly bytesPerPixel: number },
): Palette | undefined {
  const bits = bitsOfIndex(colours.length);
  const savedBytes = pixels * (bytesPerPixel - bits / 8);
  if (savedBytes <= 0 || savedBytes * DEFLATED_SHARE < 4 * colours.length + CHUNKS_BYTES) return undefined;
  // Colours with alpha come first, so that tRNS is short. The others are sorted by brightness, so that neighbours are similar.
  const order = [...colours.keys()].sort((a, b) => rank(colours[a] ?? 0) - rank(colours[b] ?? 0));
  const indices = new Uint8Array(colours.length);
  for (const [place, index] of order.entries()) indices[index] = place;
  const sorted = order.map((index) => colours[index] ?? 0);
  const alphas = sorted.map((colour) => colour & OPAQUE).filter((alpha) => alpha !== OPAQUE);
  const palette = sorted.flatMap((colour) => [colour >>> 24, (colour >>> 16) & 0xff, (colour >>> 8) & 0xff]);
  return {
    bits,
    indices,
    chunks: [
      pngChunk("PLTE", Uint8Array.from(palette)),
      ...(alphas.length === 0 ? [] : [pngChunk("tRNS", Uint8Array.from(alphas))]),
    ],
  };
}

function rank(colour: number): number {
  const brightness = 299 * (colour >>> 24) + 587 * ((colour >>> 16) & 0xff) + 114 * ((colour >>> 8) & 0xff);
  return brightness + ((colour & OPAQUE) === OPAQUE ? 1_000_000 : 0);
}

/** Bits for this many colours (PNG, 11.2.1: 1, 2, 4 or 8). */
function bitsOfIndex(colourCount: number): number {
  return colourCount <= 2 ? 1 : colourCount <= 4 ? 2 : colourCount <= 16 ? 4 : 8;
}
