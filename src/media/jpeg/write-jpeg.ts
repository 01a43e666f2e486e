import { minimalExif } from "../exif/minimal-exif.ts";
import type { Engine, EngineExports } from "./engine.ts";
import { HUFFMAN_MS, type HuffmanEncoder, makeHuffmanEncoder } from "./huffman-encoder.ts";
import type { JpegFile, Metadata } from "./jpeg-file.ts";
import { APP0, APP1, APP2, APP14, DHT, DQT, EOI, SOF2, SOI, SOS } from "./markers.ts";
import type { Pause } from "./pause.ts";
import { type AcComponent, type AcScan, chooseAcScans } from "./scan-script.ts";

/** The most blocks that an MCU of an interleaved scan may have (B.2.3). */
const MAX_MCU_BLOCKS = 10;
/** Time for coding on a slow machine, twice the measured time: for each block, and for each byte of the engine's store. */
const BLOCK_MS = 0.00003;
const STORED_BYTE_MS = 0.00001;
/** Time between pauses on a slow machine. Thousands of them would take a good part of a first photo's time. */
const STEP_MS = 1;

export interface RequantisedPicture {
  /** The engine's components. */
  readonly components: readonly number[];
  /** The quantisation steps of each component. */
  readonly steps: readonly Uint16Array[];
  /** Further segments, which follow the metadata. */
  readonly segments?: readonly Uint8Array[];
}

/**
 * Writes a progressive JPEG (T.81, annex G) of the engine's coefficients, with Huffman tables of its own for each scan.
 * @param pause called after each row
 * @returns the file in pieces
 */
export async function writeJpeg(
  engine: Engine,
  file: JpegFile,
  { components, steps, segments = [] }: RequantisedPicture,
  pause: Pause,
  chooseScans = chooseAcScans,
): Promise<Uint8Array[]> {
  const { tables, tableOf } = distinctTables(steps);
  const pieces = [
    Uint8Array.of(0xff, SOI),
    ...metadataSegments(file.metadata),
    ...segments,
    ...tables.map((table, id) => quantisationSegment(table, id)),
    frameSegment(file, tableOf),
  ];
  const blocks = file.components.reduce((sum, each) => sum + each.blocksPerLine * each.blockLines, 0);
  const storedBytes = engine.memory.length / blocks;
  const everything = components.map((_, i) => i);
  const mcuBlocks = file.components.reduce((sum, { h, v }) => sum + h * v, 0);
  for (const indexes of mcuBlocks <= MAX_MCU_BLOCKS ? [everything] : everything.map((i) => [i])) {
    pieces.push(...(await dcScan(engine, file, { components, indexes }, pause)));
  }
  for (const [index, component] of components.entries()) {
    const { id = 0, blockLines = 0, blocksPerLine = 0 } = file.components[index] ?? {};
    const lineMs = blocksPerLine * (BLOCK_MS + storedBytes * STORED_BYTE_MS);
    const acComponent = { at: component, blockLines, isLuma: index === 0, lineMs };
    for (const scan of await chooseScans(engine, acComponent, pause)) {
      pieces.push(...(await acScan(engine, { ...acComponent, id }, scan, pause)));
    }
  }
  pieces.push(Uint8Array.of(0xff, EOI));
  return pieces;
}

/** The two passes of a scan: one counts its symbols, the other writes them with tables made from the counts. */
interface ScanPasses {
  readonly tableCount: number;
  count(loops: EngineExports): Promise<void>;
  write(loops: EngineExports): Promise<void>;
}

async function codeScan(
  engine: Engine,
  { tableCount, count, write }: ScanPasses,
  pause: Pause,
): Promise<{ tables: HuffmanEncoder[]; data: readonly Uint8Array[] }> {
  const { loops } = engine;
  loops.beginCounting();
  await count(loops);
  const tables = Array.from({ length: tableCount }, (_, table) => makeHuffmanEncoder(engine.frequencies(table)));
  for (const [place, table] of tables.entries()) engine.setCodes(place, table);
  await pause(tableCount * HUFFMAN_MS);
  loops.beginWriting();
  await write(loops);
  loops.finishWriting();
  return { tables, data: engine.takeWritten() };
}

/** The components share at most two DC tables, as baseline decoders expect: luma's and the others'. */
async function dcScan(
  engine: Engine,
  { components: about, mcusPerLine, mcuRows }: JpegFile,
  { components, indexes }: { readonly components: readonly number[]; readonly indexes: readonly number[] },
  pause: Pause,
): Promise<Uint8Array[]> {
  const tableOf = indexes.map((index) => (index === 0 || indexes.length === 1 ? 0 : 1));
  const rowBlocks = indexes.reduce(
    (sum, index) => sum + (about[index]?.v ?? 0) * (about[index]?.blocksPerLine ?? 0),
    0,
  );
  engine.loops.beginDcScan();
  for (const [place, index] of indexes.entries()) {
    engine.loops.addToDcScan(components[index] ?? 0, tableOf[place] ?? 0);
  }
  const forRows = async (code: (row: number) => void) => {
    engine.loops.beginDcPass();
    for (let row = 0; row < mcuRows; row++) {
      code(row);
      await pause(rowBlocks * BLOCK_MS);
    }
  };
  const passes: ScanPasses = {
    tableCount: Math.max(...tableOf) + 1,
    count: (loops) => forRows((row) => loops.countDcRow(mcusPerLine, row)),
    write: (loops) => forRows((row) => loops.writeDcRow(mcusPerLine, row)),
  };
  const { tables, data } = await codeScan(engine, passes, pause);
  const selectors = indexes.map((index, place) => [about[index]?.id ?? 0, (tableOf[place] ?? 0) << 4] as const);
  return [huffmanSegment(0, tables), scanSegment(selectors, { ss: 0, se: 0, ah: 0, al: 0 }), ...data];
}

async function acScan(
  engine: Engine,
  { at, id, blockLines, lineMs }: AcComponent & { readonly id: number },
  scan: AcScan,
  pause: Pause,
): Promise<Uint8Array[]> {
  const step = Math.max(1, Math.floor(STEP_MS / lineMs));
  const forLines = async (code: (from: number, to: number) => void) => {
    engine.loops.beginAcScan(at, scan.ss, scan.se, scan.ah, scan.al);
    for (let line = 0; line < blockLines; line += step) {
      code(line, Math.min(line + step, blockLines));
      await pause(step * lineMs);
    }
  };
  const passes: ScanPasses = {
    tableCount: 1,
    async count(loops) {
      await forLines((from, to) => loops.countAcLines(from, to));
      loops.endCountedAcScan();
    },
    async write(loops) {
      await forLines((from, to) => loops.writeAcLines(from, to));
      loops.endWrittenAcScan();
    },
  };
  const { tables, data } = await codeScan(engine, passes, pause);
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

/** A table has 16 bits a step only if the source has such a step itself. */
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

const text = (value: string) => Array.from(value, (char) => char.charCodeAt(0));

/** A marker segment (T.81, B.1.1.4). */
function segment(marker: number, content: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 + content.length);
  bytes.set([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]);
  bytes.set(content, 4);
  return bytes;
}

/** The segments of the metadata that stays: intended size, orientation and colours (COMP-5). */
function metadataSegments(metadata: Metadata): Uint8Array[] {
  const { album, density, iccSegments, orientation, exifSize, adobeTransform } = metadata;
  const exif = minimalExif(orientation, exifSize, album?.boost);
  // Apple marks files of several pictures so.
  const mark = album?.isApple ? text("AMPF") : [];
  return [
    ...(density === undefined ? [] : [segment(APP0, [...text("JFIF\0"), 1, 1, ...density, 0, 0, ...mark])]),
    ...(exif === undefined ? [] : [segment(APP1, exif)]),
    ...iccSegments.map((content) => segment(APP2, content)),
    ...(adobeTransform === undefined ? [] : [segment(APP14, [...text("Adobe"), 0, 100, 0, 0, 0, 0, adobeTransform])]),
  ];
}
