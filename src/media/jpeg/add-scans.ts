import type { Engine } from "./engine.ts";
import type { HuffmanDecoder } from "./huffman-decoder.ts";
import type { JpegFile } from "./jpeg-file.ts";

/**
 * Gives the engine a file's scans and their tables. @param components the engine's, in the order of the frame @returns the engine's scans
 */
export function addScans(
  engine: Engine,
  file: Pick<JpegFile, "scans" | "mcusPerLine">,
  components: readonly number[],
): number[] {
  const { loops } = engine;
  const tables = new Map<HuffmanDecoder, number>();
  const addTable = (table: HuffmanDecoder | undefined): number => {
    if (table === undefined) return 0;
    const at = tables.get(table) ?? writeTable(engine, table);
    tables.set(table, at);
    return at;
  };
  return file.scans.map(({ start, end, progressive, ss, se, ah, al, restartInterval, components: parts }) => {
    const scan = loops.addScan(start, end, Number(progressive), ss, se, ah, al, file.mcusPerLine, restartInterval);
    for (const { index, dc, ac } of parts) {
      loops.addScanComponent(scan, components[index] ?? 0, addTable(dc), addTable(ac));
    }
    return scan;
  });
}

function writeTable(engine: Engine, { lookup, limits, offsets, symbols }: HuffmanDecoder): number {
  const start = engine.loops.addHuffmanTable();
  const { memory } = engine;
  let at = start;
  for (const { buffer, byteOffset, byteLength } of [lookup, limits, offsets, symbols]) {
    memory.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return start;
}
