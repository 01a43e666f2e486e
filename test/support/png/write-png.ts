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
  /** A pixel's samples; only as many bits of each as the depth has are written. */
  readonly pixel: (x: number, y: number) => readonly number[];
  readonly interlaced?: boolean;
  /** Between IHDR and the image data, and behind it. */
  readonly before?: readonly Chunk[];
  readonly after?: readonly Chunk[];
  /** Of deflate; 0 packs nothing, so there is something to be saved. */
  readonly level?: number;
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of exactly this form, unfiltered: encoders choose the form themselves. */
export function writePng(picture: PngPicture): Buffer {
  const data = deflateSync(imageData(picture), { level: picture.level ?? 0 });
  return pngFile([
    ["IHDR", header(picture)],
    ...(picture.before ?? []),
    ["IDAT", data],
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

/** PNG, 7.2: samples from the high bits down, every row begins with a byte of its own. */
function imageData({ width, height, colorType, bitDepth, pixel, interlaced = false }: PngPicture): Buffer {
  const rows = listPasses(width, height, interlaced).flatMap(({ columns, rows }) =>
    rows.map((y) => {
      const row = Buffer.alloc(1 + Math.ceil((columns.length * (SAMPLES[colorType] ?? 1) * bitDepth) / 8));
      let bit = 8;
      for (const x of columns) {
        for (const sample of pixel(x, y)) {
          if (bitDepth === 16) row.writeUInt16BE(sample & 0xffff, bit >> 3);
          else row[bit >> 3] = (row[bit >> 3] ?? 0) | ((sample & (2 ** bitDepth - 1)) << (8 - bitDepth - (bit & 7)));
          bit += bitDepth;
        }
      }
      return row;
    }),
  );
  return Buffer.concat(rows);
}
