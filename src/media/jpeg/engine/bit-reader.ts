import { DATA_CUT_OFF, decline, NO_SUCH_CODE, RESTART_MISSING, readFile } from "./host";
import { findLongCode, LOOKUP_BITS, lookUp } from "./huffman-table";
import { Scan, WINDOW_BYTES } from "./scan";

/**
 * The bits of the scan that is being decoded. They are global; the innermost loops hold `bits` and `bitCount` in locals, so that the
 * compiler keeps them in registers.
 */

const RST0: i32 = 0xd0;
/** Bytes that a fill reads at once; a look at a marker reads no more. */
const LOOK_AHEAD: usize = 4;

/** Bits that were read and not used. The next one is at `bitCount - 1`. */
export let bits: u64 = 0;
export let bitCount: i32 = 0;
let current: Scan = changetype<Scan>(0);
let at: usize = 0;
let windowEnd: usize = 0;
/** The number of bits in `bitCount` that were made up after the end of the data. */
let padding: i32 = 0;

export function openBits(scan: Scan): void {
  current = scan;
  bits = scan.bits;
  bitCount = scan.bitCount;
  at = scan.at;
  windowEnd = scan.windowEnd;
  padding = scan.padding;
}

/** Saves the state in the scan. Declines the picture if more bits were read than exist. */
export function closeBits(): void {
  requireAllThere();
  current.bits = bits;
  current.bitCount = bitCount;
  current.at = at;
  current.padding = padding;
}

export function setBits(value: u64, count: i32): void {
  bits = value;
  bitCount = count;
}

/** Appends 32 bits to `value`. */
export function refill(value: u64): u64 {
  if (at + LOOK_AHEAD <= windowEnd) {
    const word = load<u32>(at);
    // None of the four bytes is 0xFF, so nothing is stuffed.
    if (((~word - 0x01010101) & word & 0x80808080) === 0) {
      at += 4;
      return (value << 32) | <u64>bswap<u32>(word);
    }
  }
  return refillByByte(value);
}

/** Appends bytes one by one. At the end of the data it appends zeros and counts them in `padding`. */
function refillByByte(value: u64): u64 {
  for (let i = 0; i < 4; i++) {
    let byte: u32 = 0;
    if (hasBytes(1)) {
      byte = load<u8>(at);
      if (byte !== 0xff) {
        at++;
      } else if (hasBytes(2) && load<u8>(at + 1) === 0) {
        at += 2;
      } else {
        byte = 0;
        padding += 8;
      }
    } else {
      padding += 8;
    }
    value = (value << 8) | byte;
  }
  return value;
}

/** Whether `count` bytes of the scan follow; moves the window if needed. @param count at most LOOK_AHEAD */
function hasBytes(count: usize): bool {
  if (at + count <= windowEnd) return true;
  const rest = windowEnd - at;
  const length = min(current.fileEnd - current.fileAt, <i32>(WINDOW_BYTES - rest));
  if (length > 0) {
    memory.copy(current.window, at, rest);
    readFile(current.window + rest, current.fileAt, length);
    at = current.window;
    windowEnd = at + rest + length;
    current.windowEnd = windowEnd;
    current.fileAt += length;
  }
  return at + count <= windowEnd;
}

/** The next Huffman code (F.2.2.3). @param count of bits in `value`, at least 16 @returns `length << 8 | symbol` */
export function peekSymbol(table: usize, value: u64, count: i32): i32 {
  const entry = lookUp(table, <i32>(value >> (count - LOOKUP_BITS)) & ((1 << LOOKUP_BITS) - 1));
  if (entry !== 0) return entry;
  const longer = findLongCode(table, <i32>(value >> (count - 16)) & 0xffff);
  if (longer === 0) decline(NO_SUCH_CODE);
  return longer;
}

/** EXTEND (F.2.2.1). The sign is random, so there is no branch on it. @param count number of bits after the value @param size 0 to 15 */
export function signedBits(value: u64, count: i32, size: i32): i32 {
  const magnitude = <i32>(value >> count) & ((1 << size) - 1);
  return magnitude + (((magnitude - (1 << (size - 1))) >> 31) & (1 - (1 << size)));
}

/** E.2.4: a restart marker, after all data before it. */
export function skipRestartMarker(number: i32): void {
  requireAllThere();
  // Whole bytes before the marker that were not used.
  if (bitCount - padding >= 8) decline(RESTART_MISSING);
  while (hasBytes(2) && load<u8>(at) === 0xff && load<u8>(at + 1) === 0xff) at++;
  if (!hasBytes(2) || load<u8>(at) !== 0xff || <i32>load<u8>(at + 1) !== RST0 + number) decline(RESTART_MISSING);
  at += 2;
  bits = 0;
  bitCount = 0;
  padding = 0;
}

function requireAllThere(): void {
  if (padding > bitCount) decline(DATA_CUT_OFF);
}
