// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

/** Bits of a symbol. */
const SYMBOL_BITS = 9;
const SYMBOL = (1 << SYMBOL_BITS) - 1;
const LONGEST_CODE = 15;

/**
 * The lengths of Huffman codes, limited to `limit`.
 * @param counts of each symbol, below 2^23; a symbol that does not occur gets length 0
 */
export function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const rarestFirst = sortByCount(counts);
  if (rarestFirst.length < 2) {
    for (const entry of rarestFirst) lengths[entry & SYMBOL] = 1;
    return lengths;
  }
  const perLength = cutToLimit(countDepths(rarestFirst), limit);
  let next = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = perLength[length]!; left > 0; left--) lengths[rarestFirst[next++]! & SYMBOL] = length;
  }
  return lengths;
}

/** Each symbol that occurs, with its count in the bits above, from the rarest to the most frequent. */
function sortByCount(counts: Uint32Array): Uint32Array {
  const entries = new Uint32Array(counts.length);
  let size = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol]!;
    if (count > 0) entries[size++] = (count << SYMBOL_BITS) | symbol;
  }
  return entries.subarray(0, size).sort();
}

/** Counts the leaves of a Huffman tree by depth. Inner nodes are made in order of weight, so no heap is needed. */
function countDepths(rarestFirst: Uint32Array): Uint32Array {
  const leaves = rarestFirst.length;
  const nodes = new Float64Array(2 * leaves - 1);
  for (let leaf = 0; leaf < leaves; leaf++) nodes[leaf] = rarestFirst[leaf]! >>> SYMBOL_BITS;
  const parents = new Uint32Array(nodes.length);
  let leaf = 0;
  let inner = leaves;
  for (let node = leaves; node < nodes.length; node++) {
    for (let child = 0; child < 2; child++) {
      const taken = leaf < leaves && (inner === node || nodes[leaf]! <= nodes[inner]!) ? leaf++ : inner++;
      nodes[node] = nodes[node]! + nodes[taken]!;
      parents[taken] = node;
    }
  }
  const depths = new Uint32Array(nodes.length);
  const perDepth = new Uint32Array(leaves);
  for (let node = nodes.length - 2; node >= 0; node--) {
    depths[node] = depths[parents[node]!]! + 1;
    if (node < leaves) perDepth[depths[node]!] = perDepth[depths[node]!]! + 1;
  }
  return perDepth;
}

/** Lengthens codes one step at a time until the shortened ones fit (Kraft's inequality). */
function cutToLimit(perDepth: Uint32Array, limit: number): Uint32Array {
  const perLength = new Uint32Array(limit + 1);
  let room = 1 << limit;
  for (const [depth, leaves] of perDepth.entries()) {
    const length = Math.min(depth, limit);
    perLength[length] = perLength[length]! + leaves;
    room -= leaves << (limit - length);
  }
  for (; room < 0; room++) {
    let length = limit - 1;
    while (perLength[length] === 0) length--;
    perLength[limit]!--;
    perLength[length]!--;
    perLength[length + 1]! += 2;
  }
  return perLength;
}

/** The code of each symbol (RFC 1951, 3.2.2), with its bits in writing order. */
export function assignCodes(lengths: Uint8Array): Uint16Array {
  const perLength = new Uint32Array(LONGEST_CODE + 1);
  for (const length of lengths) perLength[length]!++;
  perLength[0] = 0;
  const next = new Uint32Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length++) next[length + 1] = (next[length]! + perLength[length]!) << 1;
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length > 0) codes[symbol] = reverse(next[length]!++, length);
  }
  return codes;
}

function reverse(code: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((code >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
