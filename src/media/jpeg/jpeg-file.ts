import type { ExifSize } from "../exif/exif-size.ts";
import type { Album } from "./album.ts";
import type { HuffmanDecoder } from "./huffman-decoder.ts";

/** A JPEG file's markers. Its entropy-coded data is not decoded yet. */
export interface JpegFile {
  readonly width: number;
  readonly height: number;
  readonly components: readonly Component[];
  /** Largest sampling factors (A.1.1). */
  readonly hMax: number;
  readonly vMax: number;
  readonly mcusPerLine: number;
  readonly mcuRows: number;
  readonly scans: readonly Scan[];
  readonly metadata: Metadata;
}

export interface Component {
  readonly id: number;
  readonly h: number;
  readonly v: number;
  /** Blocks with samples (A.2.3). */
  readonly blocksPerLine: number;
  readonly blockLines: number;
  /** Includes blocks that only fill up the last MCU (A.2.4). */
  readonly paddedBlocksPerLine: number;
  /** Quantisation steps in zigzag order, as they apply at the component's first scan (B.2.4.1). */
  readonly steps: Uint16Array;
}

export interface Scan {
  /** The scan's components, by their index in the frame. */
  readonly components: readonly ScanComponent[];
  readonly ss: number;
  readonly se: number;
  readonly ah: number;
  readonly al: number;
  readonly progressive: boolean;
  /** The interval in MCUs; 0 without restart markers. */
  readonly restartInterval: number;
  /** The range of the entropy-coded data. */
  readonly start: number;
  readonly end: number;
}

export interface ScanComponent {
  readonly index: number;
  readonly dc: HuffmanDecoder | undefined;
  readonly ac: HuffmanDecoder | undefined;
}

/** Metadata that must stay so that the picture looks the same. */
export interface Metadata {
  /** The gain map and the film after the picture; undefined if there are none. */
  readonly album: Album | undefined;
  /** JFIF's units and densities, 5 bytes. */
  readonly density: Uint8Array | undefined;
  /** APP2 segments of an ICC profile, in order, without marker and length. */
  readonly iccSegments: readonly Uint8Array[];
  /** 1 to 8 (Exif). */
  readonly orientation: number;
  /** Resolution and natural size from Exif. */
  readonly exifSize: ExifSize | undefined;
  /** The colour transform flag of Adobe's APP14. */
  readonly adobeTransform: number | undefined;
}
