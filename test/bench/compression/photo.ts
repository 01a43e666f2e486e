import { normal, seededRandom } from "./random.ts";
import { FULL_WELL, type Mosaic, paintScene } from "./scene.ts";

export interface Photo {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row, 16 bits each, as shown (not linear). */
  readonly rgb: Uint16Array;
}

/** The noise of a sample's light (its square is the variance), and the noise of reading, in counts of 4,095. */
const SHOT_NOISE = 2.5;
const READ_NOISE = 6;
const SHARPENING = 0.7;

/** A photo as a phone takes it: a scene, a noisy sensor under a colour mosaic, and the camera's processing of its samples. */
export function takePhoto(width: number, height: number, seed: number): Photo {
  const mosaic = paintScene(width, height, seed);
  addNoise(mosaic.samples, seed);
  return develop(mosaic);
}

/** Photons arrive at random: noise grows with the square root of the light. */
function addNoise(samples: Uint16Array, seed: number): void {
  const random = seededRandom(seed + 5);
  const normals = Float32Array.from({ length: 65_536 }, () => normal(random));
  const deviations = Float32Array.from({ length: FULL_WELL + 1 }, (_, light) =>
    Math.sqrt(SHOT_NOISE * light + READ_NOISE ** 2),
  );
  for (let at = 0; at < samples.length; at++) {
    const light = samples[at] as number;
    const noise = (deviations[light] as number) * (normals[Math.floor(random() * 65_536)] as number);
    samples[at] = Math.max(0, Math.min(FULL_WELL, light + noise + 0.5));
  }
}

/** Full luminance from the neighbourhood, sharpened; colour from a wider one, as cameras do to keep its noise down. */
function develop(mosaic: Mosaic): Photo {
  const { width, height } = mosaic;
  const luminance = blendLuminance(mosaic);
  const [redder, bluer] = averageColour(mosaic);
  const tones = toneCurve();
  const rgb = new Uint16Array(width * height * 3);
  const half = width >> 1;
  const lastPair = (height >> 1) - 1;
  for (let y = 0, to = 0; y < height; y++) {
    const above = Math.max(0, y - 1) * width;
    const below = Math.min(height - 1, y + 1) * width;
    const pair = (y >> 1) * half;
    const nextPair = Math.min(lastPair, Math.max(0, (y >> 1) + (y % 2 === 0 ? -1 : 1))) * half;
    for (let x = 0; x < width; x++, to += 3) {
      const at = y * width + x;
      const own = luminance[at] as number;
      const around =
        (luminance[above + x] as number) +
        (luminance[below + x] as number) +
        (luminance[x === 0 ? at : at - 1] as number) +
        (luminance[x === width - 1 ? at : at + 1] as number);
      const light = own + SHARPENING * (own - around / 4);
      const column = x >> 1;
      const nextColumn = Math.min(half - 1, Math.max(0, column + (x % 2 === 0 ? -1 : 1)));
      const red = between(redder, pair, nextPair, column, nextColumn);
      const blue = between(bluer, pair, nextPair, column, nextColumn);
      rgb[to] = tones[clamp(light + red)] as number;
      rgb[to + 1] = tones[clamp(light - (red + blue) / 2)] as number;
      rgb[to + 2] = tones[clamp(light + blue)] as number;
    }
  }
  return { width, height, rgb };
}

/** One part red, two parts green, one part blue, at any place of a pixel in the mosaic. */
function blendLuminance({ width, height, samples }: Mosaic): Float32Array {
  const luminance = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const above = (y === 0 ? 1 : y - 1) * width;
    const below = (y === height - 1 ? y - 1 : y + 1) * width;
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const left = x === 0 ? 1 : x - 1;
      const right = x === width - 1 ? x - 1 : x + 1;
      const corners =
        (samples[above + left] as number) +
        (samples[above + right] as number) +
        (samples[below + left] as number) +
        (samples[below + right] as number);
      const sides =
        (samples[above + x] as number) +
        (samples[below + x] as number) +
        (samples[y * width + left] as number) +
        (samples[y * width + right] as number);
      luminance[at] = (corners + 2 * sides + 4 * (samples[at] as number)) / 16;
    }
  }
  return luminance;
}

/** Red and blue less luminance, of each two by two pixels. */
function averageColour({ width, height, samples }: Mosaic): [Float32Array, Float32Array] {
  const half = width >> 1;
  const redder = new Float32Array(half * (height >> 1));
  const bluer = new Float32Array(redder.length);
  for (let at = 0; at < redder.length; at++) {
    const from = 2 * Math.floor(at / half) * width + 2 * (at % half);
    const red = samples[from] as number;
    const green = ((samples[from + 1] as number) + (samples[from + width] as number)) / 2;
    const blue = samples[from + width + 1] as number;
    const luminance = (red + 2 * green + blue) / 4;
    redder[at] = red - luminance;
    bluer[at] = blue - luminance;
  }
  return [blur(redder, half), blur(bluer, half)];
}

/** The mean of five by five. */
function blur(plane: Float32Array, width: number): Float32Array {
  const across = plane.map((_, at) => {
    const x = at % width;
    let sum = 0;
    for (let step = -2; step <= 2; step++) sum += plane[at - x + Math.min(width - 1, Math.max(0, x + step))] as number;
    return sum / 5;
  });
  const height = plane.length / width;
  return across.map((_, at) => {
    const y = Math.floor(at / width);
    let sum = 0;
    for (let step = -2; step <= 2; step++) {
      sum += across[(Math.min(height - 1, Math.max(0, y + step)) - y) * width + at] as number;
    }
    return sum / 5;
  });
}

/** A pixel's own value of four counts most. */
function between(plane: Float32Array, row: number, nextRow: number, column: number, nextColumn: number): number {
  const own = 3 * (plane[row + column] as number) + (plane[row + nextColumn] as number);
  const next = 3 * (plane[nextRow + column] as number) + (plane[nextRow + nextColumn] as number);
  return (3 * own + next) / 16;
}

function clamp(light: number): number {
  return light < 0 ? 0 : light > FULL_WELL ? FULL_WELL : light | 0;
}

/** sRGB's curve (IEC 61966-2-1), after a little more contrast. */
function toneCurve(): Uint16Array {
  return Uint16Array.from({ length: FULL_WELL + 1 }, (_, count) => {
    const light = count / FULL_WELL;
    const shown = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    const contrasted = shown * shown * (3 - 2 * shown);
    return Math.round(65_535 * (0.7 * shown + 0.3 * contrasted));
  });
}
