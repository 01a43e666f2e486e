/** DEFLATE's symbols (RFC 1951, 3.2.5). */
export const LITERALS_AND_LENGTHS: i32 = 286;
export const SYMBOLS: i32 = LITERALS_AND_LENGTHS + 30;
export const COUNTS_BYTES: usize = SYMBOLS * 4;
const FIRST_LENGTH: i32 = 257;

/**
 * Tables of 32-bit numbers that are shared with the host. Each has 256 literals, then the 259 lengths 0 to 258, then the 30 distance
 * symbols (RFC 1951, 3.2.5). Lengths are not grouped into symbols, so only the host knows their symbols.
 */
const LENGTHS: i32 = 256;
const DISTANCES: i32 = LENGTHS + 259;
const CODES: i32 = DISTANCES + 30;

/** Costs, including extra bits: i32. */
const costs = memory.data(CODES * 4, 16);
/** `number of bits << 24 | bits`, including a length's extra bits: u32. */
const codes = memory.data(CODES * 4, 16);
/** Counts by DEFLATE's symbols: 286 literals and lengths, then 30 distances; u32. */
const counts = memory.data(SYMBOLS * 4, 16);

export function costsAt(): usize {
  return costs;
}

export function codesAt(): usize {
  return codes;
}

export function countsAt(): usize {
  return counts;
}

export function literal(table: usize, value: i32): usize {
  return table + ((<usize>value) << 2);
}

export function length(table: usize, bytes: i32): usize {
  return table + ((<usize>(LENGTHS + bytes)) << 2);
}

export function distance(table: usize, symbol: i32): usize {
  return table + ((<usize>(DISTANCES + symbol)) << 2);
}

export function clearCounts(): void {
  memory.fill(counts, 0, COUNTS_BYTES);
}

/** The count of a match's length. */
export function lengthCount(bytes: i32): usize {
  const less = bytes - 3;
  // The longest length has a symbol of its own.
  const extraBits = less < 8 || bytes === 258 ? 0 : 29 - clz(less);
  const symbol = bytes === 258 ? 28 : (extraBits << 2) + (less >> extraBits);
  return counts + ((<usize>(FIRST_LENGTH + symbol)) << 2);
}

/** The count of a distance's symbol. */
export function distanceCount(symbol: i32): usize {
  return counts + ((<usize>(LITERALS_AND_LENGTHS + symbol)) << 2);
}

/** Adds counts of the form of `countsAt` to others. */
export function addCounts(to: usize, other: usize): void {
  for (let at: usize = 0; at < COUNTS_BYTES; at += 16) {
    v128.store(to + at, i32x4.add(v128.load(to + at), v128.load(other + at)));
  }
}

/** The number of bits after a distance's symbol. @param less the distance less one */
export function distanceExtraBits(less: i32): i32 {
  return max(30 - clz(less | 1), 0);
}

/** A distance's symbol: its power of two, and the half of the range up to the next power. */
export function distanceSymbol(less: i32): i32 {
  const extraBits = distanceExtraBits(less);
  return (extraBits << 1) + (less >> extraBits);
}
