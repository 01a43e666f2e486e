import { DISTANCES, LITERALS_AND_LENGTHS } from "./alphabets.ts";

/** Counts of DEFLATE's symbols. */
export interface SymbolCounts {
  readonly literalsAndLengths: Uint32Array;
  readonly distances: Uint32Array;
}

/** @param counts the engine's, which are copied */
export function symbolCounts(counts: Uint32Array): SymbolCounts {
  return {
    literalsAndLengths: counts.slice(0, LITERALS_AND_LENGTHS),
    distances: counts.slice(LITERALS_AND_LENGTHS, LITERALS_AND_LENGTHS + DISTANCES),
  };
}
