import { FILTER } from "./filter.ts";

/** The filter's bits: 32 for each password. */
const FILTER_BYTES = 40_000;
const FILTER_BITS = FILTER_BYTES * 8;
/** The bits that each password sets: the number with the fewest false positives, 32 * ln 2. */
const BITS_OF_A_PASSWORD = 22;

let bytes: Uint8Array | undefined;

/**
 * Whether a password is among the 10,000 most common ones of at least 8 characters, in upper or lower case (SIGN-4). It asks a Bloom
 * filter, which finds every common password and takes one in 4.7 million others for a common one.
 */
export function isCommonPassword(password: string): boolean {
  bytes ??= Uint8Array.from(atob(FILTER), (character) => character.charCodeAt(0));
  return filterHas(bytes, password);
}

function filterHas(filter: Uint8Array, password: string): boolean {
  return positionsOf(password).every((bit) => ((filter[bit >> 3] ?? 0) >> (bit & 7)) & 1);
}

/** The filter of these passwords. */
export function makeFilter(passwords: readonly string[]): Uint8Array {
  const filter = new Uint8Array(FILTER_BYTES);
  for (const bit of passwords.flatMap(positionsOf)) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
  return filter;
}

/** The bits of a password, by enhanced double hashing (Dillinger and Manolios, 2004). */
function positionsOf(password: string): number[] {
  let [position, step] = hash(password.normalize("NFC").toLowerCase());
  return Array.from({ length: BITS_OF_A_PASSWORD }, (_, round) => {
    const bit = position % FILTER_BITS;
    position = (position + step) >>> 0;
    step = (step + round) >>> 0;
    return bit;
  });
}

/** Two numbers of 32 bits (cyrb53). The filter is public, so a cryptographic hash would protect nothing. */
function hash(text: string): [number, number] {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x9e3779b1);
    second = Math.imul(second ^ unit, 0x5f356495);
  }
  first = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35);
  second = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return [first >>> 0, second >>> 0];
}
