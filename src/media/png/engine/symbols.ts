/**
 * Tables of 32-bit numbers that are shared with the host. Each has 256 literals, then the 259 lengths 0 to 258, then the 30 distance
 * symbols (RFC 1951, 3.2.5). Lengths are not grouped into symbols, so only the host knows their symbols.
 */
const LENGTHS: i32 = 256;
const DISTANCES: i32 = LENGTHS + 259;
const SYMBOLS: i32 = DISTANCES + 30;

/** Costs, including extra bits: i32. */
const costs = memory.data(SYMBOLS * 4, 16);
/** `number of bits << 24 | bits`, including a length's extra bits: u32. */
const codes = memory.data(SYMBOLS * 4, 16);
/** u32. */
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
  memory.fill(counts, 0, SYMBOLS * 4);
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
