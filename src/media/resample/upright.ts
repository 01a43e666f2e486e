import type { Pixels } from "../webp/webp-engine.ts";

/** Turns a picture by an Exif orientation (Exif 2.32, 4.6.4, Orientation): 1 is upright. */
export function upright(picture: Pixels, orientation: number): Pixels {
  const { data, width, height } = picture;
  if (orientation <= 1 || orientation > 8) return picture;
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const { samples, ...size } = uprightPlane({ samples: source, width, height }, orientation);
  return { data: new Uint8Array(samples.buffer), ...size };
}

/** A plane of samples, or of whole pixels. */
export interface Plane<Samples> {
  readonly samples: Samples;
  readonly width: number;
  readonly height: number;
}

/** Turns one plane. */
export function uprightPlane<Samples extends Uint8Array | Uint32Array>(
  { samples: source, width, height }: Plane<Samples>,
  orientation: number,
): Plane<Samples> {
  const isTurned = orientation >= 5;
  const turned = { width: isTurned ? height : width, height: isTurned ? width : height };
  const target = source.slice();
  // The sides at which the stored first row and first column are shown.
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
  return { samples: target as Samples, ...turned };
}
