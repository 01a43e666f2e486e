import { rgbaToThumbHash } from "thumbhash";
import type { Placeholder } from "../../domain/placeholder.ts";
import type { Pixels } from "../webp/webp-engine.ts";

/** Colours that agree in the upper bits of each channel count as one. */
const DROPPED_BITS = 4;

const KEPT_BITS = 8 - DROPPED_BITS;

const COLOURS = 1 << (3 * KEPT_BITS);

/** Makes the placeholder of an upright picture. @param pixels of the size of `placeholderSize` */
export function toPlaceholder(pixels: Pixels): Placeholder {
  const { data, width, height } = pixels;
  const hash = rgbaToThumbHash(width, height, data);
  return { thumbHash: btoa(String.fromCharCode(...hash)), dominantColor: dominantColor(pixels) };
}

/** The mean of the most frequent colour and its neighbours, `#rrggbb`. Alpha weighs; null if every pixel is transparent. */
function dominantColor({ data }: Pixels): string | null {
  const weights = new Float64Array(COLOURS);
  for (let at = 0; at < data.length; at += 4) {
    const colour = binAt(data, at);
    weights[colour] = (weights[colour] ?? 0) + (data[at + 3] ?? 0);
  }
  const most = weights.reduce((best, weight, colour) => (weight > (weights[best] ?? 0) ? colour : best), 0);
  const total = weights[most] ?? 0;
  if (total === 0) return null;
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (binAt(data, at) !== most) continue;
    for (const channel of sums.keys()) {
      sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0) * (data[at + 3] ?? 0);
    }
  }
  return `#${sums.map((sum) => toHex(sum / total)).join("")}`;
}

function binAt(data: Pixels["data"], at: number): number {
  const red = data[at] ?? 0;
  const green = data[at + 1] ?? 0;
  const blue = data[at + 2] ?? 0;
  return ((red >> DROPPED_BITS) << (2 * KEPT_BITS)) | ((green >> DROPPED_BITS) << KEPT_BITS) | (blue >> DROPPED_BITS);
}

function toHex(value: number): string {
  return Math.round(value).toString(16).padStart(2, "0");
}
