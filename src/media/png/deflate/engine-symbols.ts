import { DISTANCES, LITERALS_AND_LENGTHS, MAX_MATCH } from "./alphabets.ts";

/** The engine's tables by symbol (`engine/symbols.ts`): literals, then every single length, then distance symbols. */
export const LENGTHS_AT = 256;
export const DISTANCES_AT = LENGTHS_AT + MAX_MATCH + 1;
export const ENGINE_SYMBOLS = DISTANCES_AT + DISTANCES;
/** The engine counts DEFLATE's symbols: literals and lengths, then distances. */
export const COUNTED_SYMBOLS = LITERALS_AND_LENGTHS + DISTANCES;
