// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

/**
 * The lengths of Huffman codes, limited to `limit`.
 * @param counts of each symbol; a symbol that does not occur gets length 0
 */
export function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const rarestFirst = [...counts.keys()].filter((symbol) => counts[symbol] !== 0);
  rarestFirst.sort((a, b) => counts[a]! - counts[b]! || a - b);
  if (rarestFirst.length < 2) {
    for (const symbol of rarestFirst) lengths[symbol] = 1;
    return lengths;
  }
  const perLength = cutToLimit(countDepths(rarestFirst.map((symbol) => counts[symbol]!)), limit);
  let next = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = perLength[length]!; left > 0; left--) lengths[rarestFirst[next++]!] = length;
  }
  return lengths;
}

/** Counts the leaves of a Huffman tree by depth. Inner nodes are made in order of weight, so no heap is needed. */
function countDepths(weights: readonly number[]): Uint32Array {
  const leaves = weights.length;
  const nodes = Float64Array.from({ length: 2 * leaves - 1 }, (_, i) => weights[i] ?? 0);
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
  const codes = new Uint16Array(lengths.length);
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  for (let length = 1, code = 0; length <= longest; length++, code <<= 1) {
    for (const [symbol, own] of lengths.entries()) if (own === length) codes[symbol] = reverse(code++, length);
  }
  return codes;
}

function reverse(code: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((code >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
