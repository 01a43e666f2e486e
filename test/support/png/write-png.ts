import { crc32, deflateSync } from "node:zlib";
import { listPasses, SAMPLES } from "./passes.ts";

/** Gray, RGB, palette, gray with alpha, RGB with alpha (PNG, 11.2.1). */
export type ColorType = 0 | 2 | 3 | 4 | 6;
export type Chunk = readonly [type: string, data: Uint8Array];

export interface PngPicture {
  readonly width: number;
  readonly height: number;
  readonly colorType: ColorType;
  readonly bitDepth: number;
  /** A pixel's samples. Of each sample, only as many bits as the depth are written. */
  readonly pixel: (x: number, y: number) => readonly number[];
  readonly interlaced?: boolean;
  /** Chunks between IHDR and the image data, and chunks after it. */
  readonly before?: readonly Chunk[];
  readonly after?: readonly Chunk[];
  /** The level of deflate. 0 compresses nothing, so that compression of the file saves bytes. */
  readonly level?: number;
  /** The filter of each row of a pass; unfiltered by default. */
  readonly filter?: (row: number) => number;
  /** The bytes of each IDAT; by default one IDAT has all. */
  readonly idatBytes?: number;
  /** The strategy of zlib. */
  readonly strategy?: number;
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG in exactly this form, because encoders choose the form themselves. */
export function writePng(picture: PngPicture): Buffer {
  const { level = 0, strategy = 0, idatBytes = Number.POSITIVE_INFINITY } = picture;
  const data = deflateSync(imageData(picture), { level, strategy });
  const pieces: Chunk[] = [];
  for (let at = 0; at < data.length; at += idatBytes) pieces.push(["IDAT", data.subarray(at, at + idatBytes)]);
  return pngFile([
    ["IHDR", header(picture)],
    ...(picture.before ?? []),
    ...pieces,
    ...(picture.after ?? []),
    ["IEND", Buffer.alloc(0)],
  ]);
}

export function pngFile(chunks: readonly Chunk[]): Buffer {
  return Buffer.concat([PNG_SIGNATURE, ...chunks.map(writeChunk)]);
}

export function header({
  width,
  height,
  bitDepth,
  colorType,
  interlaced = false,
}: Pick<PngPicture, "width" | "height" | "bitDepth" | "colorType" | "interlaced">): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([bitDepth, colorType, 0, 0, interlaced ? 1 : 0], 8);
  return data;
}

function writeChunk([type, data]: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** PNG, 7.2: samples from the high bits down; every row starts at a new byte. */
function imageData({ width, height, colorType, bitDepth, pixel, interlaced = false, filter }: PngPicture): Buffer {
  const samples = SAMPLES[colorType] ?? 1;
  const lines = listPasses(width, height, interlaced).flatMap(({ columns, rows }) => {
    let above = Buffer.alloc(Math.ceil((columns.length * samples * bitDepth) / 8));
    return rows.map((y, index) => {
      const row = Buffer.alloc(above.length);
      let bit = 0;
      for (const x of columns) {
        for (const sample of pixel(x, y)) {
          if (bitDepth === 16) row.writeUInt16BE(sample & 0xffff, bit >> 3);
          else row[bit >> 3] = (row[bit >> 3] ?? 0) | ((sample & (2 ** bitDepth - 1)) << (8 - bitDepth - (bit & 7)));
          bit += bitDepth;
        }
      }
      const line = filterRow(filter?.(index) ?? 0, row, above, Math.max(1, (samples * bitDepth) >> 3));
      above = row;
      return line;
    });
  });
  return Buffer.concat(lines);
}

/** PNG, 9.2. */
function filterRow(filter: number, row: Buffer, above: Buffer, step: number): Buffer {
  const line = Buffer.alloc(1 + row.length, filter);
  for (const [i, value] of row.entries()) {
    const [a, b, c] = [row[i - step] ?? 0, above[i] ?? 0, i < step ? 0 : (above[i - step] ?? 0)];
    const predicted = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
    line[1 + i] = value - predicted;
  }
  return line;
}

/** PNG, 9.4. */
export function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (toA <= toB && toA <= toC) return a;
  return toB <= toC ? b : c;
}
