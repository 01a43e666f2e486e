/** How hard to look for matches, and to weigh them. */
export interface Effort {
  /** How many earlier places are looked at, of those that begin with the same 6 bytes. */
  readonly near: number;
  /** Of those that begin with the same 12 bytes. */
  readonly far: number;
  /** Nothing else is looked for inside of matches that are at least as long, at most 258. */
  readonly nice: number;
  /** Whether what is chosen is chosen again by what that has shown. */
  readonly isThorough: boolean;
  /** Segments of the data have costs of their own to begin with; no match goes from one to the next. */
  readonly segmentBytes: number;
}

/** What is left of a byte, about. */
const FLAT = 0.04;
const DENSE = 0.15;

/** Few colours repeat themselves so much that the best of many places counts. */
const FOR_FLAT_COLOURS: Effort = { near: 4, far: 64, nice: 192, isThorough: false, segmentBytes: 512 * 1024 };
const FOR_SCREENSHOTS: Effort = { near: 2, far: 40, nice: 96, isThorough: false, segmentBytes: 512 * 1024 };
/** Photographs have short matches, and how often each symbol comes is not guessed easily, nor the same for long. */
const FOR_PHOTOGRAPHS: Effort = { near: 32, far: 32, nice: 258, isThorough: true, segmentBytes: 128 * 1024 };

export const MAX_SEGMENT_BYTES = 512 * 1024;

/** @param share of a byte that is left when it is deflated, about */
export function chooseEffort(share: number): Effort {
  if (share < FLAT) return FOR_FLAT_COLOURS;
  return share < DENSE ? FOR_SCREENSHOTS : FOR_PHOTOGRAPHS;
}
