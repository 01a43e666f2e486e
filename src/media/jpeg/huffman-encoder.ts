/** An optimal Huffman table for a scan (T.81, K.2), and its codes. */
export interface HuffmanEncoder {
  /** Codes of each length, 1 to 16. */
  readonly counts: Uint8Array;
  readonly symbols: Uint8Array;
  readonly codes: Uint16Array;
  /** 0 for a symbol that does not occur. */
  readonly lengths: Uint8Array;
}

/** The most time that making a table takes on a slow machine. */
export const HUFFMAN_MS = 1;

const MAX_CODE_BITS = 16;
const MAX_TREE_DEPTH = 256;
/** Takes the code of all ones, which is not allowed (K.2). */
const RESERVED = 256;

/** @param frequencies the counts of 256 symbols */
export function makeHuffmanEncoder(frequencies: Uint32Array): HuffmanEncoder {
  const lengthCounts = countLengths(frequencies);
  limitLengths(lengthCounts.counts);
  return assignCodes(lengthCounts.counts, lengthCounts.bySize);
}

/** The bits of a scan's symbols, without the bits that follow them. */
export function codedBits(table: HuffmanEncoder, frequencies: Uint32Array): number {
  let bits = 0;
  for (let symbol = 0; symbol < 256; symbol++) bits += (frequencies[symbol] ?? 0) * (table.lengths[symbol] ?? 0);
  return bits;
}

/** Figure K.1, with a list of the remaining trees instead of a search through all symbols. */
function countLengths(frequencies: Uint32Array): { counts: Uint32Array; bySize: number[] } {
  const sizes = new Uint16Array(257);
  const present: number[] = [];
  for (let symbol = 0; symbol < 256; symbol++) if ((frequencies[symbol] ?? 0) > 0) present.push(symbol);
  let trees = [
    ...present.map((symbol) => ({ weight: frequencies[symbol] ?? 0, symbols: [symbol] })),
    { weight: 1, symbols: [RESERVED] },
  ];
  while (trees.length > 1) {
    trees.sort((a, b) => b.weight - a.weight || (a.symbols[0] ?? 0) - (b.symbols[0] ?? 0));
    const [least, next] = [trees.pop(), trees.pop()];
    if (least === undefined || next === undefined) break;
    const symbols = [...least.symbols, ...next.symbols];
    for (const symbol of symbols) sizes[symbol] = (sizes[symbol] ?? 0) + 1;
    trees = [...trees, { weight: least.weight + next.weight, symbols }];
  }
  const counts = new Uint32Array(MAX_TREE_DEPTH + 2);
  for (const symbol of [...present, RESERVED]) counts[sizes[symbol] ?? 0] = (counts[sizes[symbol] ?? 0] ?? 0) + 1;
  const bySize = present.sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0) || a - b);
  return { counts, bySize };
}

/** Figure K.3: limits codes to 16 bits and removes the reserved code, which is the longest. */
function limitLengths(counts: Uint32Array): void {
  for (let length = counts.length - 1; length > MAX_CODE_BITS; length--) {
    while ((counts[length] ?? 0) > 0) {
      let shorter = length - 2;
      while (shorter > 0 && counts[shorter] === 0) shorter -= 1;
      counts[length] = (counts[length] ?? 0) - 2;
      counts[length - 1] = (counts[length - 1] ?? 0) + 1;
      counts[shorter + 1] = (counts[shorter + 1] ?? 0) + 2;
      counts[shorter] = (counts[shorter] ?? 0) - 1;
    }
  }
  let longest = MAX_CODE_BITS;
  while (longest > 0 && counts[longest] === 0) longest -= 1;
  if (longest > 0) counts[longest] = (counts[longest] ?? 0) - 1;
}

/** Annex C. */
function assignCodes(lengthCounts: Uint32Array, bySize: readonly number[]): HuffmanEncoder {
  const counts = Uint8Array.from({ length: MAX_CODE_BITS }, (_, i) => lengthCounts[i + 1] ?? 0);
  const codes = new Uint16Array(256);
  const lengths = new Uint8Array(256);
  let code = 0;
  let place = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    for (let i = 0; i < (counts[length - 1] ?? 0); i++, code++, place++) {
      const symbol = bySize[place] ?? 0;
      codes[symbol] = code;
      lengths[symbol] = length;
    }
    code <<= 1;
  }
  return { counts, symbols: Uint8Array.from(bySize), codes, lengths };
}
