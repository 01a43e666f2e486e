/**
 * The inner loops of the PNG compressor, in AssemblyScript: inside workerd they take a fraction of the time of JavaScript loops. The host
 * (`../engine.ts`) chooses the new form, splits blocks and makes Huffman codes.
 *
 * A picture is read twice, a row at a time: once to analyse it, once to filter and deflate it. All tables are in one heap, which is reset
 * for each picture.
 */

export { addClear, analyseRows, analysis, beginAnalysis, foundAt, foundColours, setKey } from "./analyse";
export { beginDeflate } from "./begin-deflate";
export { finishBits, writeBits } from "./bit-writer";
export { chooseExactly, chooseFast, chooseRoughly, lastLengthsAt } from "./cheapest-tokens";
export { checksumSegment } from "./checksum";
export { addRawLines, addStrip, beginLines, stripBytes, takeEstimate } from "./lines";
export { takeLooks } from "./looks";
export { findMatches, setEffort } from "./match-finder";
export { indicesAt, pickBytes, picksAt, useIndices } from "./reduce";
export { beginRgba, readPasses, rgbaRow, setRgbaKey } from "./rgba-rows";
export { added, dataBytes, freeAt, leaveSegment, segmentAt } from "./segment";
export { addPass, beginPicture, beginReading, coloursAt, endsWell, readAtOnce, setColourCount } from "./source-rows";
export { bytesOfBlock, countsOfBlock, splitBlocks } from "./split-blocks";
export { codesAt, costsAt, countsAt } from "./symbols";
export { countTokens, writeTokens } from "./tokens";
export { weightsAt } from "./weight";
