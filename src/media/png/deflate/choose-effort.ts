/** Effort for finding and weighing matches. */
export interface Effort {
  /** The number of earlier places with the same 6 bytes that are tried. */
  readonly near: number;
  /** The number of earlier places with the same 12 bytes that are tried. */
  readonly far: number;
  /** A match of at least this length is taken without weighing others; at most 258. */
  readonly nice: number;
  /** Whether symbols are counted more exactly, and the choice is repeated with the counts of the first choice. */
  readonly isThorough: boolean;
  /** Each segment of the data begins with its own costs. No match spans two segments. */
  readonly segmentBytes: number;
}

/** Approximate compressed share of a byte. */
const FLAT = 0.04;
const DENSE = 0.15;
const NOISY = 0.6;

/** Pictures of few colours repeat themselves, so trying many places pays. */
const FOR_FLAT_COLOURS: Effort = { near: 4, far: 64, nice: 192, isThorough: false, segmentBytes: 512 * 1024 };
const FOR_SCREENSHOTS: Effort = { near: 4, far: 80, nice: 64, isThorough: false, segmentBytes: 512 * 1024 };
/** Photographs have short matches. Their symbol frequencies are hard to guess and change soon. */
const FOR_PHOTOGRAPHS: Effort = { near: 32, far: 32, nice: 258, isThorough: true, segmentBytes: 128 * 1024 };
/** Photographs of 16 bits hardly have matches. */
const FOR_NOISE: Effort = { near: 4, far: 0, nice: 258, isThorough: false, segmentBytes: 128 * 1024 };

export const MAX_SEGMENT_BYTES = 512 * 1024;

/** @param share of a byte that remains after deflating, about */
export function chooseEffort(share: number): Effort {
  if (share < FLAT) return FOR_FLAT_COLOURS;
  if (share < DENSE) return FOR_SCREENSHOTS;
  return share < NOISY ? FOR_PHOTOGRAPHS : FOR_NOISE;
}
