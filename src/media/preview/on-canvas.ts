import type { Pixels } from "../webp/webp-engine.ts";
import type { Size } from "./preview-size.ts";

/** A frame on the canvas that it need not cover: the rest of that is clear. */
export function onCanvas(
  picture: Pixels,
  { left, top }: { readonly left: number; readonly top: number },
  { width, height }: Size,
): Pixels {
  if (picture.width === width && picture.height === height) return picture;
  const data = new Uint8Array(4 * width * height);
  const columns = Math.min(picture.width, width - left);
  for (let y = 0; y < Math.min(picture.height, height - top); y++) {
    const from = 4 * y * picture.width;
    data.set(picture.data.subarray(from, from + 4 * columns), 4 * ((top + y) * width + left));
  }
  return { data, width, height };
}
