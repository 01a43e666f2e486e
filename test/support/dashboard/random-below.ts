import { seededRandom } from "../jpeg/seeded-random.ts";

/** Whole numbers from 0 up to, but not including, the argument: the same in every run. */
export function randomBelow(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}
