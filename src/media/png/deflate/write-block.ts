// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import * as alphabets from "./alphabets.ts";
import type { BitWriter } from "./bit-writer.ts";
import { assignCodes, codeLengths } from "./prefix-code.ts";
import { SymbolCounts } from "./symbol-counts.ts";

const { DISTANCE_BASE, DISTANCE_CODE, DISTANCE_EXTRA_BITS, END_OF_BLOCK } = alphabets;
const { FIRST_LENGTH, LENGTH_BASE, LENGTH_CODE, LENGTH_EXTRA_BITS } = alphabets;

const LONGEST_CODE = 15;
const LONGEST_LENGTH_CODE = 7;
const DYNAMIC = 2;
/** In what order the lengths of the lengths' codes are written (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const [REPEAT, FEW_ZEROS, MANY_ZEROS] = [16, 17, 18];

/** Tokens (see SymbolCounts) as a block with Huffman codes of its own (RFC 1951, 3.2.7). */
export function writeBlock(out: BitWriter, tokens: Uint32Array, size: number, isLast: boolean): void {
  const counts = new SymbolCounts();
  counts.addTokens(tokens, 0, size);
  counts.literalsAndLengths[END_OF_BLOCK] = 1;
  const lengths = codeLengths(counts.literalsAndLengths, LONGEST_CODE);
  const distanceLengths = codeLengths(counts.distances, LONGEST_CODE);
  out.write(isLast ? 1 : 0, 1);
  out.write(DYNAMIC, 2);
  writeLengths(out, lengths, distanceLengths);

  const codes = assignCodes(lengths);
  const distanceCodes = assignCodes(distanceLengths);
  for (let i = 0; i < size; i++) {
    const token = tokens[i]!;
    if (token < 256) {
      out.write(codes[token]!, lengths[token]!);
      continue;
    }
    const length = LENGTH_CODE[token >>> 16]!;
    out.write(codes[FIRST_LENGTH + length]!, lengths[FIRST_LENGTH + length]!);
    out.write((token >>> 16) - LENGTH_BASE[length]!, LENGTH_EXTRA_BITS[length]!);
    const distance = DISTANCE_CODE[token & 0xffff]!;
    out.write(distanceCodes[distance]!, distanceLengths[distance]!);
    out.write((token & 0xffff) + 1 - DISTANCE_BASE[distance]!, DISTANCE_EXTRA_BITS[distance]!);
  }
  out.write(codes[END_OF_BLOCK]!, lengths[END_OF_BLOCK]!);
}

function writeLengths(out: BitWriter, lengths: Uint8Array, distanceLengths: Uint8Array): void {
  const literals = usedSize(lengths, FIRST_LENGTH);
  const distances = usedSize(distanceLengths, 1);
  const runs = [...runsOf([...lengths.subarray(0, literals), ...distanceLengths.subarray(0, distances)])];
  const counts = new Uint32Array(ORDER.length);
  for (const { symbol } of runs) counts[symbol]!++;
  const runLengths = codeLengths(counts, LONGEST_LENGTH_CODE);
  const inOrder = usedSize(
    Uint8Array.from(ORDER, (symbol) => runLengths[symbol]!),
    4,
  );
  out.write(literals - FIRST_LENGTH, 5);
  out.write(distances - 1, 5);
  out.write(inOrder - 4, 4);
  for (const symbol of ORDER.slice(0, inOrder)) out.write(runLengths[symbol]!, 3);
  const codes = assignCodes(runLengths);
  for (const { symbol, extra = 0, extraBits = 0 } of runs) {
    out.write(codes[symbol]!, runLengths[symbol]!);
    out.write(extra, extraBits);
  }
}

/** Without the zeros at the end. */
function usedSize(lengths: Uint8Array, atLeast: number): number {
  return Math.max(atLeast, lengths.findLastIndex((length) => length !== 0) + 1);
}

interface Run {
  readonly symbol: number;
  readonly extra?: number;
  readonly extraBits?: number;
}

function* runsOf(lengths: readonly number[]): Generator<Run> {
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at]!;
    let run = 1;
    while (lengths[at + run] === length) run++;
    const repeats = run - 1;
    if (length === 0 && run >= 11) {
      run = Math.min(run, 138);
      yield { symbol: MANY_ZEROS, extra: run - 11, extraBits: 7 };
    } else if (length === 0 && run >= 3) yield { symbol: FEW_ZEROS, extra: run - 3, extraBits: 3 };
    else {
      yield { symbol: length };
      run = 1;
      if (length !== 0 && repeats >= 3) {
        run += Math.min(repeats, 6);
        yield { symbol: REPEAT, extra: run - 4, extraBits: 2 };
      }
    }
    at += run;
  }
}
