import { addToChecksum, EMPTY_CHECKSUM } from "./checksum";
import { allocate } from "./heap";
import { readSource } from "./host";
import {
  buildTable,
  codeLengthOrder,
  DISTANCE_BITS,
  DISTANCES,
  END,
  LENGTH,
  LENGTHS_OF_CODES,
  LITERAL_BITS,
  LITERALS,
  SLOW_BYTES,
  slowEntry,
} from "./inflate-tables";

/**
 * Inflates on demand (RFC 1950, 1951). A reader's whole state is in one piece of memory, so a copy continues from the same place. The
 * passes of an interlaced picture are read in parallel by such copies.
 */

const WINDOW_BYTES: i32 = 32 * 1024;
const OUT_BYTES: i32 = 2 * WINDOW_BYTES;
/** Output beyond the wanted end: the longest match, copied 16 bytes at a time. */
const OUT_SPARE_BYTES: i32 = 258 + 32;
const IN_BYTES: i32 = 16 * 1024;
/** Bits are loaded as words, which reach beyond the end of the data. The bytes there are zeros. */
const IN_SPARE_BYTES: i32 = 16;
/** The longest header of a block: 3 + 14 + 19 * 3 bits, then 316 lengths of at most 14 bits. */
const HEADER_ROOM_BYTES: i32 = 640;

const BLOCK_HEADER: i32 = 0;
const STORED: i32 = 1;
const SYMBOLS: i32 = 2;
const OVER: i32 = 3;
const DAMAGED: i32 = 4;

@unmanaged
class Inflater {
  state: i32;
  isLastBlock: i32;
  storedLeft: i32;
  bits: u64;
  bitCount: i32;
  /** Offsets in `input`. */
  inAt: i32;
  inEnd: i32;
  isInputOver: i32;
  /** Bytes that were read from the source. */
  sourceAt: i32;
  /** Offsets in `output`; bytes before `outFrom` were returned. */
  outAt: i32;
  outFrom: i32;
  /** Start of the history in `output`. */
  outFirst: i32;
  /** Adler-32 of the inflated bytes. */
  checksum: u32;
}

const FIELDS_BYTES: usize = 128;
const LITERAL_TABLE: usize = FIELDS_BYTES;
const LITERAL_SLOW: usize = LITERAL_TABLE + (4 << LITERAL_BITS);
const DISTANCE_TABLE: usize = LITERAL_SLOW + SLOW_BYTES;
const DISTANCE_SLOW: usize = DISTANCE_TABLE + (4 << DISTANCE_BITS);
const INPUT: usize = DISTANCE_SLOW + SLOW_BYTES;
const OUTPUT: usize = INPUT + IN_BYTES + IN_SPARE_BYTES;
const INFLATER_BYTES: usize = OUTPUT + OUT_BYTES + OUT_SPARE_BYTES;

const codeLengths = memory.data(320, 16);

/** A reader of the host's source from its first byte. @returns its address */
export function newInflater(): usize {
  const at = allocate(INFLATER_BYTES);
  memory.fill(at, 0, FIELDS_BYTES);
  const inflater = changetype<Inflater>(at);
  inflater.checksum = EMPTY_CHECKSUM;
  fill(at);
  const cmf = takeBits(at, 8);
  const flags = takeBits(at, 8);
  // RFC 1950, 2.2: deflate, a window of at most 32 KB, no preset dictionary.
  const isKnown = (cmf & 15) === 8 && cmf >> 4 <= 7 && ((cmf << 8) | flags) % 31 === 0 && (flags & 0x20) === 0;
  if (!isKnown) inflater.state = DAMAGED;
  return at;
}

export function copyInflater(from: usize): usize {
  const at = allocate(INFLATER_BYTES);
  memory.copy(at, from, INFLATER_BYTES);
  return at;
}

/** Inflates the next bytes. @returns their number: fewer if the stream ends or is damaged */
export function inflate(at: usize, target: usize, bytes: i32): i32 {
  const inflater = changetype<Inflater>(at);
  let left = bytes;
  while (left > 0) {
    if (inflater.outFrom === inflater.outAt) {
      if (inflater.state >= OVER) break;
      unpackMore(at);
      continue;
    }
    const size = min(left, inflater.outAt - inflater.outFrom);
    memory.copy(target, at + OUTPUT + inflater.outFrom, size);
    inflater.outFrom += size;
    target += size;
    left -= size;
  }
  return bytes - left;
}

/** Whether the stream ends here with the right checksum. */
export function endsSoundly(at: usize): bool {
  const inflater = changetype<Inflater>(at);
  while (inflater.state < OVER && inflater.outFrom === inflater.outAt) unpackMore(at);
  if (inflater.state !== OVER || inflater.outFrom !== inflater.outAt) return false;
  fill(at);
  takeBits(at, inflater.bitCount & 7);
  let checksum: u32 = 0;
  for (let i = 0; i < 4; i++) checksum = (checksum << 8) | takeBits(at, 8);
  return !isOverrun(at) && checksum === inflater.checksum;
}

/** Loads input for a block's header or some symbols, as far as there is any. */
function fill(at: usize): void {
  const inflater = changetype<Inflater>(at);
  if (inflater.isInputOver || inflater.inEnd - inflater.inAt >= HEADER_ROOM_BYTES) return;
  const input = at + INPUT;
  const left = inflater.inEnd - inflater.inAt;
  memory.copy(input, input + inflater.inAt, left);
  inflater.inAt = 0;
  const taken = readSource(inflater.sourceAt, input + left, IN_BYTES - left);
  inflater.sourceAt += taken;
  inflater.inEnd = left + taken;
  inflater.isInputOver = taken < IN_BYTES - left ? 1 : 0;
  memory.fill(input + inflater.inEnd, 0, IN_SPARE_BYTES);
}

/** Whether more bits were taken than exist. */
function isOverrun(at: usize): bool {
  const inflater = changetype<Inflater>(at);
  return inflater.inAt - (inflater.bitCount >> 3) > inflater.inEnd;
}

/** Loads bytes until there are `count` bits; after the end they are zeros. @param count below 32 */
function needBits(at: usize, count: i32): void {
  const inflater = changetype<Inflater>(at);
  while (inflater.bitCount < count) {
    const byte = inflater.inAt < inflater.inEnd ? <u64>load<u8>(at + INPUT + inflater.inAt) : 0;
    inflater.bits |= byte << inflater.bitCount;
    inflater.inAt += 1;
    inflater.bitCount += 8;
  }
}

function dropBits(at: usize, count: i32): void {
  const inflater = changetype<Inflater>(at);
  inflater.bits >>= count;
  inflater.bitCount -= count;
}

/** @param count below 32 */
function takeBits(at: usize, count: i32): u32 {
  needBits(at, count);
  const value = <u32>(changetype<Inflater>(at).bits & (((<u64>1) << count) - 1));
  dropBits(at, count);
  return value;
}

function unpackMore(at: usize): void {
  const inflater = changetype<Inflater>(at);
  const output = at + OUTPUT;
  if (inflater.outAt >= OUT_BYTES) {
    memory.copy(output, output + inflater.outAt - WINDOW_BYTES, WINDOW_BYTES);
    inflater.outAt = WINDOW_BYTES;
    inflater.outFrom = WINDOW_BYTES;
    inflater.outFirst = 0;
  }
  fill(at);
  if (inflater.state === BLOCK_HEADER) beginBlock(at);
  else if (inflater.state === STORED) copyStored(at);
  else unpackSymbols(at);
  if (isOverrun(at)) inflater.state = DAMAGED;
  if (inflater.state === DAMAGED) inflater.outAt = inflater.outFrom;
  inflater.checksum = addToChecksum(inflater.checksum, output + inflater.outFrom, output + inflater.outAt);
}

function endBlock(inflater: Inflater): void {
  inflater.state = inflater.isLastBlock ? OVER : BLOCK_HEADER;
}

function beginBlock(at: usize): void {
  const inflater = changetype<Inflater>(at);
  inflater.isLastBlock = takeBits(at, 1);
  const type = takeBits(at, 2);
  if (type === 0) {
    takeBits(at, inflater.bitCount & 7);
    const size = takeBits(at, 16);
    const complement = takeBits(at, 16);
    // Gives back the bytes that were loaded ahead.
    inflater.inAt -= inflater.bitCount >> 3;
    inflater.bits = 0;
    inflater.bitCount = 0;
    inflater.storedLeft = size;
    inflater.state = size === (complement ^ 0xffff) ? STORED : DAMAGED;
  } else if (type === 1) {
    memory.fill(codeLengths, 8, 144);
    memory.fill(codeLengths + 144, 9, 112);
    memory.fill(codeLengths + 256, 7, 24);
    memory.fill(codeLengths + 280, 8, 8);
    memory.fill(codeLengths + 288, 5, 30);
    // Two unused codes of 5 bits each complete the code.
    memory.fill(codeLengths + 318, 5, 2);
    buildTable(codeLengths, 288, at + LITERAL_TABLE, at + LITERAL_SLOW, LITERALS);
    buildTable(codeLengths + 288, 32, at + DISTANCE_TABLE, at + DISTANCE_SLOW, DISTANCES);
    inflater.state = SYMBOLS;
  } else {
    inflater.state = type === 2 && readCodes(at) ? SYMBOLS : DAMAGED;
  }
}

/** RFC 1951, 3.2.7. The previous block's tables are overwritten. */
function readCodes(at: usize): bool {
  const literals = <i32>takeBits(at, 5) + 257;
  const distances = <i32>takeBits(at, 5) + 1;
  const sizes = <i32>takeBits(at, 4) + 4;
  if (literals > 286 || distances > 30) return false;
  memory.fill(codeLengths, 0, 19);
  for (let i = 0; i < sizes; i++) store<u8>(codeLengths + codeLengthOrder(i), <u8>takeBits(at, 3));
  if (!buildTable(codeLengths, 19, at + DISTANCE_TABLE, at + DISTANCE_SLOW, LENGTHS_OF_CODES)) return false;
  const total = literals + distances;
  for (let filled = 0; filled < total; ) {
    const symbol = nextOfLengths(at);
    if (symbol < 16) {
      if (symbol < 0) return false;
      store<u8>(codeLengths + filled++, <u8>symbol);
      continue;
    }
    if (symbol === 16 && filled === 0) return false;
    const repeated = symbol === 16 ? load<u8>(codeLengths + filled - 1) : 0;
    const times = <i32>(
      (symbol === 16 ? 3 + takeBits(at, 2) : symbol === 17 ? 3 + takeBits(at, 3) : 11 + takeBits(at, 7))
    );
    if (filled + times > total) return false;
    memory.fill(codeLengths + filled, repeated, times);
    filled += times;
  }
  // A block without an end symbol would never end.
  if (load<u8>(codeLengths + 256) === 0) return false;
  if (!buildTable(codeLengths + literals, distances, at + DISTANCE_TABLE, at + DISTANCE_SLOW, DISTANCES)) return false;
  return buildTable(codeLengths, literals, at + LITERAL_TABLE, at + LITERAL_SLOW, LITERALS);
}

/**
 * Reads a symbol of the code for the lengths of the other two codes. It has at most 7 bits, so it is in the table. Returns -1 if there is
 * none.
 */
function nextOfLengths(at: usize): i32 {
  needBits(at, 7);
  const entry = load<u32>(at + DISTANCE_TABLE + slotOf(changetype<Inflater>(at).bits, DISTANCE_BITS));
  dropBits(at, entry & 31);
  return (entry & 31) === 0 ? -1 : <i32>(entry >> 16);
}

function slotOf(bits: u64, count: i32): usize {
  return (<usize>(bits & ((1 << count) - 1))) << 2;
}

function copyStored(at: usize): void {
  const inflater = changetype<Inflater>(at);
  const size = min(min(inflater.storedLeft, inflater.inEnd - inflater.inAt), OUT_BYTES - inflater.outAt);
  if (size === 0 && inflater.storedLeft > 0) {
    if (inflater.outAt < OUT_BYTES) inflater.state = DAMAGED;
    return;
  }
  memory.copy(at + OUTPUT + inflater.outAt, at + INPUT + inflater.inAt, size);
  inflater.inAt += size;
  inflater.outAt += size;
  inflater.storedLeft -= size;
  if (inflater.storedLeft === 0) endBlock(inflater);
}

function unpackSymbols(at: usize): void {
  const inflater = changetype<Inflater>(at);
  const input = at + INPUT;
  const literalTable = at + LITERAL_TABLE;
  const distanceTable = at + DISTANCE_TABLE;
  const first = at + OUTPUT + inflater.outFirst;
  const end = at + OUTPUT + OUT_BYTES;
  // Loads a word at a time. After the source's end there are spare zeros; a stream that uses them is damaged.
  const inLimit = input + inflater.inEnd + (inflater.isInputOver ? 8 : -8);
  let out = at + OUTPUT + inflater.outAt;
  let from = input + inflater.inAt;
  let bits = inflater.bits;
  let bitCount = inflater.bitCount;
  while (out < end && from <= inLimit) {
    bits |= load<u64>(from) << bitCount;
    from += (63 - bitCount) >> 3;
    bitCount |= 56;
    let entry = load<u32>(literalTable + slotOf(bits, LITERAL_BITS));
    if ((entry & 31) === 0) entry = slowEntry(at + LITERAL_SLOW, <u32>bits, LITERALS);
    let size = <i32>(entry & 31);
    bits >>= size;
    bitCount -= size;
    if ((entry & (LENGTH | END)) === 0) {
      if (size === 0) {
        inflater.state = DAMAGED;
        break;
      }
      store<u8>(out, <u8>(entry >> 16));
      out += 1;
      // The loaded bits suffice for a second literal with a short code.
      entry = load<u32>(literalTable + slotOf(bits, LITERAL_BITS));
      size = <i32>(entry & 31);
      if (size === 0 || (entry & (LENGTH | END)) !== 0) continue;
      bits >>= size;
      bitCount -= size;
      store<u8>(out, <u8>(entry >> 16));
      out += 1;
      continue;
    }
    if ((entry & END) !== 0) {
      endBlock(inflater);
      break;
    }
    const lengthExtra = <i32>((entry >> 5) & 31);
    const length = <i32>(entry >> 16) + <i32>(bits & (((<u64>1) << lengthExtra) - 1));
    bits >>= lengthExtra;
    bitCount -= lengthExtra;
    entry = load<u32>(distanceTable + slotOf(bits, DISTANCE_BITS));
    if ((entry & 31) === 0) entry = slowEntry(at + DISTANCE_SLOW, <u32>bits, DISTANCES);
    size = <i32>(entry & 31);
    bits >>= size;
    bitCount -= size;
    const distanceExtra = <i32>((entry >> 5) & 31);
    const distance = <usize>(entry >> 16) + <usize>(bits & (((<u64>1) << distanceExtra) - 1));
    bits >>= distanceExtra;
    bitCount -= distanceExtra;
    if (size === 0 || distance > out - first) {
      inflater.state = DAMAGED;
      break;
    }
    copyMatch(out, distance, length);
    out += length;
  }
  inflater.outAt = <i32>(out - at - OUTPUT);
  inflater.inAt = <i32>(from - input);
  // The bits above the count were loaded ahead and will be loaded again.
  inflater.bits = bits & (((<u64>1) << bitCount) - 1);
  inflater.bitCount = bitCount;
}

function copyMatch(out: usize, distance: usize, length: i32): void {
  const end = out + length;
  const from = out - distance;
  if (distance >= 16) {
    for (let at = out; at < end; at += 16) v128.store(at, v128.load(at - distance));
  } else if (distance === 1) {
    memory.fill(out, load<u8>(from), length);
  } else {
    for (let at = out; at < end; at++) store<u8>(at, load<u8>(at - distance));
  }
}
