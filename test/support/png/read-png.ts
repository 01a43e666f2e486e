import { crc32, inflateSync } from "node:zlib";
import { listPasses, SAMPLES } from "./passes.ts";
import { PNG_SIGNATURE, paeth } from "./write-png.ts";

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly colorType: number;
  readonly bitDepth: number;
  /** RGBA, 16 bits each, not premultiplied. No form of PNG has more bits, so nothing gets lost. */
  readonly pixels: Uint16Array;
  /** Every chunk of the file in its order, IDAT included. */
  readonly chunks: readonly { readonly type: string; readonly data: Buffer }[];
}

/**
 * Decodes a PNG exactly by the standard: no colour management, every bit kept.
 * @throws Error if a checksum is wrong or the file ends early
 */
export function readPng(file: Buffer): DecodedPng {
  const chunks = readChunks(file);
  const find = (type: string) => chunks.find((chunk) => chunk.type === type)?.data;
  const ihdr = find("IHDR");
  if (ihdr === undefined) throw new Error("No IHDR");
  const [width, height] = [ihdr.readUInt32BE(0), ihdr.readUInt32BE(4)];
  const [bitDepth = 0, colorType = 0, , , interlaced = 0] = ihdr.subarray(8);
  const data = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data)));
  const samples = SAMPLES[colorType] ?? 1;
  const toRgba = expander(colorType, bitDepth, find("PLTE"), find("tRNS"));
  const pixels = new Uint16Array(width * height * 4);
  let at = 0;
  for (const { columns, rows } of listPasses(width, height, interlaced === 1)) {
    const rowBytes = Math.ceil((columns.length * samples * bitDepth) / 8);
    let previous = Buffer.alloc(rowBytes);
    for (const y of rows) {
      const row = unfilter(data.subarray(at, at + 1 + rowBytes), previous, Math.max(1, (samples * bitDepth) >> 3));
      for (const [i, x] of columns.entries()) {
        const values = Array.from({ length: samples }, (_, sample) => sampleAt(row, i * samples + sample, bitDepth));
        pixels.set(toRgba(values), (y * width + x) * 4);
      }
      previous = row;
      at += 1 + rowBytes;
    }
  }
  return { width, height, colorType, bitDepth, pixels, chunks };
}

function readChunks(file: Buffer): { type: string; data: Buffer }[] {
  if (!file.subarray(0, 8).equals(PNG_SIGNATURE)) throw new Error("Not a PNG");
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; chunks.at(-1)?.type !== "IEND"; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) throw new Error("A checksum is wrong");
    chunks.push({ type: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

/** PNG, 9.2. */
function unfilter(line: Buffer, above: Buffer, step: number): Buffer {
  const row = Buffer.from(line.subarray(1));
  for (let i = 0; i < row.length; i++) {
    const [a, b, c] = [row[i - step] ?? 0, above[i] ?? 0, above[i - step] ?? 0];
    const predicted = [0, a, b, (a + b) >> 1, paeth(a, b, i < step ? 0 : c)][line[0] ?? 0] ?? 0;
    row[i] = (row[i] ?? 0) + predicted;
  }
  return row;
}

function sampleAt(row: Buffer, index: number, bitDepth: number): number {
  if (bitDepth === 16) return row.readUInt16BE(index * 2);
  const bit = index * bitDepth;
  return ((row[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1);
}

/** PNG, 12.5 and 13.12: samples scaled to 16 bits; a colour key is compared before that (11.3.1.1). */
function expander(colorType: number, bitDepth: number, palette?: Buffer, trns?: Buffer) {
  const scale = (value: number) => (value * 65535) / (2 ** bitDepth - 1);
  const key = trns === undefined ? [] : Array.from({ length: trns.length >> 1 }, (_, i) => trns.readUInt16BE(i * 2));
  const isKey = (values: number[]) => key.length > 0 && values.every((value, i) => value === key[i]);
  return (values: number[]): number[] => {
    const [first = 0, green = 0, blue = 0, alpha = 0] = values;
    const [scaled, scaledGreen, scaledBlue, scaledAlpha] = [scale(first), scale(green), scale(blue), scale(alpha)];
    switch (colorType) {
      case 0:
        return [scaled, scaled, scaled, isKey(values) ? 0 : 65535];
      case 2:
        return [scaled, scaledGreen, scaledBlue, isKey(values) ? 0 : 65535];
      case 3:
        if (palette === undefined || first * 3 >= palette.length) throw new Error("A colour is not in the palette");
        return [...[0, 1, 2].map((i) => (palette[first * 3 + i] ?? 0) * 257), (trns?.[first] ?? 255) * 257];
      case 4:
        return [scaled, scaled, scaled, scaledGreen];
      default:
        return [scaled, scaledGreen, scaledBlue, scaledAlpha];
    }
  };
}
