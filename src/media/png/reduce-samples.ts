// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { GRAY, GRAY_ALPHA, type PngHeader, RGB, RGB_ALPHA, samplesPerPixel } from "./png-header.ts";

/** A picture of whole bytes without filters, row behind row. */
export interface Picture {
  readonly header: PngHeader;
  readonly bytes: Uint8Array;
}

/**
 * Leaves out what says nothing: low bytes that repeat the high ones, alpha that is full everywhere, and green and blue that
 * repeat red. Every pixel is the same colour after it.
 * @param mayBecomeGray false where a profile tells what RGB means
 */
export function reduceSamples(picture: Picture, mayBecomeGray: boolean): Picture {
  const { header, bytes } = picture;
  const samples = samplesPerPixel(header);
  const sampleBytes = header.bitDepth / 8;
  const hasAlpha = header.colourType === RGB_ALPHA || header.colourType === GRAY_ALPHA;
  const hasColours = header.colourType === RGB || header.colourType === RGB_ALPHA;
  const pixelBytes = samples * sampleBytes;

  const canHalve = sampleBytes === 2 && everyPair(bytes);
  const dropsAlpha = hasAlpha && isOpaque(bytes, pixelBytes, sampleBytes);
  const dropsColours = hasColours && mayBecomeGray && isGray(bytes, pixelBytes, sampleBytes);
  if (!canHalve && !dropsAlpha && !dropsColours) return picture;

  const keptSamples = [...Array(samples).keys()].filter((sample) => {
    const isAlpha = hasAlpha && sample === samples - 1;
    return isAlpha ? !dropsAlpha : sample === 0 || !dropsColours;
  });
  const sources = keptSamples.flatMap((sample) =>
    [...Array(canHalve ? 1 : sampleBytes).keys()].map((byte) => sample * sampleBytes + byte),
  );
  const colourType = (hasColours && !dropsColours ? RGB : GRAY) + (hasAlpha && !dropsAlpha ? GRAY_ALPHA : 0);
  return {
    header: { ...header, colourType, bitDepth: canHalve ? 8 : header.bitDepth },
    bytes: pick(bytes, pixelBytes, Uint8Array.from(sources)),
  };
}

function everyPair(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += 2) if (bytes[at] !== bytes[at + 1]) return false;
  return true;
}

function isOpaque(bytes: Uint8Array, pixelBytes: number, sampleBytes: number): boolean {
  for (let alpha = pixelBytes - sampleBytes; alpha < bytes.length; alpha += pixelBytes) {
    if (bytes[alpha] !== 0xff || bytes[alpha + sampleBytes - 1] !== 0xff) return false;
  }
  return true;
}

function isGray(bytes: Uint8Array, pixelBytes: number, sampleBytes: number): boolean {
  for (let red = 0; red < bytes.length; red += pixelBytes) {
    for (let byte = red; byte < red + sampleBytes; byte++) {
      if (bytes[byte] !== bytes[byte + sampleBytes] || bytes[byte] !== bytes[byte + 2 * sampleBytes]) return false;
    }
  }
  return true;
}

/** @param sources which bytes of each pixel stay */
function pick(bytes: Uint8Array, pixelBytes: number, sources: Uint8Array): Uint8Array {
  const picked = new Uint8Array((bytes.length / pixelBytes) * sources.length);
  for (let from = 0, to = 0; from < bytes.length; from += pixelBytes) {
    for (let i = 0; i < sources.length; i++) picked[to++] = bytes[from + sources[i]!]!;
  }
  return picked;
}
