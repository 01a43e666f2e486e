import { JpegDeclined } from "./jpeg-declined.ts";
import type { Component } from "./jpeg-file.ts";
import { type MarkerSegment, readFrameSegment, SOF0, SOF1, SOF2 } from "./markers.ts";

/** The limit of libjpeg, and so of all viewers. */
const MAX_SIDE = 65_500;

export interface Frame {
  readonly progressive: boolean;
  readonly coverage: ScanCoverage;
  readonly width: number;
  readonly height: number;
  readonly hMax: number;
  readonly vMax: number;
  readonly mcusPerLine: number;
  readonly mcuRows: number;
  readonly components: (Omit<Component, "steps"> & {
    /** The file's own number for the component. Several components may share it. */
    readonly scanId: number;
    readonly tableId: number;
    steps: Uint16Array | undefined;
  })[];
}

/**
 * Reads SOF (B.2.2).
 * @throws JpegDeclined for an unsupported kind, and for a damaged or too large frame
 */
export function readFrameHeader(bytes: Uint8Array, segment: MarkerSegment, maxPixels: number): Frame {
  const { marker } = segment;
  if (marker !== SOF0 && marker !== SOF1 && marker !== SOF2) throw new JpegDeclined("Not a Huffman-coded DCT frame");
  const frame = readFrameSegment(bytes, segment);
  if (frame === undefined) throw new JpegDeclined("The frame header is damaged");
  const { width, height, precision, components: factors } = frame;
  const count = factors.length;
  if (precision !== 8) throw new JpegDeclined("Not 8 bits a sample");
  if (width === 0 || height === 0 || count > 4 || factors.some(({ tableId }) => tableId > 3)) {
    throw new JpegDeclined("The frame header is damaged");
  }
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > maxPixels) throw new JpegDeclined("Too many pixels");
  const hMax = Math.max(...factors.map(({ h }) => h));
  const vMax = Math.max(...factors.map(({ v }) => v));
  if (factors.some(({ h, v }) => hMax % h !== 0 || vMax % v !== 0)) throw new JpegDeclined("Fractional sampling");
  const mcusPerLine = Math.ceil(width / (8 * hMax));
  const mcuRows = Math.ceil(height / (8 * vMax));
  const isNumbered = new Set(factors.map(({ id }) => id)).size === count;
  const components = factors.map((factor, i) => ({
    ...factor,
    // Some encoders give all components one number. The result has scans of single components, which need different numbers.
    id: isNumbered ? factor.id : i + 1,
    scanId: factor.id,
    blocksPerLine: Math.ceil(Math.ceil((width * factor.h) / hMax) / 8),
    blockLines: Math.ceil(Math.ceil((height * factor.v) / vMax) / 8),
    paddedBlocksPerLine: mcusPerLine * factor.h,
    steps: undefined,
  }));
  const coverage = new ScanCoverage(count);
  return {
    progressive: marker === SOF2,
    coverage,
    width,
    height,
    hMax,
    vMax,
    mcusPerLine,
    mcuRows,
    components,
  };
}

/** The value of a coefficient that no scan contained. */
const UNKNOWN = 255;
/** The end of the coefficients, in zigzag order, that decoders estimate if they are missing. */
const SMOOTHED_END = 10;

/**
 * The lowest bit that a picture's scans have contained, for each coefficient of each component: 0 at once in a sequential picture, step by
 * step in a progressive one (T.81, G.1.1.1). Each scan must add bits, which also bounds the visits to a coefficient.
 */
class ScanCoverage {
  readonly #lowestBits: readonly Uint8Array[];

  constructor(components: number) {
    this.#lowestBits = Array.from({ length: components }, () => new Uint8Array(64).fill(UNKNOWN));
  }

  /** @throws JpegDeclined for a scan that is out of order or repeated */
  add(component: number, { ss, se, ah, al }: { ss: number; se: number; ah: number; al: number }): void {
    const band = this.#lowestBits[component]?.subarray(ss, se + 1);
    const before = ah === 0 ? UNKNOWN : ah;
    if (band?.some((bit) => bit !== before)) throw new JpegDeclined("A scan is out of order");
    band?.fill(al);
  }

  /** Whether the picture is complete. */
  get isComplete(): boolean {
    return this.#lowestBits.every((bits) => bits.every((bit) => bit === 0));
  }

  /** Whether every component has its DC coefficients, even without all their bits. */
  get hasDc(): boolean {
    return this.#lowestBits.every(([dc]) => dc !== UNKNOWN);
  }

  /**
   * Whether decoders estimate missing data of a progressive picture: libjpeg-turbo smooths if bits of the first AC coefficients are missing
   * (jdcoefct.c, `smoothing_ok`). Stored as complete, such a picture would look different.
   */
  get isSmoothed(): boolean {
    return this.#lowestBits.some(
      (bits) => bits[0] === UNKNOWN || bits.subarray(1, SMOOTHED_END).some((bit) => bit !== 0),
    );
  }
}
