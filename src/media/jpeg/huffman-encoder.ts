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
/** More than all symbols. */
const SYMBOLS = 512;

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

/**
 * Figure K.1. The two trees of the least weight become one, whose symbol is the first one's; of equal trees, the one of the largest symbol is
 * first. A tree's order is one number: `weight * SYMBOLS + RESERVED - symbol`. New trees are made in the order of their weights, so they need
 * no search. Sorting by numbers keeps this fast before the code is compiled.
 */
function countLengths(frequencies: Uint32Array): { counts: Uint32Array; bySize: number[] } {
  const leaves = listLeaves(frequencies);
  const leafCount = leaves.length;
  const parents = new Uint16Array(2 * leafCount);
  const trees = new Float64Array(leafCount);
  const ids = new Uint16Array(leafCount);
  let leaf = 0;
  let tree = 0;
  let treeCount = 0;
  const take = (parent: number): number => {
    const isLeaf = tree === treeCount || (leaf < leafCount && (leaves[leaf] as number) < (trees[tree] as number));
    parents[isLeaf ? leaf : (ids[tree] as number)] = parent;
    return (isLeaf ? leaves[leaf++] : trees[tree++]) as number;
  };
  const root = 2 * leafCount - 2;
  for (let id = leafCount; id <= root; id++) {
    const least = take(id);
    const order = least + Math.floor(take(id) / SYMBOLS) * SYMBOLS;
    let at = treeCount++;
    for (; at > tree && (trees[at - 1] as number) > order; at--) {
      trees[at] = trees[at - 1] as number;
      ids[at] = ids[at - 1] as number;
    }
    trees[at] = order;
    ids[at] = id;
  }
  const depths = new Uint16Array(2 * leafCount);
  for (let id = root - 1; id >= 0; id--) depths[id] = (depths[parents[id] as number] as number) + 1;
  const counts = new Uint32Array(MAX_TREE_DEPTH + 2);
  const sizes = new Uint32Array(leafCount);
  for (let i = 0; i < leafCount; i++) {
    const size = depths[i] as number;
    counts[size] = (counts[size] as number) + 1;
    sizes[i] = size * SYMBOLS + RESERVED - ((leaves[i] as number) % SYMBOLS);
  }
  const bySize = Array.from(sizes.sort(), (size) => size % SYMBOLS).filter((symbol) => symbol !== RESERVED);
  return { counts, bySize };
}

/** The trees of one symbol, in order. */
function listLeaves(frequencies: Uint32Array): Float64Array {
  const leaves = [SYMBOLS];
  for (let symbol = 0; symbol < 256; symbol++) {
    const weight = frequencies[symbol] as number;
    if (weight > 0) leaves.push(weight * SYMBOLS + RESERVED - symbol);
  }
  return Float64Array.from(leaves).sort();
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
