/**
 * The inner loops of the JPEG recompressor and of previews, in AssemblyScript: inside workerd they take a third of the time of JavaScript
 * loops. The host (`../engine.ts`) reads markers, makes Huffman tables and chooses scans.
 */

export {
  beginAcScan,
  countAcLines,
  endCountedAcScan,
  endWrittenAcScan,
  writeAcLines,
} from "./code-ac";
export { addToDcScan, beginDcPass, beginDcScan, countDcRow, writeDcRow } from "./code-dc";
export { appendRow } from "./coefficient-store";
export { addComponent, clearRow, keepDcOnly, setStep } from "./component";
export { addConversion, convertRow } from "./convert-row";
export { decodeRow } from "./decode-scan";
export { beginCounting, beginWriting, codesOf, countedExtraBits, finishWriting, frequenciesOf } from "./entropy-sink";
export { forwardPlacesAt, forwardRow, forwardSamplesOf } from "./forward-row";
export { resetHeap } from "./heap";
export { addHuffmanTable } from "./huffman-table";
export { basisAt, placesAt, samplesOf, storedMeansOf } from "./samples";
export { addScan, addScanComponent, skipAcAfter } from "./scan";
