import { addScans } from "./add-scans.ts";
import { Engine } from "./engine.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { JpegFile, Scan } from "./jpeg-file.ts";
import type { Limits } from "./parse-jpeg.ts";
import { NATURAL_ORDER } from "./quantisation.ts";
import type { JpegTools } from "./recompress-jpeg.ts";

/** Time for a row of MCUs on a slow machine, per block and per byte of coded data. */
const BLOCK_MS = 0.0001;
const SAMPLE_MS = 0.00001;
const CODED_BYTE_MS = 0.00003;
const MAX_STORE_BYTES = 16 * 1024 * 1024;

/** The width and height, in samples, of a reduced block. */
export type BlockSide = 1 | 2 | 4 | 8;

/** The most scans of a photo: few scans of a progressive file are decoded, and one scan of other files. */
export const DECODING_LIMITS: Limits = { maxPixels: 400_000_000, maxScans: 100, maxScanBlocks: 60_000_000 };

/** The last coefficient in zigzag order that a reduced block needs. */
const LAST_K: Readonly<Record<BlockSide, number>> = { 1: 0, 2: 4, 4: 24, 8: 63 };

/** Takes the rows of one component. */
export interface RowSink {
  addRow(samples: Uint8Array): void;
}

/**
 * Decodes a picture's components at a reduced size, a row of MCUs at a time. After damage, the rest of the picture is missing.
 * @throws JpegDeclined if nothing can be decoded; the error of `tools.holdIfMore`
 */
export async function decodeReduced(
  tools: JpegTools,
  source: Uint8Array<ArrayBuffer>,
  file: JpegFile,
  { side, planes }: { readonly side: BlockSide; readonly planes: readonly RowSink[] },
): Promise<void> {
  let rows = 0;
  try {
    await Engine.use(tools.engine, source, (engine) =>
      decodeRows({ tools, engine, file, side }, planes, () => {
        rows += 1;
      }),
    );
  } catch (error) {
    if (!(error instanceof JpegDeclined) || rows === 0) throw error;
  }
}

interface Decoding {
  readonly tools: JpegTools;
  readonly engine: Engine;
  readonly file: JpegFile;
  readonly side: BlockSide;
}

async function decodeRows(
  { tools, engine, file, side }: Decoding,
  planes: readonly RowSink[],
  decodedRow: () => void,
): Promise<void> {
  const { loops } = engine;
  loops.resetHeap(MAX_STORE_BYTES);
  const lastK = LAST_K[side];
  const scans = scansUpTo(file.scans, lastK);
  const components = file.components.map(({ h, v, blocksPerLine, blockLines, paddedBlocksPerLine }) =>
    loops.addComponent(h, v, blocksPerLine, blockLines, paddedBlocksPerLine),
  );
  for (const [index, component] of components.entries()) {
    const missing = missingDc(file, index);
    for (const [k, step] of file.components[index]?.steps.entries() ?? []) loops.setStep(component, k, step, missing);
  }
  if (side === 1) for (const component of components) loops.keepDcOnly(component);
  writeBasis(engine, side);
  const added = addScans(engine, { ...file, scans }, components);
  if (side < 8) for (const [i, scan] of added.entries()) if (!scans[i]?.progressive) loops.skipAcAfter(scan, lastK);
  const rowMs = estimateRowMs(file, scans, side);
  for (let mcuRow = 0; mcuRow < file.mcuRows; mcuRow++) {
    // DC coefficients overwrite the previous row's.
    if (mcuRow === 0 || side > 1) for (const component of components) loops.clearRow(component);
    for (const scan of added) loops.decodeRow(scan, mcuRow);
    for (const [index, component] of components.entries()) {
      const { v = 1, blocksPerLine = 0, blockLines = 0 } = file.components[index] ?? {};
      const at = loops.samplesOf(component, mcuRow, side);
      const stride = blocksPerLine * side;
      const lines = Math.min(v, blockLines - mcuRow * v) * side;
      const samples = engine.memory.subarray(at, at + lines * stride);
      for (let line = 0; line < lines; line++) planes[index]?.addRow(samples.subarray(line * stride));
    }
    decodedRow();
    await (tools.holdIfMore(engine.heldBytes) ?? tools.yieldIfDue(rowMs));
  }
}

/**
 * The scans that have coefficients up to `lastK`. A refinement can only be read if the first bits of its whole band are known, so the scans
 * of that band are among them.
 */
function scansUpTo(scans: readonly Scan[], lastK: number): Scan[] {
  const refined = scans.filter(({ ss, ah }) => ah > 0 && ss > 0 && ss <= lastK);
  const isRefined = ({ ss, components }: Scan) =>
    refined.some((scan) => scan.se >= ss && components.some(({ index }) => index === scan.components[0]?.index));
  return scans.filter((scan) => scan.ss <= lastK || isRefined(scan));
}

/** The mean of the bits of a DC coefficient that no scan contains (T.81, G.1.2.1). */
function missingDc({ scans }: JpegFile, index: number): number {
  const known = scans.filter(({ ss, components }) => ss === 0 && components.some((part) => part.index === index));
  const lowestBit = Math.min(...known.map(({ al }) => al));
  return known.length === 0 ? 0 : (2 ** lowestBit - 1) / 2;
}

function writeBasis({ loops }: Engine, side: BlockSide): void {
  const basis = new Float32Array(loops.memory.buffer, loops.basisAt(), side * side);
  for (let u = 0; u < side; u++) {
    // The second factor, applied twice, scales the coefficients of an 8 by 8 block to a `side` by `side` block.
    const factor = Math.sqrt((u === 0 ? 1 : 2) / side) * Math.sqrt(side / 8);
    for (let x = 0; x < side; x++) basis[u * side + x] = factor * Math.cos(((2 * x + 1) * u * Math.PI) / (2 * side));
  }
  const places = new Uint8Array(loops.memory.buffer, loops.placesAt(), 64);
  for (const [k, natural] of NATURAL_ORDER.entries()) places[natural] = k;
}

function estimateRowMs({ components, mcuRows }: JpegFile, scans: JpegFile["scans"], side: BlockSide): number {
  const codedBytes = scans.reduce((sum, { start, end }) => sum + end - start, 0) / mcuRows;
  const blocks = components.reduce((sum, { paddedBlocksPerLine, v }) => sum + paddedBlocksPerLine * v, 0);
  return blocks * (BLOCK_MS + side ** 3 * SAMPLE_MS) + codedBytes * CODED_BYTE_MS;
}
