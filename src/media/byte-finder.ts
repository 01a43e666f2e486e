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
