import { allocateRow, beginRows, nextRow, READ, readNextOfPass } from "./source-rows";

/** The rows of a picture as red, green, blue and alpha of 8 bits each, for previews. */

const OPAQUE: u32 = 0xff000000;

let samples: i32 = 0;
let sampleBytes: i32 = 0;
let width: i32 = 0;
let target: usize = 0;
let hasKey: bool = false;
/** The samples of the transparent colour (PNG, 11.3.1.1), as in rows. */
let red: i32 = 0;
let green: i32 = 0;
let blue: i32 = 0;

/** Reads some rows of the first reading. @returns like `readNextOfPass` */
export function readPasses(rows: i32): i32 {
  for (let i = 0; i < rows; i++) {
    const status = readNextOfPass();
    if (status !== READ) return status;
  }
  return READ;
}

/** Begins the second reading. @param count samples of a pixel, 1 to 4 @param bytes of a sample, 1 or 2 */
export function beginRgba(pictureWidth: i32, count: i32, bytes: i32): void {
  samples = count;
  sampleBytes = bytes;
  width = pictureWidth;
  hasKey = false;
  target = allocateRow(width << 2);
  beginRows();
}

export function setRgbaKey(first: i32, second: i32, third: i32): void {
  hasKey = true;
  red = first;
  green = second;
  blue = third;
}

/** @returns the address of the next row; 0 if the source is damaged */
export function rgbaRow(): usize {
  const from = nextRow();
  if (from === 0 || (samples === 4 && sampleBytes === 1)) return from;
  const step = samples * sampleBytes;
  for (let x = 0, at = from; x < width; x++, at += step) store<u32>(target + (x << 2), pixelAt(at));
  return target;
}

function pixelAt(at: usize): u32 {
  const first = <u32>load<u8>(at);
  if (samples < 3) {
    const gray = first | (first << 8) | (first << 16);
    if (samples === 2) return gray | ((<u32>load<u8>(at + sampleBytes)) << 24);
    return hasKey && sampleAt(at) === red ? gray : gray | OPAQUE;
  }
  const second = <u32>load<u8>(at + sampleBytes);
  const third = <u32>load<u8>(at + 2 * sampleBytes);
  const colour = first | (second << 8) | (third << 16);
  if (samples === 4) return colour | ((<u32>load<u8>(at + 3 * sampleBytes)) << 24);
  return hasKey && isKey(at) ? colour : colour | OPAQUE;
}

function isKey(at: usize): bool {
  return sampleAt(at) === red && sampleAt(at + sampleBytes) === green && sampleAt(at + 2 * sampleBytes) === blue;
}

function sampleAt(at: usize): i32 {
  return sampleBytes === 1 ? <i32>load<u8>(at) : ((<i32>load<u8>(at)) << 8) | <i32>load<u8>(at + 1);
}
