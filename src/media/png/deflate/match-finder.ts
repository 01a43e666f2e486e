// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import { MAX_MATCH, MIN_MATCH, WINDOW_BYTES } from "./alphabets.ts";

const HASH_BITS = 16;
const MASK = WINDOW_BYTES - 1;
const NEVER = -WINDOW_BYTES;
/** Bytes that the longest hash looks at. */
const AHEAD = 12;

/** How many earlier places are looked at. */
export interface Effort {
  /** Of those that begin with the same 6 bytes. */
  readonly near: number;
  /** Of those that begin with the same 12 bytes. */
  readonly far: number;
  /** Whether what is chosen first is chosen again by what that has shown: much slower only where there are many matches. */
  readonly isThorough: boolean;
}

/**
 * Where the bytes of each place have been before (LZ77), within DEFLATE's window. Places are found by what they begin with:
 * the last with the same 3 and 4 bytes, as short matches pay only when near, and chains of those with the same 6 and 12.
 */
export class MatchFinder {
  readonly #data: Uint8Array;
  readonly #effort: Effort;
  readonly #last3 = new Int32Array(1 << HASH_BITS).fill(NEVER);
  readonly #last4 = new Int32Array(1 << HASH_BITS).fill(NEVER);
  readonly #last6 = new Int32Array(1 << HASH_BITS).fill(NEVER);
  readonly #last12 = new Int32Array(1 << HASH_BITS).fill(NEVER);
  readonly #earlier6 = new Int32Array(WINDOW_BYTES);
  readonly #earlier12 = new Int32Array(WINDOW_BYTES);
  #resumeAt = 0;
  /** Matches as length << 16 | distance - 1, ever longer at one place. */
  matches = new Uint32Array(256 * 1024);
  /** Where in `matches` those of a place of the segment start; those of the next are behind them. */
  readonly starts: Uint32Array;

  constructor(data: Uint8Array, maxSegmentBytes: number, effort: Effort) {
    this.#data = data;
    this.#effort = effort;
    this.starts = new Uint32Array(maxSegmentBytes + 1);
  }

  /** Fills `matches` and `starts`. Segments have to be asked for in their order; no match goes beyond the end of one. */
  find(from: number, to: number): void {
    const data = this.#data;
    const [last3, last4, last6, last12] = [this.#last3, this.#last4, this.#last6, this.#last12];
    const [earlier6, earlier12] = [this.#earlier6, this.#earlier12];
    const starts = this.starts;
    const { near, far } = this.#effort;
    let resumeAt = this.#resumeAt;
    let matches = this.matches;
    const lastHashed = data.length - AHEAD;
    let size = 0;
    // The longest match at the place before goes on here.
    let known = 0;
    let distance = 0;
    // The next 12 bytes.
    let a = word(data, from);
    let b = word(data, from + 4);
    let c = word(data, from + 8);
    for (let at = from; at < to; at++) {
      starts[at - from] = size;
      if (at > lastHashed) continue;
      const slot3 = Math.imul(a << 8, 0x9e3779b1) >>> (32 - HASH_BITS);
      const mixed4 = Math.imul(a, 0x85ebca6b);
      const slot4 = mixed4 >>> (32 - HASH_BITS);
      const slot6 = Math.imul((mixed4 >>> 15) ^ mixed4 ^ (b << 16), 0x9e3779b1) >>> (32 - HASH_BITS);
      const mixed8 = Math.imul((mixed4 >>> 15) ^ mixed4 ^ b, 0xc2b2ae35);
      const slot12 = Math.imul((mixed8 >>> 15) ^ mixed8 ^ c, 0x9e3779b1) >>> (32 - HASH_BITS);
      const at3 = last3[slot3]!;
      const at4 = last4[slot4]!;
      const at6 = last6[slot6]!;
      const at12 = last12[slot12]!;
      last3[slot3] = last4[slot4] = last6[slot6] = last12[slot12] = at;
      earlier6[at & MASK] = at6;
      earlier12[at & MASK] = at12;
      a = (a >>> 8) | (b << 24);
      b = (b >>> 8) | (c << 24);
      c = (c >>> 8) | (data[at + AHEAD]! << 24);
      if (at < resumeAt) {
        known = 0;
        continue;
      }

      if (size + MAX_MATCH > matches.length) matches = this.#grow();
      const lowest = Math.max(0, at - WINDOW_BYTES);
      const most = Math.min(MAX_MATCH, to - at);
      let longest = MIN_MATCH - 1;
      if (at3 >= lowest) {
        const length = matchLength(data, at3, at, most, at - at3 === distance ? known : 0);
        if (length > longest) {
          longest = length;
          matches[size++] = (length << 16) | (at - at3 - 1);
        }
      }
      if (at4 >= lowest && at4 !== at3 && longest < most && data[at4 + longest] === data[at + longest]) {
        const length = matchLength(data, at4, at, most, at - at4 === distance ? known : 0);
        if (length > longest) {
          longest = length;
          matches[size++] = (length << 16) | (at - at4 - 1);
        }
      }
      let place = at6;
      for (let left = near; left > 0 && place >= lowest && longest < most; left--) {
        if (data[place + longest] === data[at + longest]) {
          const length = matchLength(data, place, at, most, at - place === distance ? known : 0);
          if (length > longest) {
            longest = length;
            matches[size++] = (length << 16) | (at - place - 1);
          }
        }
        place = earlier6[place & MASK]!;
      }
      place = at12;
      for (let left = far; left > 0 && place >= lowest && longest < most; left--) {
        if (data[place + longest] === data[at + longest]) {
          const length = matchLength(data, place, at, most, at - place === distance ? known : 0);
          if (length > longest) {
            longest = length;
            matches[size++] = (length << 16) | (at - place - 1);
          }
        }
        place = earlier12[place & MASK]!;
      }
      if (longest >= MIN_MATCH) {
        known = longest - 1;
        distance = (matches[size - 1]! & 0xffff) + 1;
      } else known = 0;
      // What is inside of the longest match there is will not be cut up.
      if (longest === MAX_MATCH) resumeAt = at + MAX_MATCH;
    }
    starts[to - from] = size;
    this.#resumeAt = resumeAt;
  }

  #grow(): Uint32Array<ArrayBuffer> {
    const matches = new Uint32Array(2 * this.matches.length);
    matches.set(this.matches);
    this.matches = matches;
    return matches;
  }
}

function word(data: Uint8Array, at: number): number {
  return data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (data[at + 3]! << 24);
}

/** @param known how many are the same in any case */
function matchLength(data: Uint8Array, earlier: number, at: number, most: number, known: number): number {
  let length = Math.min(known, most);
  while (length < most && data[earlier + length] === data[at + length]) length++;
  return length;
}
