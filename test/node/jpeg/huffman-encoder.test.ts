import { expect, it } from "vitest";
import { codedBits, makeHuffmanEncoder } from "../../../src/media/jpeg/huffman-encoder.ts";
import { seededRandom } from "../../support/jpeg/seeded-random.ts";

function histogram(counts: readonly number[]): Uint32Array {
  const frequencies = new Uint32Array(256);
  frequencies.set(counts);
  return frequencies;
}

/** Fibonacci numbers as frequencies make the deepest tree. */
function fibonacci(length: number): number[] {
  const numbers = [1, 1];
  while (numbers.length < length) numbers.push((numbers.at(-1) ?? 0) + (numbers.at(-2) ?? 0));
  return numbers;
}

const random = seededRandom(3);
const HISTOGRAMS: Record<string, number[]> = {
  "one symbol": [7],
  "two symbols": [7, 1],
  "all symbols, equally often": new Array<number>(256).fill(1),
  "all symbols, at random": Array.from({ length: 256 }, () => Math.floor(random() ** 8 * 1e6)),
  "a tree of 22 levels": fibonacci(22),
  "a tree of 44 levels": fibonacci(44),
  "a deep tree below many symbols": [...fibonacci(30), ...new Array<number>(226).fill(1)],
  "a symbol as frequent as can be": [2 ** 32 - 1, 1, 1],
};

it.each(Object.entries(HISTOGRAMS))(
  "The Huffman encoder makes a prefix code of at most 16 bits for %s (T.81, annexes C and K.2)",
  (_, list) => {
    const { counts, symbols, codes, lengths } = makeHuffmanEncoder(histogram(list));
    const present = list.flatMap((count, symbol) => (count > 0 ? [symbol] : []));
    expect(counts.reduce((sum, count) => sum + count)).toBe(present.length);
    expect([...symbols].sort((a, b) => a - b)).toEqual(present);
    const words = present.map((symbol) => (codes[symbol] ?? 0).toString(2).padStart(lengths[symbol] ?? 0, "0")).sort();
    for (const [i, word] of words.entries()) {
      expect(word.length).toBeGreaterThanOrEqual(1);
      expect(word.length).toBeLessThanOrEqual(16);
      expect(words[i + 1]?.startsWith(word) ?? false).toBe(false);
      expect(word).toMatch(/0/);
    }
  },
);

it("The Huffman encoder makes an empty table for a histogram without symbols", () => {
  const { counts, symbols, lengths } = makeHuffmanEncoder(histogram([]));
  expect([...counts]).toEqual(new Array<number>(16).fill(0));
  expect(symbols).toHaveLength(0);
  expect(lengths.every((length) => length === 0)).toBe(true);
});

it("The Huffman encoder spends less than one bit a symbol above the entropy", () => {
  const frequencies = histogram(HISTOGRAMS["all symbols, at random"] ?? []);
  const total = frequencies.reduce((sum, count) => sum + count, 0);
  const entropyBits = frequencies.reduce((sum, count) => sum - (count > 0 ? count * Math.log2(count / total) : 0), 0);
  const bits = codedBits(makeHuffmanEncoder(frequencies), frequencies);
  expect(bits).toBeGreaterThanOrEqual(entropyBits);
  expect(bits).toBeLessThan(entropyBits + total);
});
