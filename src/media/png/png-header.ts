import type { PngChunk } from "./png-chunks.ts";

/** IHDR (PNG, 11.2.1). */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colourType: number;
  readonly isInterlaced: boolean;
}

export const GRAY = 0;
export const RGB = 2;
export const INDEXED = 3;
export const GRAY_ALPHA = 4;
export const RGB_ALPHA = 6;

/** Samples of a pixel and their possible bits (PNG, 11.2.1, table 11.1). */
const COLOUR_TYPES = new Map([
  [GRAY, { samples: 1, bitDepths: [1, 2, 4, 8, 16] }],
  [RGB, { samples: 3, bitDepths: [8, 16] }],
  [INDEXED, { samples: 1, bitDepths: [1, 2, 4, 8] }],
  [GRAY_ALPHA, { samples: 2, bitDepths: [8, 16] }],
  [RGB_ALPHA, { samples: 4, bitDepths: [8, 16] }],
]);

/** Adam7 (PNG, 8.1): the start of each pass, and its steps. */
const ADAM7 = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];
const WHOLE = [{ x: 0, y: 0, dx: 1, dy: 1 }];

/** Undefined if the standard does not allow the header. */
export function readPngHeader(chunk: PngChunk | undefined): PngHeader | undefined {
  if (chunk?.type !== "IHDR" || chunk.data.length !== 13) return undefined;
  const view = new DataView(chunk.data.buffer, chunk.data.byteOffset, chunk.data.byteLength);
  const header = {
    width: view.getUint32(0),
    height: view.getUint32(4),
    bitDepth: view.getUint8(8),
    colourType: view.getUint8(9),
    isInterlaced: view.getUint8(12) === 1,
  };
  const isKnown =
    COLOUR_TYPES.get(header.colourType)?.bitDepths.includes(header.bitDepth) === true &&
    view.getUint16(10) === 0 &&
    view.getUint8(12) <= 1;
  return isKnown && header.width > 0 && header.height > 0 ? header : undefined;
}

export function headerData({ width, height, bitDepth, colourType, isInterlaced }: PngHeader): Uint8Array {
  const data = Uint8Array.of(...new Uint8Array(8), bitDepth, colourType, 0, 0, isInterlaced ? 1 : 0);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  return data;
}

export function samplesPerPixel({ colourType }: Pick<PngHeader, "colourType">): number {
  return COLOUR_TYPES.get(colourType)?.samples ?? 1;
}

/** Bytes from a pixel to the next, at least 1: the distance that filters look back (PNG, 9.2). */
export function bytesPerPixel(header: PngHeader): number {
  return Math.max(1, (samplesPerPixel(header) * header.bitDepth) >> 3);
}

/** A part of the picture whose rows are consecutive in the file. Pixels are `dx` apart, rows `dy`. */
export interface Pass {
  readonly left: number;
  readonly top: number;
  readonly dx: number;
  readonly dy: number;
  readonly columns: number;
  readonly rows: number;
}

/** Lists one pass, or up to seven of an interlaced picture. Empty passes are left out. */
export function listPasses({ width, height, isInterlaced }: PngHeader): Pass[] {
  return (isInterlaced ? ADAM7 : WHOLE)
    .map(({ x, y, dx, dy }) => ({
      left: x,
      top: y,
      dx,
      dy,
      columns: Math.ceil(Math.max(0, width - x) / dx),
      rows: Math.ceil(Math.max(0, height - y) / dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
}

/** Bytes of a row without its filter. */
export function rowBytesOf(header: Pick<PngHeader, "colourType" | "bitDepth">, columns: number): number {
  return Math.ceil((columns * samplesPerPixel(header) * header.bitDepth) / 8);
}

/** Bytes of the inflated picture, including a byte for each row's filter. */
export function rawBytes(header: PngHeader): number {
  return listPasses(header).reduce((sum, { columns, rows }) => sum + rows * (1 + rowBytesOf(header, columns)), 0);
}
