import { deflateRawSync } from "node:zlib";
import type { Effort } from "./match-finder.ts";

const SAMPLE_BYTES = 1024 * 1024;
/** What zlib leaves at its fastest. */
const FLAT = 0.04;
const DENSE = 0.15;

/** Few colours repeat themselves so much that the best of many places counts. */
const FOR_FLAT_COLOURS: Effort = { near: 4, far: 64, isThorough: false };
const FOR_SCREENSHOTS: Effort = { near: 4, far: 16, isThorough: false };
/** Photographs have short matches, and how often each symbol comes is not guessed easily. */
const FOR_PHOTOGRAPHS: Effort = { near: 16, far: 16, isThorough: true };

/** How hard to look for matches, by how well a sample from the middle deflates. */
export function chooseEffort(data: Uint8Array): Effort {
  const from = Math.max(0, (data.length - SAMPLE_BYTES) >> 1);
  const sample = data.subarray(from, from + SAMPLE_BYTES);
  const share = deflateRawSync(sample, { level: 1 }).length / sample.length;
  if (share < FLAT) return FOR_FLAT_COLOURS;
  return share < DENSE ? FOR_SCREENSHOTS : FOR_PHOTOGRAPHS;
}
