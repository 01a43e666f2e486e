import type { Pixels } from "../webp/webp-engine.ts";

/** Levels of gray that count as different. */
const LEVELS = 64;
/** The edge is trimmed in at least this number of steps. */
const STEPS = 32;

/**
 * Finds the position of the window that shows most of a picture's content. It trims the picture strip by strip: of the two outer strips, it
 * removes the one whose gray levels have less entropy.
 */
export function busiestPart(
  picture: Pixels,
  { width, height }: { readonly width: number; readonly height: number },
): { readonly left: number; readonly top: number } {
  const gray = grayOf(picture);
  return {
    left: trim(picture.width, width, (from, to) =>
      entropy(gray, picture.width, { x: [from, to], y: [0, picture.height] }),
    ),
    top: trim(picture.height, height, (from, to) =>
      entropy(gray, picture.width, { x: [0, picture.width], y: [from, to] }),
    ),
  };
}

function trim(length: number, wanted: number, contentOf: (from: number, to: number) => number): number {
  const step = Math.max(1, Math.ceil((length - wanted) / STEPS));
  let [from, to] = [0, length];
  while (to - from > wanted) {
    const cut = Math.min(step, to - from - wanted);
    if (contentOf(from, from + cut) < contentOf(to - cut, to)) from += cut;
    else to -= cut;
  }
  return from;
}

function grayOf({ data }: Pixels): Uint8Array {
  const gray = new Uint8Array(data.length / 4);
  for (let i = 0, at = 0; i < gray.length; i++, at += 4) {
    gray[i] = (77 * (data[at] as number) + 150 * (data[at + 1] as number) + 29 * (data[at + 2] as number)) >> 10;
  }
  return gray;
}

interface Area {
  readonly x: readonly [from: number, to: number];
  readonly y: readonly [from: number, to: number];
}

/** Shannon's entropy of an area's levels, in bits a pixel. */
function entropy(gray: Uint8Array, width: number, { x, y }: Area): number {
  const counts = new Uint32Array(LEVELS);
  for (let row = y[0]; row < y[1]; row++) {
    for (let at = row * width + x[0]; at < row * width + x[1]; at++)
      counts[gray[at] as number] = (counts[gray[at] as number] as number) + 1;
  }
  const pixels = (x[1] - x[0]) * (y[1] - y[0]);
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / pixels) * Math.log2(count / pixels);
  return bits;
}
