import type { Pixels } from "../webp/webp-engine.ts";

/** Turns a picture as an orientation says (Exif 2.32, 4.6.4, Orientation): 1 is upright. */
export function upright(picture: Pixels, orientation: number): Pixels {
  const { data, width, height } = picture;
  if (orientation <= 1 || orientation > 8) return picture;
  const isTurned = orientation >= 5;
  const turned = { width: isTurned ? height : width, height: isTurned ? width : height };
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const target = new Uint32Array(width * height);
  // Where the first row and the first column of what is stored are shown.
  const isBottomUp = [3, 4, 7, 8].includes(orientation);
  const isRightToLeft = [2, 3, 6, 7].includes(orientation);
  let at = 0;
  for (let y = 0; y < turned.height; y++) {
    const shownY = isBottomUp ? turned.height - 1 - y : y;
    for (let x = 0; x < turned.width; x++) {
      const shownX = isRightToLeft ? turned.width - 1 - x : x;
      target[at++] = source[isTurned ? shownX * width + shownY : shownY * width + shownX] ?? 0;
    }
  }
  return { data: new Uint8Array(target.buffer), ...turned };
}
