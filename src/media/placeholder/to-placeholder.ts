import { rgbaToThumbHash } from "thumbhash";
import type { Placeholder } from "../../domain/placeholder.ts";
import type { Pixels } from "../webp/webp-engine.ts";
import { dominantColor } from "./dominant-color.ts";

/** Makes the placeholder of an upright picture. @param pixels of the size of `placeholderSize` */
export function toPlaceholder(pixels: Pixels): Placeholder {
  const { data, width, height } = pixels;
  const hash = rgbaToThumbHash(width, height, data);
  return { thumbHash: btoa(String.fromCharCode(...hash)), dominantColor: dominantColor(pixels) };
}
