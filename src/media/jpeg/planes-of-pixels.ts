import type { Pixels } from "../webp/webp-engine.ts";
import type { SamplePlane } from "./encode-jpeg.ts";

/**
 * Converts opaque pixels to Y, Cb and Cr (JFIF 1.02, "Color spaces"). Cb and Cr have half the size: each sample is the mean of up to four
 * pixels.
 */
export function planesOfPixels({ data, width, height }: Pixels): SamplePlane[] {
  const half = { width: (width + 1) >> 1, height: (height + 1) >> 1 };
  const y = new Uint8Array(width * height);
  const cb = new Uint8Array(half.width * half.height);
  const cr = new Uint8Array(half.width * half.height);
  for (let i = 0, at = 0; i < y.length; i++, at += 4) {
    y[i] = (19595 * at0(data, at) + 38470 * at0(data, at + 1) + 7471 * at0(data, at + 2) + 32768) >> 16;
  }
  for (let row = 0, i = 0; row < half.height; row++) {
    const top = 8 * row * width;
    const bottom = 2 * row + 1 < height ? top + 4 * width : top;
    for (let column = 0; column < half.width; column++, i++) {
      const left = 8 * column;
      const right = 2 * column + 1 < width ? left + 4 : left;
      const sum = (channel: number) =>
        at0(data, top + left + channel) +
        at0(data, top + right + channel) +
        at0(data, bottom + left + channel) +
        at0(data, bottom + right + channel);
      const [red, green, blue] = [sum(0), sum(1), sum(2)];
      cb[i] = chroma(-11059 * red - 21709 * green + 32768 * blue);
      cr[i] = chroma(32768 * red - 27439 * green - 5329 * blue);
    }
  }
  return [
    { samples: y, width, height, h: 2, v: 2 },
    { samples: cb, ...half, h: 1, v: 1 },
    { samples: cr, ...half, h: 1, v: 1 },
  ];
}

function at0(data: Pixels["data"], at: number): number {
  return data[at] as number;
}

/** @param sum of four pixels, in fixed point with 16 bits */
function chroma(sum: number): number {
  return Math.min(255, 128 + Math.round(sum / 262_144));
}
