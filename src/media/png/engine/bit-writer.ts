import { takeOutput } from "./host";

/** Packs bits into bytes, the lowest first (RFC 1951, 3.1.1). */

const OUT_BYTES: i32 = 64 * 1024;
const out = memory.data(OUT_BYTES, 16);

let size: i32 = 0;
let pending: u64 = 0;
let pendingBits: i32 = 0;

export function beginBits(): void {
  size = 0;
  pending = 0;
  pendingBits = 0;
}

/** @param count at most 32 */
export function writeBits(value: u32, count: i32): void {
  pending |= (<u64>value) << pendingBits;
  pendingBits += count;
  if (pendingBits < 32) return;
  store<u32>(out + size, <u32>pending);
  pending >>= 32;
  pendingBits -= 32;
  size += 4;
  if (size < OUT_BYTES) return;
  takeOutput(out, size);
  size = 0;
}

/** Fills up the last byte with zeros, appends the checksum (RFC 1950, 2.2) and hands over the rest. */
export function finishBits(checksum: u32): void {
  writeBits(0, -pendingBits & 7);
  writeBits(bswap(checksum), 32);
  for (; pendingBits > 0; pendingBits -= 8) {
    store<u8>(out + size++, <u8>pending);
    pending >>= 8;
  }
  takeOutput(out, size);
}
