/**
 * The inner loops of the PNG compressor, in AssemblyScript: inside workerd they take a fraction of the time of the same loops in
 * JavaScript. The host (`../engine.ts`) unpacks the picture, decides what is filtered, splits blocks and makes Huffman codes.
 *
 * Filtering comes first, then deflating: both lay their tables out in the same memory, which holds a row or a segment at a time.
 */

export { finishBits, writeBits } from "./bit-writer";
export { chooseExactly, chooseRoughly, lastLengthsAt } from "./cheapest-tokens";
export { beginChecksum, checksumSegment } from "./checksum";
export { beginFilters, chooseFilter, filteredRowAt, rowAt, weightsAt } from "./choose-filter";
export { findMatches } from "./match-finder";
export { beginDeflate, segmentAt } from "./segment";
export { codesAt, costsAt, countsAt } from "./symbols";
export { bytesOfTokens, countTokens, writeTokens } from "./tokens";
