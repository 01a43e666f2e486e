// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { pngChunk } from "./png-chunks.ts";
import { INDEXED, samplesPerPixel } from "./png-header.ts";
import type { Picture } from "./reduce-samples.ts";

const MAX_COLOURS = 256;
const SLOTS = 4 * MAX_COLOURS;
const EMPTY = -1;
/** What two chunks take beside the palette itself. */
const CHUNKS_BYTES = 24;
/** How much of what a palette saves is left when everything is deflated, about. */
const DEFLATED_SHARE = 1 / 16;

/** The picture with a palette, a byte for each pixel, and its PLTE and tRNS. */
export interface PalettePicture extends Picture {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly colourCount: number;
}

/**
 * Undefined where the picture has more than 256 colours, or so few pixels that a palette does not pay.
 * @param picture of 8-bit samples
 */
export function makePalette({ header, bytes }: Picture): PalettePicture | undefined {
  const samples = samplesPerPixel(header);
  const indices = new Uint8Array(bytes.length / samples);
  const colours: number[] = [];
  const slots = new Int16Array(SLOTS).fill(EMPTY);
  let last = -1;
  let lastIndex = 0;
  for (let pixel = 0, at = 0; pixel < indices.length; pixel++, at += samples) {
    const colour = rgbaAt(bytes, at, samples);
    if (colour !== last) {
      let slot = (Math.imul(colour, 0x9e3779b1) >>> 8) % SLOTS;
      while (slots[slot] !== EMPTY && colours[slots[slot]!] !== colour) slot = (slot + 1) % SLOTS;
      if (slots[slot] === EMPTY) {
        if (colours.length === MAX_COLOURS) return undefined;
        slots[slot] = colours.push(colour) - 1;
      }
      last = colour;
      lastIndex = slots[slot]!;
    }
    indices[pixel] = lastIndex;
  }
  const savedBytes = bytes.length - (indices.length * bitsOfIndex(colours.length)) / 8;
  if (savedBytes * DEFLATED_SHARE < 4 * colours.length + CHUNKS_BYTES) return undefined;

  // Those with alpha come first, so that tRNS is short; then by brightness, so that neighbours are alike.
  const order = [...colours.keys()].sort((a, b) => rank(colours[a]!) - rank(colours[b]!));
  const places = new Uint8Array(MAX_COLOURS);
  for (const [place, index] of order.entries()) places[index] = place;
  for (let pixel = 0; pixel < indices.length; pixel++) indices[pixel] = places[indices[pixel]!]!;

  const sorted = order.map((index) => colours[index]!);
  const alphas = sorted.map((colour) => colour & 0xff).filter((alpha) => alpha !== 0xff);
  const palette = sorted.flatMap((colour) => [colour >>> 24, (colour >>> 16) & 0xff, (colour >>> 8) & 0xff]);
  return {
    header: { ...header, colourType: INDEXED },
    bytes: indices,
    colourCount: colours.length,
    chunks: [
      pngChunk("PLTE", Uint8Array.from(palette)),
      ...(alphas.length === 0 ? [] : [pngChunk("tRNS", Uint8Array.from(alphas))]),
    ],
  };
}

function rgbaAt(bytes: Uint8Array, at: number, samples: number): number {
  const red = bytes[at]!;
  const isGray = samples <= 2;
  const green = isGray ? red : bytes[at + 1]!;
  const blue = isGray ? red : bytes[at + 2]!;
  const alpha = samples % 2 === 1 ? 0xff : bytes[at + samples - 1]!;
  return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

function rank(colour: number): number {
  const brightness = 299 * (colour >>> 24) + 587 * ((colour >>> 16) & 0xff) + 114 * ((colour >>> 8) & 0xff);
  return brightness + ((colour & 0xff) === 0xff ? 1_000_000 : 0);
}

/** How many bits tell so many colours apart (PNG, 11.2.1: 1, 2, 4 or 8). */
export function bitsOfIndex(colourCount: number): number {
  return colourCount <= 2 ? 1 : colourCount <= 4 ? 2 : colourCount <= 16 ? 4 : 8;
}
