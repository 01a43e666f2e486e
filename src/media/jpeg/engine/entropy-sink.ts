import { writeFile } from "./host";

/**
 * The destination of a scan's symbols. They are first counted, then written with tables that the host makes from the counts. Both passes
 * share this code, compiled twice: `T` is `Counted` or `Written`.
 */

/** The types that name the two passes. The code asks only whether `T` is an integer type. */
export type Counted = i32;
export type Written = f32;

const SYMBOLS: usize = 256;
const MAX_TABLES: usize = 4;
const OUT_BYTES: usize = 64 * 1024;
/** The most bytes for one symbol with its bits, every byte stuffed. */
const SYMBOL_BYTES: usize = 16;
/** The bits that are written at once. */
export const BITS_AT_ONCE: i32 = 8;
/** The factor that moves the lowest bits of eight bytes into the highest byte. */
const PACK_BITS: u64 = ((<u64>0x80402010) << 32) | 0x08040201;

/** The count of each symbol, table after table: u32. */
const frequencies = memory.data(<i32>(MAX_TABLES * SYMBOLS * 4), 16);
/** Each symbol's `code << 8 | length`, table after table: u32. */
const codes = memory.data(<i32>(MAX_TABLES * SYMBOLS * 4), 16);
const out = memory.data(<i32>OUT_BYTES, 16);

let extraBits: u32 = 0;
let outAt: usize = 0;
let pending: u64 = 0;
let pendingBits: i32 = 0;

export function frequenciesOf(table: i32): usize {
  return frequencies + <usize>table * SYMBOLS * 4;
}

export function codesOf(table: i32): usize {
  return codes + <usize>table * SYMBOLS * 4;
}

/** The number of bits that follow the codes of all counted symbols. */
export function countedExtraBits(): u32 {
  return extraBits;
}

export function beginCounting(): void {
  memory.fill(frequencies, 0, MAX_TABLES * SYMBOLS * 4);
  extraBits = 0;
}

export function beginWriting(): void {
  outAt = out;
  pending = 0;
  pendingBits = 0;
}

/** Fills up the last byte with ones (T.81, F.1.2.3) and passes the rest to the host. */
export function finishWriting(): void {
  const missing = -pendingBits & 7;
  pending = (pending << missing) | ((1 << missing) - 1);
  pendingBits += missing;
  while (pendingBits > 0) {
    pendingBits -= 8;
    writeByte(<u32>(pending >> pendingBits) & 255);
  }
  writeFile(out, <i32>(outAt - out));
}

/** @param extra `extraCount` bits that follow the symbol's code */
export function putSymbol<T>(table: i32, symbol: i32, extra: i32, extraCount: i32): void {
  if (isInteger<T>()) {
    const frequency = frequenciesOf(table) + ((<usize>symbol) << 2);
    store<u32>(frequency, load<u32>(frequency) + 1);
    extraBits += extraCount;
  } else {
    const code = load<u32>(codesOf(table) + ((<usize>symbol) << 2));
    write(<i32>((code >> 8) << extraCount) | (extra & ((1 << extraCount) - 1)), <i32>(code & 255) + extraCount);
  }
}

/** Writes bits without a code before them. @param from a byte for each bit; up to `BITS_AT_ONCE` more are read */
export function putBits<T>(from: usize, count: i32): void {
  if (isInteger<T>()) {
    extraBits += count;
    return;
  }
  for (let at = from, left = count; left > 0; at += BITS_AT_ONCE, left -= BITS_AT_ONCE) {
    const eight = <i32>((load<u64>(at) * PACK_BITS) >> 56);
    write(eight >> max(0, BITS_AT_ONCE - left), min(BITS_AT_ONCE, left));
  }
}

/** Writes the most significant bit first and stuffs a zero byte after each 0xFF. @param count 1 to 31 */
function write(value: i32, count: i32): void {
  pending = (pending << count) | <u64>(<u32>value);
  pendingBits += count;
  if (pendingBits < 32) return;
  pendingBits -= 32;
  const word = <u32>(pending >> pendingBits);
  if (((~word - 0x01010101) & word & 0x80808080) === 0) {
    store<u32>(outAt, bswap(word));
    outAt += 4;
  } else {
    for (let shift = 24; shift >= 0; shift -= 8) writeByte((word >> shift) & 255);
  }
  if (outAt > out + OUT_BYTES - SYMBOL_BYTES) {
    writeFile(out, <i32>(outAt - out));
    outAt = out;
  }
}

function writeByte(byte: u32): void {
  store<u8>(outAt++, byte);
  if (byte === 0xff) store<u8>(outAt++, 0);
}

/** Bits of a magnitude: 0 for 0. */
export function bitLength(magnitude: i32): i32 {
  return 32 - clz(magnitude);
}
