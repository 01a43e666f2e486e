import { DATA_CUT_OFF, decline, NO_SUCH_CODE, RESTART_MISSING, readFile } from "./host";
import { findLongCode, LOOKUP_BITS, lookUp } from "./huffman-table";
import { Scan, WINDOW_BYTES } from "./scan";

/**
 * The bits of the scan that is being decoded. They are global; the innermost loops hold `bits` and `bitCount` in locals, so that the
 * compiler keeps them in registers.
 */

const RST0: i32 = 0xd0;
/** The bytes that `fillUp` reads at once. */
const WORD_BYTES: usize = 8;
/** `fillUp` leaves at least this number of bits. */
export const FULL_BITS: i32 = 56;

/**
 * Bits that were read and not used. The next one is at `bitCount - 1`; in a scan of AC coefficients alone, or whose AC coefficients are
 * skipped, it is the highest of all 64 bits.
 */
export let bits: u64 = 0;
export let bitCount: i32 = 0;
let current: Scan = changetype<Scan>(0);
let at: usize = 0;
let dataEnd: usize = 0;
/** The number of bits in `bitCount` that were made up after the end of the data. */
let padding: i32 = 0;

export function openBits(scan: Scan): void {
  current = scan;
  bits = scan.bits;
  bitCount = scan.bitCount;
  at = scan.at;
  dataEnd = scan.dataEnd;
  padding = scan.padding;
}

/** Saves the state in the scan. Declines the picture if more bits were read than exist. */
export function closeBits(): void {
  requireAllThere();
  current.bits = bits;
  current.bitCount = bitCount;
  current.at = at;
  current.dataEnd = dataEnd;
  current.padding = padding;
}

export function setBits(value: u64, count: i32): void {
  bits = value;
  bitCount = count;
}

/** Appends 32 bits to `value`. */
export function refill(value: u64): u64 {
  if (at + 4 <= dataEnd) {
    const word = load<u32>(at);
    at += 4;
    return (value << 32) | <u64>bswap<u32>(word);
  }
  for (let i = 0; i < 4; i++) value = (value << 8) | <u64>nextByte();
  return value;
}

/**
 * Fills up bits that begin at the highest one. A refill that is never conditional costs no wrong guess of a branch.
 * @returns the bits; there are `count | FULL_BITS` of them
 */
export function fillUp(value: u64, count: i32): u64 {
  if (at + WORD_BYTES > dataEnd) return fillUpByByte(value, count);
  const word = bswap<u64>(load<u64>(at));
  at += (63 - count) >> 3;
  return value | (word >> count);
}

function fillUpByByte(value: u64, count: i32): u64 {
  for (; count < FULL_BITS; count += 8) value |= (<u64>nextByte()) << (56 - count);
  return value;
}

/** At the end of the data it returns zeros and counts them in `padding`. */
function nextByte(): u32 {
  if (at === dataEnd) readMore();
  if (at < dataEnd) return load<u8>(at++);
  padding += 8;
  return 0;
}

/** Reads the next bytes of the scan and removes stuffed zeros, up to a marker. */
function readMore(): void {
  // Two raw bytes are a marker.
  if (current.rawEnd - current.rawAt > 1) return;
  readMoreRaw();
  unstuff();
}

/** Fills the window, whose data were all used. */
function readMoreRaw(): void {
  const window = current.window;
  const rest = current.rawEnd - current.rawAt;
  memory.copy(window, current.rawAt, rest);
  const length = max(0, min(current.fileEnd - current.fileAt, <i32>(WINDOW_BYTES - rest)));
  if (length > 0) readFile(window + rest, current.fileAt, length);
  current.fileAt += length;
  current.rawAt = window;
  current.rawEnd = window + rest + length;
}

/** Moves raw bytes to the data, up to a marker or the last 0xFF of the window. */
function unstuff(): void {
  let from = current.rawAt;
  let to = from;
  const end = current.rawEnd;
  at = from;
  while (from < end) {
    let clean = 0;
    if (from + 16 <= end) {
      const sixteen = v128.load(from);
      const found = i8x16.bitmask(i8x16.eq(sixteen, i8x16.splat(-1)));
      if (found === 0) {
        v128.store(to, sixteen);
        from += 16;
        to += 16;
        continue;
      }
      clean = ctz(found);
    }
    for (; clean > 0; clean--) store<u8>(to++, load<u8>(from++));
    const byte = load<u8>(from);
    if (byte === 0xff && (from + 1 >= end || load<u8>(from + 1) !== 0)) break;
    store<u8>(to++, byte);
    from += byte === 0xff ? 2 : 1;
  }
  dataEnd = to;
  current.rawAt = from;
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
  if (at === dataEnd) readMore();
  if (at < dataEnd) decline(RESTART_MISSING);
  while (hasMarkerByte(0xff)) current.rawAt++;
  if (!hasMarkerByte(RST0 + number)) decline(RESTART_MISSING);
  current.rawAt += 2;
  unstuff();
  bits = 0;
  bitCount = 0;
  padding = 0;
}

/** Whether a 0xFF and this byte follow. */
function hasMarkerByte(byte: i32): bool {
  if (current.rawEnd - current.rawAt < 2) readMoreRaw();
  return (
    current.rawEnd - current.rawAt >= 2 && load<u8>(current.rawAt) === 0xff && <i32>load<u8>(current.rawAt + 1) === byte
  );
}

function requireAllThere(): void {
  if (padding > bitCount) decline(DATA_CUT_OFF);
}
