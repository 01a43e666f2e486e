import { isRgb } from "./colour-model.ts";
import type { JpegFile } from "./jpeg-file.ts";

/**
 * Converts a frame's components, all of one size, to pixels: gray, RGB or YCbCr (JFIF 1.02, "Color spaces"), CMYK or YCCK (Adobe's TN
 * 5116). Browsers always treat inks as inverted.
 */
export function toRgba(file: JpegFile, planes: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [first = new Uint8Array(), second = first, third = first, fourth] = planes;
  const { adobeTransform } = file.metadata;
  const isYcc = planes.length === 3 ? !isRgb(file) : planes.length === 4 && adobeTransform === 2;
  const pixels = new Uint8ClampedArray(first.length * 4).fill(255);
  if (isYcc) yccToRgb(pixels, first, second, third);
  else interleave(pixels, first, second, third);
  if (fourth !== undefined) inkToRgb(pixels, fourth, isYcc);
  return new Uint8Array(pixels.buffer);
}

function interleave(pixels: Uint8ClampedArray, red: Uint8Array, green: Uint8Array, blue: Uint8Array): void {
  for (let i = 0, at = 0; i < red.length; i++, at += 4) {
    pixels[at] = red[i] as number;
    pixels[at + 1] = green[i] as number;
    pixels[at + 2] = blue[i] as number;
  }
}

/** Fixed point with 16 bits, because rounding floats would take most of the time. */
function yccToRgb(pixels: Uint8ClampedArray, y: Uint8Array, blue: Uint8Array, red: Uint8Array): void {
  for (let i = 0, at = 0; i < y.length; i++, at += 4) {
    const scaled = ((y[i] as number) << 16) + 32768;
    const cb = (blue[i] as number) - 128;
    const cr = (red[i] as number) - 128;
    pixels[at] = (scaled + 91881 * cr) >> 16;
    pixels[at + 1] = (scaled - 22554 * cb - 46802 * cr) >> 16;
    pixels[at + 2] = (scaled + 116130 * cb) >> 16;
  }
}

/** @param areComplements YCCK's colours are those of its inks */
function inkToRgb(pixels: Uint8ClampedArray, black: Uint8Array, areComplements: boolean): void {
  for (let i = 0, at = 0; i < black.length; i++, at += 4) {
    const share = (black[i] as number) / 255;
    for (let colour = at; colour < at + 3; colour++) {
      const ink = pixels[colour] as number;
      pixels[colour] = (areComplements ? 255 - ink : ink) * share;
    }
  }
}
