import { JpegDeclined } from "./jpeg-declined.ts";

/** Coefficients of which no scan has told anything yet. */
const UNKNOWN = 255;
/** Behind the last coefficient, in zigzag order, that is estimated where it is missing. */
const SMOOTHED_END = 10;

/**
 * The lowest bit that a picture's scans have brought so far, for each coefficient of each component: 0 at once in a
 * sequential picture, step by step in a progressive one (T.81, G.1.1.1). A scan must add to what is there, which also
 * bounds how often a coefficient is visited.
 */
export class ScanCoverage {
  readonly #lowestBits: readonly Uint8Array[];

  constructor(components: number) {
    this.#lowestBits = Array.from({ length: components }, () => new Uint8Array(64).fill(UNKNOWN));
  }

  /** @throws JpegDeclined for a scan that is out of order, or comes twice */
  add(component: number, { ss, se, ah, al }: { ss: number; se: number; ah: number; al: number }): void {
    const band = this.#lowestBits[component]?.subarray(ss, se + 1);
    const before = ah === 0 ? UNKNOWN : ah;
    if (band?.some((bit) => bit !== before)) throw new JpegDeclined("A scan is out of order");
    band?.fill(al);
  }

  /** Whether nothing is missing. */
  get isComplete(): boolean {
    return this.#lowestBits.every((bits) => bits.every((bit) => bit === 0));
  }

  /** Whether every component has its DC coefficients, if not with all of their bits. */
  get hasDc(): boolean {
    return this.#lowestBits.every(([dc]) => dc !== UNKNOWN);
  }

  /**
   * Whether decoders make something up for what is missing in a progressive picture: libjpeg-turbo smooths where bits of the first
   * AC coefficients did not come (jdcoefct.c, `smoothing_ok`). Stored as complete, such a picture would look different.
   */
  get isSmoothed(): boolean {
    return this.#lowestBits.some(
      (bits) => bits[0] === UNKNOWN || bits.subarray(1, SMOOTHED_END).some((bit) => bit !== 0),
    );
  }
}
