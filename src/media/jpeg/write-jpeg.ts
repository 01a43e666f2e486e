import type { CoefficientStore } from "./coefficient-store.ts";
import { BitWriter, type EntropySink, SymbolCounter } from "./entropy-sink.ts";
import { type HuffmanEncoder, makeHuffmanEncoder } from "./huffman-encoder.ts";
import type { JpegFile } from "./jpeg-file.ts";
import { DHT, DQT, EOI, SOF2, SOI, SOS } from "./markers.ts";
import { metadataSegments, segment } from "./metadata-segments.ts";
import { AcCoder, type AcScan, type CodedComponent, codeDcFirst } from "./scan-coder.ts";
import { chooseAcScans } from "./scan-script.ts";

/** More blocks than this in an MCU are not allowed in an interleaved scan (B.2.3). */
const MAX_MCU_BLOCKS = 10;

/**
 * A progressive JPEG (T.81, annex G) of the stored coefficients, with Huffman tables of its own for each scan.
 * @param steps the quantisation steps of each component
 * @returns the file in pieces
 */
export function writeJpeg(
  file: JpegFile,
  stores: readonly CoefficientStore[],
  steps: readonly Uint16Array[],
): Uint8Array[] {
  const { tables, tableOf } = distinctTables(steps);
  const pieces = [
    Uint8Array.of(0xff, SOI),
    ...metadataSegments(file.metadata),
    ...tables.map((table, id) => quantisationSegment(table, id)),
    frameSegment(file, tableOf),
  ];
  const components = file.components.map(
    ({ h, v }, i): CodedComponent => ({ h, v, store: stores[i] as CoefficientStore }),
  );
  const everything = components.map((_, i) => i);
  const mcuBlocks = components.reduce((sum, { h, v }) => sum + h * v, 0);
  for (const indexes of mcuBlocks <= MAX_MCU_BLOCKS ? [everything] : everything.map((i) => [i])) {
    pieces.push(...dcScan(file, components, indexes));
  }
  for (const [index, { store }] of components.entries()) {
    for (const scan of chooseAcScans(store, index === 0)) pieces.push(...acScan(file, index, store, scan));
  }
  pieces.push(Uint8Array.of(0xff, EOI));
  return pieces;
}

/** A scan's first pass counts its symbols, the second writes them with tables made of the counts. */
function codeScan(
  tableCount: number,
  code: (sink: EntropySink) => void,
): { tables: HuffmanEncoder[]; data: readonly Uint8Array[] } {
  const counter = new SymbolCounter(tableCount);
  code(counter);
  const tables = counter.frequencies.map(makeHuffmanEncoder);
  const writer = new BitWriter(tables);
  code(writer);
  return { tables, data: writer.finish() };
}

/** At most two DC tables are shared by the components, as baseline decoders expect: luma's, and the others'. */
function dcScan(file: JpegFile, components: readonly CodedComponent[], indexes: readonly number[]): Uint8Array[] {
  const coded = indexes.map((index) => components[index] as CodedComponent);
  const tableOf = indexes.map((index) => (index === 0 || indexes.length === 1 ? 0 : 1));
  const { tables, data } = codeScan(Math.max(...tableOf) + 1, (sink) =>
    codeDcFirst(coded, file.mcusPerLine, file.mcuRows, 0, {
      symbol: (place, symbol, extra, extraBits) => sink.symbol(tableOf[place] as number, symbol, extra, extraBits),
      bits: (value, count) => sink.bits(value, count),
    }),
  );
  const selectors = indexes.map(
    (index, place) => [file.components[index]?.id ?? 0, (tableOf[place] ?? 0) << 4] as const,
  );
  return [huffmanSegment(0, tables), scanSegment(selectors, { ss: 0, se: 0, ah: 0, al: 0 }), ...data];
}

function acScan(file: JpegFile, index: number, store: CoefficientStore, scan: AcScan): Uint8Array[] {
  const { tables, data } = codeScan(1, (sink) => new AcCoder(sink).code(store, scan));
  return [huffmanSegment(1, tables), scanSegment([[file.components[index]?.id ?? 0, 0]], scan), ...data];
}

/** B.2.4.1; equal tables are stored once. */
function distinctTables(steps: readonly Uint16Array[]): { tables: Uint16Array[]; tableOf: number[] } {
  const tables: Uint16Array[] = [];
  const tableOf = steps.map((own) => {
    const known = tables.findIndex((table) => table.every((step, k) => step === own[k]));
    return known === -1 ? tables.push(own) - 1 : known;
  });
  return { tables, tableOf };
}

/** 16 bits a step only where the source has such a step itself. */
function quantisationSegment(steps: Uint16Array, id: number): Uint8Array {
  const wide = steps.some((step) => step > 255);
  const bytes = wide ? Array.from(steps, (step) => [step >> 8, step & 255]).flat() : Array.from(steps);
  return segment(DQT, [(wide ? 0x10 : 0) | id, ...bytes]);
}

/** B.2.2 */
function frameSegment({ width, height, components }: JpegFile, tableOf: readonly number[]): Uint8Array {
  const factors = components.flatMap(({ id, h, v }, i) => [id, (h << 4) | v, tableOf[i] ?? 0]);
  return segment(SOF2, [8, height >> 8, height & 255, width >> 8, width & 255, components.length, ...factors]);
}

/** B.2.4.2 */
function huffmanSegment(tableClass: 0 | 1, tables: readonly HuffmanEncoder[]): Uint8Array {
  return segment(
    DHT,
    tables.flatMap(({ counts, symbols }, id) => [(tableClass << 4) | id, ...counts, ...symbols]),
  );
}

/** B.2.3 */
function scanSegment(
  selectors: readonly (readonly [id: number, tables: number])[],
  { ss, se, ah, al }: AcScan,
): Uint8Array {
  return segment(SOS, [selectors.length, ...selectors.flat(), ss, se, (ah << 4) | al]);
}
