import type { Engine } from "./engine.ts";
import type { HuffmanDecoder } from "./huffman-decoder.ts";
import type { JpegFile } from "./jpeg-file.ts";

/**
 * What an AC magnitude, in target steps, is rounded with: less than a half, as zeros are cheaper than they are missed, and
 * in chroma even less so. Found by comparing bytes and SSIM with mozjpeg's trellis quantisation.
 */
const LUMA_ROUNDING = 0.36;
const CHROMA_ROUNDING = 0.3;

/**
 * Decodes a picture into the engine, a row of MCUs at a time, with other quantisation steps.
 * @param steps of each component, none smaller than the source's
 * @param maxBytes that the coefficients may take
 * @returns the engine's components
 * @throws JpegDeclined where the data is damaged, or there is too much of it
 */
export function requantise(engine: Engine, file: JpegFile, steps: readonly Uint16Array[], maxBytes: number): number[] {
  const { loops } = engine;
  loops.resetHeap(maxBytes);
  const components = file.components.map(({ h, v, blocksPerLine, blockLines, paddedBlocksPerLine }) =>
    loops.addComponent(h, v, blocksPerLine, blockLines, paddedBlocksPerLine),
  );
  for (const [i, component] of components.entries()) {
    const rounding = isChroma(file, i) ? CHROMA_ROUNDING : LUMA_ROUNDING;
    for (const [k, step] of file.components[i]?.steps.entries() ?? []) {
      const ratio = step / (steps[i]?.[k] ?? step);
      loops.setStep(component, k, ratio, ratio === 1 ? 0 : rounding);
    }
  }
  const scans = addScans(engine, file, components);
  for (let mcuRow = 0; mcuRow < file.mcuRows; mcuRow++) {
    for (const component of components) loops.clearRow(component);
    for (const scan of scans) loops.decodeRow(scan, mcuRow);
    for (const component of components) loops.appendRow(component, mcuRow);
  }
  return components;
}

function addScans(engine: Engine, file: JpegFile, components: readonly number[]): number[] {
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

/** JFIF and Adobe: the second and third component are Cb and Cr, unless the file says RGB or CMYK. */
function isChroma({ components, metadata: { adobeTransform, density } }: JpegFile, index: number): boolean {
  if (index === 0 || index === 3 || components.length < 3) return false;
  if (components.length === 4) return adobeTransform === 2;
  if (density !== undefined) return true;
  return adobeTransform === undefined
    ? String.fromCharCode(...components.map(({ id }) => id)) !== "RGB"
    : adobeTransform !== 0;
}
