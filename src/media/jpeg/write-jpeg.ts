import type { Engine, EngineExports } from "./engine.ts";
import { type HuffmanEncoder, makeHuffmanEncoder } from "./huffman-encoder.ts";
import type { JpegFile } from "./jpeg-file.ts";
import { DHT, DQT, EOI, SOF2, SOI, SOS } from "./markers.ts";
import { metadataSegments, segment } from "./metadata-segments.ts";
import { type AcScan, chooseAcScans } from "./scan-script.ts";

/** More blocks than this in an MCU are not allowed in an interleaved scan (B.2.3). */
const MAX_MCU_BLOCKS = 10;

/**
 * A progressive JPEG (T.81, annex G) of the engine's coefficients, with Huffman tables of its own for each scan.
 * @param components the engine's
 * @param steps the quantisation steps of each component
 * @returns the file in pieces
 */
export function writeJpeg(
  engine: Engine,
  file: JpegFile,
  components: readonly number[],
  steps: readonly Uint16Array[],
): Uint8Array[] {
  const { tables, tableOf } = distinctTables(steps);
  const pieces = [
    Uint8Array.of(0xff, SOI),
    ...metadataSegments(file.metadata),
    ...tables.map((table, id) => quantisationSegment(table, id)),
    frameSegment(file, tableOf),
  ];
  const everything = components.map((_, i) => i);
  const mcuBlocks = file.components.reduce((sum, { h, v }) => sum + h * v, 0);
  for (const indexes of mcuBlocks <= MAX_MCU_BLOCKS ? [everything] : everything.map((i) => [i])) {
    pieces.push(...dcScan(engine, file, components, indexes));
  }
  for (const [index, component] of components.entries()) {
    const { id = 0, blockLines = 0 } = file.components[index] ?? {};
    for (const scan of chooseAcScans(engine, component, blockLines, index === 0)) {
      pieces.push(...acScan(engine, component, id, scan));
    }
  }
  pieces.push(Uint8Array.of(0xff, EOI));
  return pieces;
}

/** A scan's first pass counts its symbols, the second writes them with tables made of the counts. */
function codeScan(
  engine: Engine,
  tableCount: number,
  count: (loops: EngineExports) => void,
  write: (loops: EngineExports) => void,
): { tables: HuffmanEncoder[]; data: readonly Uint8Array[] } {
  const { loops } = engine;
  loops.beginCounting();
  count(loops);
  const tables = Array.from({ length: tableCount }, (_, table) => makeHuffmanEncoder(engine.frequencies(table)));
  for (const [place, table] of tables.entries()) engine.setCodes(place, table);
  loops.beginWriting();
  write(loops);
  loops.finishWriting();
  return { tables, data: engine.takeWritten() };
}

/** At most two DC tables are shared by the components, as baseline decoders expect: luma's, and the others'. */
function dcScan(
  engine: Engine,
  { components: about, mcusPerLine, mcuRows }: JpegFile,
  components: readonly number[],
  indexes: readonly number[],
): Uint8Array[] {
  const tableOf = indexes.map((index) => (index === 0 || indexes.length === 1 ? 0 : 1));
  engine.loops.beginDcScan();
  for (const [place, index] of indexes.entries()) {
    engine.loops.addToDcScan(components[index] ?? 0, tableOf[place] ?? 0);
  }
  const { tables, data } = codeScan(
    engine,
    Math.max(...tableOf) + 1,
    (loops) => loops.countDcScan(mcusPerLine, mcuRows),
    (loops) => loops.writeDcScan(mcusPerLine, mcuRows),
  );
  const selectors = indexes.map((index, place) => [about[index]?.id ?? 0, (tableOf[place] ?? 0) << 4] as const);
  return [huffmanSegment(0, tables), scanSegment(selectors, { ss: 0, se: 0, ah: 0, al: 0 }), ...data];
}

function acScan(engine: Engine, component: number, id: number, scan: AcScan): Uint8Array[] {
  const { ss, se, ah, al } = scan;
  const { tables, data } = codeScan(
    engine,
    1,
    (loops) => loops.countAcScan(component, ss, se, ah, al, 1),
    (loops) => loops.writeAcScan(component, ss, se, ah, al),
  );
  return [huffmanSegment(1, tables), scanSegment([[id, 0]], scan), ...data];
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
