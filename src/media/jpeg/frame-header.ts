import { readFrameSegment } from "./frame-segment.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Component } from "./jpeg-file.ts";
import type { MarkerSegment } from "./marker-walk.ts";
import { SOF0, SOF1, SOF2 } from "./markers.ts";
import { ScanCoverage } from "./scan-coverage.ts";

/** Where libjpeg, and with it every viewer, stops. */
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
    /** What scans call it: the file's own number, which several components may have. */
    readonly scanId: number;
    readonly tableId: number;
    steps: Uint16Array | undefined;
  })[];
}

/**
 * SOF (B.2.2).
 * @throws JpegDeclined for a kind that is not decoded, and for what is damaged or too large
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
    // Some encoders give all components one number. The result has scans of single components, which need numbers of their own.
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
