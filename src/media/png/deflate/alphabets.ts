/** DEFLATE's two alphabets and the meaning of their symbols (RFC 1951, 3.2.5). */
export const LITERALS_AND_LENGTHS = 286;
export const DISTANCES = 30;
export const END_OF_BLOCK = 256;
export const FIRST_LENGTH = 257;
export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
export const WINDOW_BYTES = 32 * 1024;

/** Symbol of each length, counted from FIRST_LENGTH. */
export const LENGTH_CODE = new Uint8Array(MAX_MATCH + 1);
export const LENGTH_BASE = new Uint16Array(LITERALS_AND_LENGTHS - FIRST_LENGTH);
export const LENGTH_EXTRA_BITS = new Uint8Array(LENGTH_BASE.length);
export const DISTANCE_EXTRA_BITS = Uint8Array.from({ length: DISTANCES }, (_, code) => Math.max(0, (code >> 1) - 1));

const LONGEST = LENGTH_BASE.length - 1;
for (let code = 0, base = MIN_MATCH; code < LONGEST; code++) {
  const extraBits = code < 8 ? 0 : (code >> 2) - 1;
  LENGTH_BASE[code] = base;
  LENGTH_EXTRA_BITS[code] = extraBits;
  LENGTH_CODE.fill(code, base, base + (1 << extraBits));
  base += 1 << extraBits;
}
// The longest length has a symbol of its own.
LENGTH_BASE[LONGEST] = MAX_MATCH;
LENGTH_CODE[MAX_MATCH] = LONGEST;
