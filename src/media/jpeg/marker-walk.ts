import { EOI, RST0, RST7, SOI, TEM } from "./markers.ts";

/** A marker, and where the content of its segment is. */
export interface MarkerSegment {
  readonly marker: number;
  /** Behind marker and length. */
  readonly begin: number;
  /** Lies beyond the bytes at hand where these end within the segment. */
  readonly end: number;
}

/**
 * Walks over a JPEG's markers (T.81, annex B) as libjpeg does, and with it browsers: fill bytes and whatever else stands
 * between two segments is passed over, restart markers too, and a length below its own two bytes is taken for two.
 */
export class MarkerWalk {
  readonly #bytes: Uint8Array;
  #at: number;

  /** @param at behind SOI, unless told */
  constructor(bytes: Uint8Array, at = 2) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The next segment; undefined where the bytes end before its length. */
  next(): MarkerSegment | undefined {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at + 1 < bytes.length && (bytes[at] !== 0xff || isNoSegment(bytes[at + 1] ?? 0))) at++;
    const marker = bytes[at + 1];
    if (marker === undefined) return undefined;
    if (marker === SOI || marker === EOI) {
      this.#at = at + 2;
      return { marker, begin: at + 2, end: at + 2 };
    }
    const begin = at + 4;
    if (begin > bytes.length) return undefined;
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    this.#at = at + 2 + Math.max(2, length);
    return { marker, begin, end: this.#at };
  }

  /**
   * Passes over the entropy-coded data behind a scan's header: it ends at the first marker that is no restart (B.1.1.5).
   * @returns where it ends: there, or with the bytes
   */
  skipData(): number {
    const bytes = this.#bytes;
    const findFf = ffFinder(bytes);
    for (let at = findFf(this.#at); at + 1 < bytes.length; at = findFf(at + 1)) {
      const next = bytes[at + 1] ?? 0;
      if (next !== 0 && next !== 0xff && (next < RST0 || next > RST7)) {
        this.#at = at;
        return at;
      }
    }
    this.#at = bytes.length;
    return bytes.length;
  }
}

/**
 * Finds the next FF from a place on, or the end, four bytes at a look. `indexOf` looks at more of them, but takes long to be called, and
 * a file may be full of FF.
 */
function ffFinder(bytes: Uint8Array): (from: number) => number {
  const unaligned = -bytes.byteOffset & 3;
  const count = (bytes.length - unaligned) >> 2;
  const words = count > 0 ? new Int32Array(bytes.buffer, bytes.byteOffset + unaligned, count) : new Int32Array();
  return (from) => {
    let at = from;
    for (; at < bytes.length && bytes[at] !== 0xff; at++) {
      if (((at - unaligned) & 3) !== 0) continue;
      let word = (at - unaligned) >> 2;
      while (word < words.length && !hasFf(words[word] as number)) word++;
      at = word * 4 + unaligned;
      if (bytes[at] === 0xff) break;
    }
    return Math.min(at, bytes.length);
  };
}

/** Whether one of four bytes has a complement of 0 (Bit Twiddling Hacks, "Determine if a word has a zero byte"). */
function hasFf(word: number): boolean {
  return ((~word - 0x01010101) & word & 0x80808080) !== 0;
}

/** What follows an FF without opening a segment: another, a fill byte (B.1.1.2); 0; TEM; and a restart marker. */
function isNoSegment(byte: number): boolean {
  return byte === 0xff || byte <= TEM || (byte >= RST0 && byte <= RST7);
}
