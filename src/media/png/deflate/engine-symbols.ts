import { DISTANCES, MAX_MATCH } from "./alphabets.ts";

/** The engine's tables by symbol (`engine/symbols.ts`): literals, then every single length, then distance symbols. */
export const LENGTHS_AT = 256;
export const DISTANCES_AT = LENGTHS_AT + MAX_MATCH + 1;
export const ENGINE_SYMBOLS = DISTANCES_AT + DISTANCES;
