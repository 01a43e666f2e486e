import { isRgb } from "./colour-model.ts";
import type { JpegFile } from "./jpeg-file.ts";

/**
 * Pixels of a frame's components, all of one size: gray, RGB or YCbCr (JFIF 1.02, "Color spaces"), CMYK or YCCK (Adobe's TN 5116), whose
 * inks browsers take for inverted, whoever wrote them.
 */
export function toRgba(file: JpegFile, planes: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [first = new Uint8Array(), second = first, third = first, fourth] = planes;
  const { adobeTransform } = file.metadata;
  const isYcc = planes.length === 3 ? !isRgb(file) : planes.length === 4 && adobeTransform === 2;
  const pixels = new Uint8ClampedArray(first.length * 4).fill(255);
  for (let i = 0, at = 0; i < first.length; i++, at += 4) {
    let red = first[i] as number;
    let green = second[i] as number;
    let blue = third[i] as number;
    if (isYcc) {
      const [cb, cr] = [green - 128, blue - 128];
      blue = red + 1.772 * cb;
      green = red - 0.344136 * cb - 0.714136 * cr;
      red += 1.402 * cr;
    }
    if (fourth !== undefined) {
      const black = (fourth[i] as number) / 255;
      red = ink(red, isYcc) * black;
      green = ink(green, isYcc) * black;
      blue = ink(blue, isYcc) * black;
    }
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
  }
  return new Uint8Array(pixels.buffer);
}

/** YCCK is of the complements. */
function ink(sample: number, isYcc: boolean): number {
  return isYcc ? Math.max(0, Math.min(255, 255 - sample)) : sample;
}
