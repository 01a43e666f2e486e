import { parseJpeg } from "../../../src/media/jpeg/parse-jpeg.ts";
import { ScanCursor } from "./scan-cursor.ts";

/** All quantised coefficients of a picture, for tests that write it again in another arrangement. */
export interface CoefficientPicture {
  readonly width: number;
  readonly height: number;
  readonly mcusPerLine: number;
  readonly mcuRows: number;
  readonly components: readonly CoefficientPlane[];
}

export interface CoefficientPlane {
  readonly id: number;
  readonly h: number;
  readonly v: number;
  /** Blocks that hold samples, and blocks of whole MCUs. */
  readonly blocksPerLine: number;
  readonly blockLines: number;
  readonly paddedBlocksPerLine: number;
  /** In zigzag order. */
  readonly steps: Uint16Array;
  /** 64 coefficients a block in zigzag order; blocks that only fill up MCUs are included. */
  readonly coefficients: Int16Array;
}

const LIMITS = { maxPixels: 1e7, maxScans: 100, maxScanBlocks: 1e8 };

export function readCoefficients(jpeg: Uint8Array): CoefficientPicture {
  const file = parseJpeg(jpeg, LIMITS);
  const cursors = file.scans.map((scan) => new ScanCursor(jpeg, file, scan));
  const { width, height, mcusPerLine, mcuRows } = file;
  const components = file.components.map((component) => {
    const rowLength = component.paddedBlocksPerLine * component.v * 64;
    return { ...component, rowLength, coefficients: new Int16Array(rowLength * mcuRows) };
  });
  for (let mcuRow = 0; mcuRow < mcuRows; mcuRow++) {
    const row = components.map(({ coefficients, rowLength }) =>
      coefficients.subarray(mcuRow * rowLength, (mcuRow + 1) * rowLength),
    );
    for (const cursor of cursors) cursor.decodeRow(row, mcuRow);
  }
  return { width, height, mcusPerLine, mcuRows, components };
}
