import { allocate } from "./heap";
import { readSource } from "./host";

/**
 * Decodes a GIF's pixels on demand (GIF89a, 22 and appendix F), starting at the byte with the code length. Sub-blocks (15) are read in
 * place. A reader's whole state is in one piece of memory, so a copy continues from the same place.
 */

const MAX_CODES: i32 = 4096;
const MAX_CODE_BITS: i32 = 12;
const IN_BYTES: i32 = 4096;
/** Room for the longest string after the pixels that wait to be read. */
const OUT_BYTES: i32 = 2 * MAX_CODES;

@unmanaged
class LzwReader {
  isOver: i32;
  literalBits: i32;
  codeBits: i32;
  next: i32;
  /** -1 after a clear code. */
  previous: i32;
  bits: u32;
  bitCount: i32;
  blockLeft: i32;
  inAt: i32;
  inEnd: i32;
  sourceAt: i32;
  outAt: i32;
  outFrom: i32;
}

const PREFIXES: usize = 64;
const LENGTHS: usize = PREFIXES + 2 * MAX_CODES;
const FIRSTS: usize = LENGTHS + 2 * MAX_CODES;
const LASTS: usize = FIRSTS + MAX_CODES;
const INPUT: usize = LASTS + MAX_CODES;
const OUTPUT: usize = INPUT + IN_BYTES;
const READER_BYTES: usize = OUTPUT + OUT_BYTES;

export function newLzwReader(): usize {
  const at = allocate(READER_BYTES);
  memory.fill(at, 0, PREFIXES);
  const reader = changetype<LzwReader>(at);
  const literalBits = nextByte(at);
  reader.literalBits = literalBits;
  if (literalBits < 2 || literalBits > 8) {
    reader.isOver = 1;
    return at;
  }
  for (let code = 0; code < 1 << literalBits; code++) {
    store<u16>(at + LENGTHS + (code << 1), 1);
    store<u8>(at + FIRSTS + code, <u8>code);
    store<u8>(at + LASTS + code, <u8>code);
  }
  clear(reader);
  return at;
}

export function copyLzwReader(from: usize): usize {
  const at = allocate(READER_BYTES);
  memory.copy(at, from, READER_BYTES);
  return at;
}

/** Decodes the next pixels. @returns their number: fewer if the data ends or is damaged */
export function unpackLzw(at: usize, target: usize, pixels: i32): i32 {
  const reader = changetype<LzwReader>(at);
  let left = pixels;
  while (left > 0) {
    const size = min(left, reader.outAt - reader.outFrom);
    memory.copy(target, at + OUTPUT + reader.outFrom, size);
    reader.outFrom += size;
    target += size;
    left -= size;
    if (left === 0) break;
    reader.outAt = 0;
    reader.outFrom = 0;
    while (!reader.isOver && reader.outAt <= OUT_BYTES - MAX_CODES) unpackCode(at);
    if (reader.outAt === 0) break;
  }
  return pixels - left;
}

function clear(reader: LzwReader): void {
  reader.next = (1 << reader.literalBits) + 2;
  reader.codeBits = reader.literalBits + 1;
  reader.previous = -1;
}

function unpackCode(at: usize): void {
  const reader = changetype<LzwReader>(at);
  const code = nextCode(at);
  const clearCode = 1 << reader.literalBits;
  if (code === clearCode) {
    clear(reader);
    return;
  }
  const previous = reader.previous;
  // The end code, the end of the data, or a code that is not defined yet.
  if (code < 0 || code === clearCode + 1 || code > reader.next || (previous < 0 && code > clearCode)) {
    reader.isOver = 1;
    return;
  }
  if (previous >= 0 && reader.next < MAX_CODES) {
    const next = reader.next;
    store<u16>(at + PREFIXES + (next << 1), <u16>previous);
    store<u16>(at + LENGTHS + (next << 1), load<u16>(at + LENGTHS + (previous << 1)) + 1);
    store<u8>(at + FIRSTS + next, load<u8>(at + FIRSTS + previous));
    store<u8>(at + LASTS + next, load<u8>(at + FIRSTS + (code === next ? previous : code)));
    reader.next = next + 1;
    if (reader.next === 1 << reader.codeBits && reader.codeBits < MAX_CODE_BITS) reader.codeBits += 1;
  }
  reader.previous = code;
  const length = <i32>load<u16>(at + LENGTHS + (code << 1));
  const out = at + OUTPUT + reader.outAt;
  let part = code;
  for (let place = length - 1; place >= 0; place--) {
    store<u8>(out + place, load<u8>(at + LASTS + part));
    part = load<u16>(at + PREFIXES + (part << 1));
  }
  reader.outAt += length;
}

/** -1 at the end of the data. */
function nextCode(at: usize): i32 {
  const reader = changetype<LzwReader>(at);
  while (reader.bitCount < reader.codeBits) {
    if (reader.blockLeft === 0) {
      reader.blockLeft = nextByte(at);
      if (reader.blockLeft <= 0) return -1;
    }
    const byte = nextByte(at);
    if (byte < 0) return -1;
    reader.blockLeft -= 1;
    reader.bits |= byte << reader.bitCount;
    reader.bitCount += 8;
  }
  const code = reader.bits & ((1 << reader.codeBits) - 1);
  reader.bits >>= reader.codeBits;
  reader.bitCount -= reader.codeBits;
  return code;
}

/** -1 at the end of the source. */
function nextByte(at: usize): i32 {
  const reader = changetype<LzwReader>(at);
  if (reader.inAt === reader.inEnd) {
    reader.inEnd = readSource(reader.sourceAt, at + INPUT, IN_BYTES);
    reader.sourceAt += reader.inEnd;
    reader.inAt = 0;
    if (reader.inEnd === 0) return -1;
  }
  return load<u8>(at + INPUT + reader.inAt++);
}
