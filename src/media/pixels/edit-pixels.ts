import type { Pixels } from "../webp/webp-engine.ts";

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Cuts a rectangle out of a picture. */
export function cutPixels({ data, width }: Pixels, { left, top, ...size }: Place): Pixels {
  const part = new Uint8Array(4 * size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = 4 * ((top + y) * width + left);
    part.set(data.subarray(from, from + 4 * size.width), 4 * y * size.width);
  }
  return { data: part, ...size };
}

/** No colour, fully transparent. */
export const CLEAR: readonly number[] = [0, 0, 0, 0];

/** Places a picture on a canvas. Parts beyond its edge are cut off. @param colour of the canvas: red, green, blue, alpha */
export function onCanvas(picture: Pixels, { left, top, ...size }: Place, colour: readonly number[]): Pixels {
  if (picture.width === size.width && picture.height === size.height) return picture;
  const data = new Uint8Array(4 * size.width * size.height);
  if (colour !== CLEAR) for (let at = 0; at < data.length; at += 4) data.set(colour, at);
  const columns = Math.min(picture.width, size.width - left);
  for (let y = 0; y < Math.min(picture.height, size.height - top); y++) {
    const from = 4 * y * picture.width;
    data.set(picture.data.subarray(from, from + 4 * columns), 4 * ((top + y) * size.width + left));
  }
  return { data, ...size };
}

export function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** Puts a picture on a background of one colour, in place. */
export function flatten({ data }: Pixels, [red = 0, green = 0, blue = 0]: readonly number[]): void {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number;
    if (alpha === 255) continue;
    data[at] = mix(data[at] as number, red, alpha);
    data[at + 1] = mix(data[at + 1] as number, green, alpha);
    data[at + 2] = mix(data[at + 2] as number, blue, alpha);
    data[at + 3] = 255;
  }
}

function mix(colour: number, ground: number, alpha: number): number {
  return Math.round((colour * alpha + ground * (255 - alpha)) / 255);
}

/** Blurs like a Gaussian of this radius: three means in each direction. Colours are weighted by their alpha. @param sigma in pixels */
export function blurPixels({ data, width, height }: Pixels, sigma: number): Pixels {
  const radius = Math.max(1, Math.round(Math.sqrt(sigma * sigma + 1 / 4) - 1 / 2));
  let from = new Float32Array(data.length);
  let to = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number;
    from[at + 3] = alpha;
    for (let c = at; c < at + 3; c++) from[c] = ((data[c] as number) * alpha) / 255;
  }
  const turns = [...Array(3).fill("across"), ...Array(3).fill("down")];
  for (const turn of turns) {
    if (turn === "across")
      meanOfLines(from, to, { lines: height, lineStep: 4 * width, length: width, step: 4, radius });
    else meanOfLines(from, to, { lines: width, lineStep: 4, length: height, step: 4 * width, radius });
    [from, to] = [to, from];
  }
  const result = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = from[at + 3] as number;
    result[at + 3] = alpha;
    for (let c = at; c < at + 3; c++) result[c] = alpha > 0 ? ((from[c] as number) * 255) / alpha : 0;
  }
  return { data: new Uint8Array(result.buffer), width, height };
}

interface Lines {
  readonly lines: number;
  readonly lineStep: number;
  readonly length: number;
  readonly step: number;
  readonly radius: number;
}

/** Replaces each sample by the mean of its neighbours in its line. Beyond the edges, the outer samples are repeated. */
function meanOfLines(from: Float32Array, to: Float32Array, { lines, lineStep, length, step, radius }: Lines): void {
  const share = 1 / (2 * radius + 1);
  for (let line = 0; line < lines; line++) {
    for (let channel = 0; channel < 4; channel++) {
      const base = line * lineStep + channel;
      const sample = (i: number) => from[base + Math.min(length - 1, Math.max(0, i)) * step] as number;
      let sum = 0;
      for (let i = -radius; i <= radius; i++) sum += sample(i);
      for (let i = 0; i < length; i++) {
        to[base + i * step] = sum * share;
        sum += sample(i + radius + 1) - sample(i - radius);
      }
    }
  }
}
