/**
 * Decoding tables of Huffman codes (RFC 1951, 3.2.2). Short codes are looked up; long ones are rare and decoded bit by bit. An entry is
 * `bits of the code | extra bits << 5 | kind | value or base << 16`; without bits there is no such code.
 */

export const LITERAL_BITS: i32 = 10;
export const DISTANCE_BITS: i32 = 8;
/** The kind of an entry. A literal has neither bit. */
export const LENGTH: u32 = 0x400;
export const END: u32 = 0x800;

/** Kinds of alphabets. */
export const LITERALS: i32 = 0;
export const DISTANCES: i32 = 1;
export const LENGTHS_OF_CODES: i32 = 2;

const LONGEST_CODE: i32 = 15;
/** u16 counts of the codes of each length, then the u16 symbols in the order of their codes. */
const SYMBOLS: usize = 32;
export const SLOW_BYTES: usize = SYMBOLS + 320 * 2;

/** RFC 1951, 3.2.7. */
const ORDER: StaticArray<u8> = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

export function codeLengthOrder(index: i32): i32 {
  return unchecked(ORDER[index]);
}

const nextCodes = memory.data(32, 16);
const offsets = memory.data(32, 16);

/**
 * Makes the tables of a code from the lengths of its symbols' codes.
 * @returns false if there are too many codes, or too few; a single code of one bit, or none, is allowed (3.2.7)
 */
export function buildTable(lengths: usize, symbols: i32, table: usize, slow: usize, kind: i32): bool {
  const tableBits = kind === LITERALS ? LITERAL_BITS : DISTANCE_BITS;
  memory.fill(slow, 0, SYMBOLS);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = slow + ((<usize>load<u8>(lengths + symbol)) << 1);
    store<u16>(count, load<u16>(count) + 1);
  }
  store<u16>(slow, 0);
  let room = 1;
  let longest = 0;
  let code = 0;
  let offset = 0;
  for (let length = 1; length <= LONGEST_CODE; length++) {
    const count = <i32>load<u16>(slow + (length << 1));
    store<u16>(nextCodes + (length << 1), <u16>code);
    store<u16>(offsets + (length << 1), <u16>offset);
    room = (room << 1) - count;
    if (room < 0) return false;
    if (count > 0) longest = length;
    code = (code + count) << 1;
    offset += count;
  }
  if (room > 0 && longest > 0 && (kind === LENGTHS_OF_CODES || longest !== 1)) return false;

  memory.fill(table, 0, 4 << tableBits);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <i32>load<u8>(lengths + symbol);
    if (length === 0) continue;
    const place = offsets + (length << 1);
    store<u16>(slow + SYMBOLS + ((<usize>load<u16>(place)) << 1), <u16>symbol);
    store<u16>(place, load<u16>(place) + 1);
    const next = nextCodes + (length << 1);
    const own = <i32>load<u16>(next);
    store<u16>(next, <u16>(own + 1));
    if (length > tableBits) continue;
    const entry = entryOf(symbol, length, kind);
    for (let slot = reverse(own, length); slot < 1 << tableBits; slot += 1 << length) {
      store<u32>(table + ((<usize>slot) << 2), entry);
    }
  }
  return true;
}

/** The entry of a code that is too long for the table; 0 if there is no such code. */
export function slowEntry(slow: usize, bits: u32, kind: i32): u32 {
  let code = 0;
  let first = 0;
  let index = 0;
  for (let length = 1; length <= LONGEST_CODE; length++) {
    code |= bits & 1;
    bits >>= 1;
    const count = <i32>load<u16>(slow + (length << 1));
    if (code - count < first)
      return entryOf(load<u16>(slow + SYMBOLS + ((<usize>(index + code - first)) << 1)), length, kind);
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return 0;
}

/** RFC 1951, 3.2.5. Symbols that are not used have no entry. */
function entryOf(symbol: i32, length: i32, kind: i32): u32 {
  if (kind === LENGTHS_OF_CODES) return (symbol << 16) | length;
  if (kind === DISTANCES) {
    if (symbol >= 30) return 0;
    const extra = max((symbol >> 1) - 1, 0);
    const base = symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << extra) + 1;
    return (base << 16) | (extra << 5) | length;
  }
  if (symbol < 256) return (symbol << 16) | length;
  if (symbol === 256) return END | length;
  const code = symbol - 257;
  if (code > 28) return 0;
  const extra = code < 8 || code === 28 ? 0 : (code >> 2) - 1;
  const base = code === 28 ? 258 : code < 8 ? code + 3 : ((4 + (code & 3)) << extra) + 3;
  return (base << 16) | LENGTH | (extra << 5) | length;
}

function reverse(code: i32, bits: i32): i32 {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((code >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
