import { CannotCompress } from "../cannot-compress.ts";

/** IHDR: PNG, third edition, 11.2.1. */
export interface PngHeader {
  width: number;
  height: number;
  bitDepth: number;
  colorType: number;
  interlaced: boolean;
}

export const INDEXED = 3;
export const RGBA = 6;

interface ColorType {
  channels: number;
  bitDepths: readonly number[];
}

const COLOR_TYPES: ReadonlyMap<number, ColorType> = new Map([
  [0, { channels: 1, bitDepths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, bitDepths: [8, 16] }],
  [INDEXED, { channels: 1, bitDepths: [1, 2, 4, 8] }],
  [4, { channels: 2, bitDepths: [8, 16] }],
  [RGBA, { channels: 4, bitDepths: [8, 16] }],
]);

/** Adam7 (PNG, third edition, section 8.1): where each pass starts, and its steps. */
const ADAM7 = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

/** @throws CannotCompress for a header that the standard does not allow */
export function parseHeader(data: Buffer): PngHeader {
  if (data.length !== 13) throw new CannotCompress("damaged IHDR chunk");
  const header = {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    bitDepth: data.readUInt8(8),
    colorType: data.readUInt8(9),
    interlaced: data.readUInt8(12) === 1,
  };
  const isKnown =
    COLOR_TYPES.get(header.colorType)?.bitDepths.includes(header.bitDepth) === true &&
    data.readUInt16BE(10) === 0 &&
    data.readUInt8(12) <= 1;
  if (!isKnown || header.width === 0 || header.height === 0) throw new CannotCompress("damaged IHDR chunk");
  return header;
}

export function writeHeader(header: PngHeader): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(header.width, 0);
  data.writeUInt32BE(header.height, 4);
  data.writeUInt8(header.bitDepth, 8);
  data.writeUInt8(header.colorType, 9);
  data.writeUInt8(header.interlaced ? 1 : 0, 12);
  return data;
}

export function bitsPerPixel(header: PngHeader): number {
  return header.bitDepth * (COLOR_TYPES.get(header.colorType)?.channels ?? 1);
}

/** The reduced images whose rows follow one another in the image data: one, or up to seven when interlaced. */
export function listPasses(header: PngHeader): { rowBytes: number; rows: number }[] {
  const bits = bitsPerPixel(header);
  const steps = header.interlaced ? ADAM7 : [{ x: 0, y: 0, dx: 1, dy: 1 }];
  return steps
    .map(({ x, y, dx, dy }) => ({
      columns: Math.ceil(Math.max(0, header.width - x) / dx),
      rows: Math.ceil(Math.max(0, header.height - y) / dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
    .map(({ columns, rows }) => ({ rowBytes: Math.ceil((columns * bits) / 8), rows }));
}
