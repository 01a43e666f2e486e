import { colourAt, placeOf } from "./analyse";

/** Makes rows smaller: it keeps some bytes of each pixel, or the palette index of its colour. */

const PICKED: i32 = 0;
const INDEXED: i32 = 1;

let mode: i32 = PICKED;
/** Bytes of a pixel in the source row. */
let pixelBytes: i32 = 0;
/** Bits of a pixel, if several pixels share a byte. */
let bits: i32 = 8;
/** The bytes of a pixel that stay: u8. */
const picks = memory.data(16, 16);
let pickCount: i32 = 0;
/** Palette index of each found colour: u8. */
const indices = memory.data(256, 16);

/** @param sourceBytes of a pixel @param count bytes that stay @param sampleBits below 8 only the upper bits of a single byte stay */
export function pickBytes(sourceBytes: i32, count: i32, sampleBits: i32): void {
  mode = PICKED;
  pixelBytes = sourceBytes;
  pickCount = count;
  bits = sampleBits;
}

export function picksAt(): usize {
  return picks;
}

export function useIndices(sourceBytes: i32, indexBits: i32): void {
  mode = INDEXED;
  pixelBytes = sourceBytes;
  pickCount = 1;
  bits = indexBits;
}

export function indicesAt(): usize {
  return indices;
}

/** @param target has room for at least a byte a pixel */
export function reduceRow(from: usize, target: usize, width: i32): void {
  if (mode === INDEXED) findIndices(from, target, width);
  else pick(from, target, width);
  if (bits < 8) pack(target, width);
}

function findIndices(from: usize, target: usize, width: i32): void {
  let last: u32 = 0;
  let index: u8 = 0;
  for (let i = 0; i < width; i++) {
    const colour = colourAt(from);
    if (i === 0 || colour !== last) {
      last = colour;
      index = load<u8>(indices + placeOf(colour));
    }
    store<u8>(target + i, index);
    from += pixelBytes;
  }
}

function pick(from: usize, target: usize, width: i32): void {
  if (pickCount === pixelBytes) {
    memory.copy(target, from, width * pixelBytes);
    return;
  }
  const end = target + width * pickCount;
  if (pixelBytes === 4 && pickCount === 3) {
    // The next pixel overwrites the fourth byte, and rows have spare bytes.
    for (; target < end; target += 3) {
      store<u32>(target, load<u32>(from));
      from += 4;
    }
    return;
  }
  while (target < end) {
    for (let i = 0; i < pickCount; i++) store<u8>(target++, load<u8>(from + load<u8>(picks + i)));
    from += pixelBytes;
  }
}

/** Packs several pixels into each byte in place, the first in the high bits (PNG, 7.2). Indices are in the low bits, grays in the high. */
function pack(target: usize, width: i32): void {
  const shift = mode === INDEXED ? 0 : 8 - bits;
  let packed: u32 = 0;
  let free = 8;
  let to = target;
  for (let i = 0; i < width; i++) {
    free -= bits;
    packed |= (<u32>load<u8>(target + i) >> shift) << free;
    if (free > 0) continue;
    store<u8>(to++, <u8>packed);
    packed = 0;
    free = 8;
  }
  if (free < 8) store<u8>(to, <u8>packed);
}
