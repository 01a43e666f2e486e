// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table or row, and these loops run for each byte of an image

import type { PngEngine, PngEngineExports } from "../engine.ts";
import * as alphabets from "./alphabets.ts";
import { DISTANCES_AT, ENGINE_SYMBOLS, LENGTHS_AT } from "./engine-symbols.ts";
import { assignCodes, codeLengths } from "./prefix-code.ts";
import type { SymbolCounts } from "./symbol-counts.ts";

const { DISTANCES, END_OF_BLOCK, FIRST_LENGTH, LENGTH_BASE, LENGTH_CODE, LENGTH_EXTRA_BITS } = alphabets;
const { MAX_MATCH, MIN_MATCH } = alphabets;

const LONGEST_CODE = 15;
const LONGEST_LENGTH_CODE = 7;
/** In the engine's codes, the number of bits is in the bits above the code. */
const COUNT_SHIFT = 24;
const DYNAMIC = 2;
/** The order of the lengths of the lengths' codes (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const [REPEAT, FEW_ZEROS, MANY_ZEROS] = [16, 17, 18];

/**
 * Writes the engine's first tokens as a block with its own Huffman codes (RFC 1951, 3.2.7).
 * @param size the number of tokens
 * @param counts of their symbols, without the end of the block
 */
export function writeBlock(engine: PngEngine, size: number, counts: SymbolCounts, isLast: boolean): void {
  const { loops } = engine;
  counts.literalsAndLengths[END_OF_BLOCK] = 1;
  const lengths = codeLengths(counts.literalsAndLengths, LONGEST_CODE);
  const distanceLengths = codeLengths(counts.distances, LONGEST_CODE);
  loops.writeBits(isLast ? 1 : 0, 1);
  loops.writeBits(DYNAMIC, 2);
  writeLengths(loops, lengths, distanceLengths);

  const codes = assignCodes(lengths);
  const target = engine.wordsAt(loops.codesAt(), ENGINE_SYMBOLS);
  for (let value = 0; value < 256; value++) target[value] = (lengths[value]! << COUNT_SHIFT) | codes[value]!;
  for (let length = MIN_MATCH; length <= MAX_MATCH; length++) {
    const code = LENGTH_CODE[length]!;
    const bits = lengths[FIRST_LENGTH + code]!;
    const extra = length - LENGTH_BASE[code]!;
    const count = bits + LENGTH_EXTRA_BITS[code]!;
    target[LENGTHS_AT + length] = (count << COUNT_SHIFT) | (extra << bits) | codes[FIRST_LENGTH + code]!;
  }
  const distanceCodes = assignCodes(distanceLengths);
  for (let code = 0; code < DISTANCES; code++) {
    target[DISTANCES_AT + code] = (distanceLengths[code]! << COUNT_SHIFT) | distanceCodes[code]!;
  }
  loops.writeTokens(size);
  loops.writeBits(codes[END_OF_BLOCK]!, lengths[END_OF_BLOCK]!);
}

function writeLengths(out: PngEngineExports, lengths: Uint8Array, distanceLengths: Uint8Array): void {
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
  out.writeBits(literals - FIRST_LENGTH, 5);
  out.writeBits(distances - 1, 5);
  out.writeBits(inOrder - 4, 4);
  for (const symbol of ORDER.slice(0, inOrder)) out.writeBits(runLengths[symbol]!, 3);
  const codes = assignCodes(runLengths);
  for (const { symbol, extra = 0, extraBits = 0 } of runs) {
    out.writeBits(codes[symbol]!, runLengths[symbol]!);
    out.writeBits(extra, extraBits);
  }
}

/** The size without zeros at the end. */
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
