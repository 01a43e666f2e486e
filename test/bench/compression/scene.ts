import { seededRandom } from "./random.ts";
import { makeTexture, TILE_SIDE } from "./texture.ts";

/** The highest count of a sensor for a pixel: 12 bits. */
export const FULL_WELL = 4095;

/** Light on a sensor: one linear sample a pixel, under a red-green-green-blue mosaic. */
export interface Mosaic {
  readonly width: number;
  readonly height: number;
  readonly samples: Uint16Array;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** A thing in the picture, in front of the things painted before it. Lengths are pixels, light is 0 to 1. */
interface Thing {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly isRound: boolean;
  /** Pixels to the right for every pixel down. */
  readonly slant: number;
  readonly colour: Rgb;
  /** Change of its light from one side to the other. */
  readonly shade: number;
  readonly texture: Float32Array;
  readonly contrast: number;
}

/** The average number of times that a place below the horizon is painted over. */
const COVERS = 3;

/**
 * A landscape after the dead-leaves model: things of all sizes, more of the smaller, that hide each other, each with its own light and
 * texture. Its edges and its spectrum are natural pictures' at full resolution. Above is a sky.
 */
export function paintScene(width: number, height: number, seed: number): Mosaic {
  const random = seededRandom(seed);
  const textures = [
    makeTexture(seed + 1, { coarsestPeriod: 256, stretch: 1, smoothness: 0.4 }),
    makeTexture(seed + 2, { coarsestPeriod: 32, stretch: 1, smoothness: 0.2 }),
    makeTexture(seed + 3, { coarsestPeriod: 64, stretch: 8, smoothness: 0.3 }),
  ];
  const clouds = makeTexture(seed + 4, { coarsestPeriod: 256, stretch: 2, smoothness: 1 });
  const mosaic = { width, height, samples: new Uint16Array(width * height) };
  const horizon = height * (0.1 + 0.25 * random());
  paint(mosaic, {
    x: width / 2,
    y: height / 2,
    halfWidth: width,
    halfHeight: height,
    isRound: false,
    slant: 0,
    colour: [0.32, 0.45, 0.62],
    shade: 0.6,
    texture: clouds,
    contrast: 0.08,
  });
  const ground = width * (height - horizon);
  for (let painted = 0; painted < COVERS * ground; ) {
    const thing = pickThing({ width, height, horizon }, textures, random);
    painted += 3 * thing.halfWidth * thing.halfHeight;
    paint(mosaic, thing);
  }
  return mosaic;
}

function pickThing(
  { width, height, horizon }: { readonly width: number; readonly height: number; readonly horizon: number },
  textures: readonly Float32Array[],
  random: () => number,
): Thing {
  // Small things cover the same area as large ones: a probability that falls with the third power of the size.
  const smallest = 5 + width / 1500;
  const largest = height / 5;
  const size = smallest / Math.sqrt(1 - random() * (1 - (smallest / largest) ** 2));
  const aspect = 0.5 + 1.2 * random();
  const light = Math.min(0.9, 0.16 * Math.exp(1.6 * (random() + random() - 1)));
  const warmth = 0.5 * (random() - 0.5);
  const green = 0.35 * (random() - 0.4);
  return {
    x: random() * width,
    y: horizon + random() * (height - horizon),
    halfWidth: size * aspect,
    halfHeight: size / aspect,
    isRound: random() < 0.6,
    slant: random() < 0.5 ? 0 : 2 * random() - 1,
    colour: [light * (1 + warmth), light * (1 + green), light * (1 - warmth)],
    shade: 0.8 * (random() - 0.5),
    texture: textures[Math.floor(random() * textures.length)] as Float32Array,
    // More surfaces are nearly plain than busy.
    contrast: 0.05 + 0.75 * random() ** 2,
  };
}

function paint({ width, height, samples }: Mosaic, thing: Thing): void {
  const { x, y, halfWidth, halfHeight, isRound, slant, colour, shade, texture, contrast } = thing;
  const offset = Math.floor(x * 7 + y * 13);
  const scaled = colour.map((light) => light * FULL_WELL);
  const lastRow = Math.min(height - 1, Math.floor(y + halfHeight));
  for (let row = Math.max(0, Math.ceil(y - halfHeight)); row <= lastRow; row++) {
    const down = (row - y) / halfHeight;
    const half = isRound ? halfWidth * Math.sqrt(Math.max(0, 1 - down * down)) : halfWidth;
    const middle = x + slant * (row - y);
    const first = Math.max(0, Math.ceil(middle - half));
    const last = Math.min(width - 1, Math.floor(middle + half));
    const even = (row % 2 === 0 ? scaled[0] : scaled[1]) ?? 0;
    const odd = (row % 2 === 0 ? scaled[1] : scaled[2]) ?? 0;
    const textureRow = ((row + offset) & (TILE_SIDE - 1)) * TILE_SIDE;
    let light = 1 + shade * down * 0.5 + (shade * 0.5 * (first - middle)) / halfWidth;
    const slope = (shade * 0.5) / halfWidth;
    for (let column = first, at = row * width + first; column <= last; column++, at++, light += slope) {
      const own = 1 + contrast * (texture[textureRow + ((column + offset) & (TILE_SIDE - 1))] as number);
      const value = (column % 2 === 0 ? even : odd) * light * own;
      samples[at] = Math.max(0, Math.min(FULL_WELL, value));
    }
  }
}
