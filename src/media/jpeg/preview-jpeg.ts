import { previewScale, previewSize, type Size } from "../preview/preview-size.ts";
import { type Scaler, Scalers } from "../preview/scaler.ts";
import type { Pixels } from "../webp/webp-engine.ts";
import { addScans } from "./add-scans.ts";
import { Engine } from "./engine.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Component, JpegFile } from "./jpeg-file.ts";
import type { Limits } from "./parse-jpeg.ts";
import { NATURAL_ORDER } from "./quantisation.ts";
import type { JpegTools } from "./recompress-jpeg.ts";
import { toRgba } from "./to-rgba.ts";

/** What a row of MCUs takes on a slow machine, a block and a byte of coded data. */
const BLOCK_MS = 0.0001;
const SAMPLE_MS = 0.00001;
const CODED_BYTE_MS = 0.00003;
const MAX_STORE_BYTES = 16 * 1024 * 1024;
/** Of a sample that did not come. */
const GRAY = 128;

/** Samples that a block of 8 by 8 becomes, wide and high. */
export type BlockSide = 1 | 2 | 4 | 8;

/** Of progressive files few scans are decoded, of others one, so that more are no photo. */
export const PREVIEW_LIMITS: Limits = { maxPixels: 400_000_000, maxScans: 100, maxScanBlocks: 60_000_000 };

/** The least that a preview can be made of: 1 needs the DC coefficients alone. */
export function blockSideOf(size: Size): BlockSide {
  const scale = previewScale(size);
  return ([1, 2, 4] as const).find((side) => side / 8 >= scale) ?? 8;
}

export interface PreviewTools extends JpegTools {
  /** Of `preview/engine`, compiled. */
  readonly scaler: WebAssembly.Module;
}

/**
 * A JPEG's preview from its coefficients, as stored: not turned. The picture is decoded a row of MCUs at a time, at the part of its size
 * that is needed, and each component made smaller on its own, so that colours are changed in the preview's few pixels only. What is cut
 * off is gray, as in browsers.
 * @param source the file, as far as the scans of `file` reach
 * @throws JpegDeclined where nothing of it can be decoded
 * @throws what `tools.holdIfMore` throws
 */
export async function previewJpeg(
  tools: PreviewTools,
  source: Uint8Array<ArrayBuffer>,
  file: JpegFile,
  side: BlockSide,
): Promise<Pixels> {
  const size = previewSize(file);
  const scalers = new Scalers(tools.scaler);
  const planes = file.components.map((component) =>
    scalers.add({ channels: 1, ...sourceSize(file, component, side), ...size }),
  );
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
  const samples = planes.map((plane) => plane.finish(GRAY));
  return { data: toRgba(file, samples), ...size };
}

interface Decoding {
  readonly tools: PreviewTools;
  readonly engine: Engine;
  readonly file: JpegFile;
  readonly side: BlockSide;
}

async function decodeRows(
  { tools, engine, file, side }: Decoding,
  planes: readonly Scaler[],
  decodedRow: () => void,
): Promise<void> {
  const { loops } = engine;
  loops.resetHeap(MAX_STORE_BYTES);
  const scans = side === 1 ? file.scans.filter(({ ss }) => ss === 0) : file.scans;
  const components = file.components.map(({ h, v, blocksPerLine, blockLines, paddedBlocksPerLine }) =>
    loops.addComponent(h, v, blocksPerLine, blockLines, paddedBlocksPerLine),
  );
  for (const [index, component] of components.entries()) {
    const missing = missingDc(file, index);
    for (const [k, step] of file.components[index]?.steps.entries() ?? []) loops.setStep(component, k, step, missing);
  }
  writeBasis(engine, side);
  const added = addScans(engine, { ...file, scans }, components);
  if (side === 1) for (const scan of added) loops.skipAc(scan);
  const rowMs = estimateRowMs(file, scans, side);
  for (let mcuRow = 0; mcuRow < file.mcuRows; mcuRow++) {
    // DC coefficients replace those of the row before.
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

/** A component's samples at this part of their size (T.81, A.1.1). */
function sourceSize({ width, height, hMax, vMax }: JpegFile, { h, v }: Component, side: BlockSide) {
  return {
    sourceWidth: (Math.ceil((width * h) / hMax) * side) / 8,
    sourceHeight: (Math.ceil((height * v) / vMax) * side) / 8,
  };
}

/** The mean of those bits of a DC coefficient that no scan has brought (T.81, G.1.2.1). */
function missingDc({ scans }: JpegFile, index: number): number {
  const known = scans.filter(({ ss, components }) => ss === 0 && components.some((part) => part.index === index));
  const lowestBit = Math.min(...known.map(({ al }) => al));
  return known.length === 0 ? 0 : (2 ** lowestBit - 1) / 2;
}

function writeBasis({ loops }: Engine, side: BlockSide): void {
  const basis = new Float32Array(loops.memory.buffer, loops.basisAt(), side * side);
  for (let u = 0; u < side; u++) {
    // Twice, this also makes of 8 by 8 coefficients what a block of `side` by `side` would have.
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
