/**
 * Opens a search for a byte, four bytes at a look. `indexOf` reads more at a time, but its calls are slow, a file may be full of the byte,
 * and it reads beyond the range that is searched.
 * @returns finds the next position before `end`; `end` if there is none
 */
export function byteFinder(bytes: Uint8Array, value: number): (from: number, end?: number) => number {
  const unaligned = -bytes.byteOffset & 3;
  const count = (bytes.length - unaligned) >> 2;
  const words = count > 0 ? new Int32Array(bytes.buffer, bytes.byteOffset + unaligned, count) : new Int32Array();
  // Turns the byte into FF.
  const turn = (value ^ 0xff) * 0x01010101;
  return (from, end = bytes.length) => {
    const lastWord = Math.min(words.length, (end - unaligned + 3) >> 2);
    let at = from;
    for (; at < end && bytes[at] !== value; at++) {
      if (((at - unaligned) & 3) !== 0) continue;
      let word = (at - unaligned) >> 2;
      while (word < lastWord && !hasFf((words[word] as number) ^ turn)) word++;
      at = word * 4 + unaligned;
      if (bytes[at] === value) break;
    }
    return Math.min(at, end);
  };
}

/** Whether one of four bytes has a complement of 0 (Bit Twiddling Hacks, "Determine if a word has a zero byte"). */
function hasFf(word: number): boolean {
  return ((~word - 0x01010101) & word & 0x80808080) !== 0;
}

/**
 * Horspool's search: most bytes are skipped, and even a file that almost repeats the text takes a step or two a byte.
 * @param text ASCII
 */
export function includesText(bytes: Uint8Array, text: string): boolean {
  const last = text.length - 1;
  const lastCode = text.charCodeAt(last);
  const shifts = new Uint8Array(256).fill(text.length);
  for (let i = 0; i < last; i++) shifts[text.charCodeAt(i)] = last - i;
  for (let end = last; end < bytes.length; ) {
    const byte = bytes[end] as number;
    if (byte === lastCode && startsWith(bytes, text, end - last)) return true;
    end += shifts[byte] as number;
  }
  return false;
}

/** Whether the bytes at `at` are these Latin-1 characters. */
export function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Facts from an image's first bytes. */
export interface Head {
  /** Pixels, as a viewer displays the image; 0 while unknown. */
  readonly width: number;
  readonly height: number;
  /** Whether any program shows anything of the image; undefined if the bytes end too early to decide. */
  readonly shows: boolean | undefined;
}

export const UNKNOWN_HEAD: Head = { width: 0, height: 0, shows: undefined };

/** A side of 0 means that there is no picture, so the other side is dropped, too. */
export function headOf(width: number, height: number, shows: boolean | undefined): Head {
  return width > 0 && height > 0 ? { width, height, shows } : { ...UNKNOWN_HEAD, shows };
}
