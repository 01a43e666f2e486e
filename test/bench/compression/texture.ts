import { seededRandom } from "./random.ts";

/** Side of a tile, a power of two; its edges fit together. */
export const TILE_SIDE = 512;

/** The finest detail, in pixels, that a lens resolves. */
const FINEST_PERIOD = 4;

export interface Grain {
  readonly coarsestPeriod: number;
  /** The factor by which periods are longer across than down: grass, wood, water. */
  readonly stretch: number;
  /** The share of fine detail in the contrast: 0 = every octave as strong, 1 = as strong as its period is long. */
  readonly smoothness: number;
}

/** Noise of several octaves, as natural surfaces have it: mean 0, most values between -1 and 1. */
export function makeTexture(seed: number, { coarsestPeriod, stretch, smoothness }: Grain): Float32Array {
  const random = seededRandom(seed);
  const tile = new Float32Array(TILE_SIDE * TILE_SIDE);
  for (let period = coarsestPeriod; period >= FINEST_PERIOD; period /= 2) {
    const strength = (period / coarsestPeriod) ** smoothness;
    addOctave(tile, { x: Math.min(period * stretch, TILE_SIDE), y: period }, strength, random);
  }
  const deviation = Math.sqrt(tile.reduce((sum, value) => sum + value * value, 0) / tile.length);
  return tile.map((value) => value / (2 * deviation));
}

/** Random values on a lattice, and smoothly between its points. */
function addOctave(
  tile: Float32Array,
  period: { readonly x: number; readonly y: number },
  strength: number,
  random: () => number,
): void {
  const columns = TILE_SIDE / period.x;
  const rows = TILE_SIDE / period.y;
  const lattice = Float32Array.from({ length: columns * rows }, () => (random() * 2 - 1) * strength);
  for (let y = 0; y < TILE_SIDE; y++) {
    const row = Math.floor(y / period.y);
    const upper = row * columns;
    const lower = ((row + 1) % rows) * columns;
    const down = smooth((y % period.y) / period.y);
    for (let x = 0; x < TILE_SIDE; x++) {
      const left = Math.floor(x / period.x);
      const right = (left + 1) % columns;
      const along = smooth((x % period.x) / period.x);
      const above = mix(lattice[upper + left] ?? 0, lattice[upper + right] ?? 0, along);
      const below = mix(lattice[lower + left] ?? 0, lattice[lower + right] ?? 0, along);
      tile[y * TILE_SIDE + x] = (tile[y * TILE_SIDE + x] ?? 0) + mix(above, below, down);
    }
  }
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}
