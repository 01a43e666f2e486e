import { allocate, allocateWithinBudget, allocateZeros } from "./heap";

/** A block's 64 coefficients of 16 bits, in zigzag order. */
export const BLOCK_BYTES: usize = 128;
/** A block of which only the DC coefficient is kept. */
const DC_BYTES: usize = 2;
/** One bit for each of a block's coefficients: whether it is not zero. */
export const FLAG_BYTES: usize = 8;

/** A component of the frame: one row of its blocks as decoded, and all of them requantised. */
@unmanaged
export class Component {
  h: i32;
  v: i32;
  blocksPerLine: i32;
  blockLines: i32;
  paddedBlocksPerLine: i32;
  /** u8 samples of a row of MCUs, for previews. */
  samples: usize;

  /** The blocks of one row of MCUs, and the bytes of each. */
  row: usize;
  blockBytes: usize;
  /** Each block of the row has a bit for each k: whether the coefficient is not zero. Refinements of progressive scans need it. */
  nonZeros: usize;

  /** Source step / target step, by k: f64. */
  ratios: usize;
  /** Added to an AC magnitude before it is truncated, by k: f64. */
  roundings: usize;
  /** The largest AC magnitude that becomes 0, by k: u16. */
  zeros: usize;

  /** Each requantised block has its DC, and the number of entries of its AC coefficients in the store. */
  dc: usize;
  counts: usize;
  /** Each line of blocks has its start in the store, and the end of the chunk that it begins in. */
  linePlaces: usize;
  lineChunkEnds: usize;
  /** The next free place of the store; 0 before it has a chunk. */
  place: usize;
  chunkEnd: usize;
  block: i32;
}

/** @returns the component; `setStep` comes next */
export function addComponent(h: i32, v: i32, blocksPerLine: i32, blockLines: i32, paddedBlocksPerLine: i32): Component {
  const component = changetype<Component>(allocateZeros(offsetof<Component>()));
  component.h = h;
  component.v = v;
  component.blocksPerLine = blocksPerLine;
  component.blockLines = blockLines;
  component.paddedBlocksPerLine = paddedBlocksPerLine;
  component.row = allocate(rowBlocks(component) * BLOCK_BYTES);
  component.blockBytes = BLOCK_BYTES;
  component.nonZeros = allocate(rowBlocks(component) * FLAG_BYTES);
  component.ratios = allocate(64 << 3);
  component.roundings = allocate(64 << 3);
  component.zeros = allocate(64 << 1);
  const blocks = blocksPerLine * blockLines;
  component.dc = allocateWithinBudget(blocks << 1);
  component.counts = allocateWithinBudget(blocks);
  component.linePlaces = allocateWithinBudget(blockLines << 2);
  component.lineChunkEnds = allocateWithinBudget(blockLines << 2);
  return component;
}

/** @param rounding of AC magnitudes whose step changes, in target steps */
export function setStep(component: Component, k: i32, ratio: f64, rounding: f64): void {
  store<f64>(component.ratios + (k << 3), ratio);
  store<f64>(component.roundings + (k << 3), rounding);
  let zero = 0;
  // DC is stored separately, so its magnitudes are skipped here.
  if (k === 0) zero = 0xffff;
  else while (zero < 0x7fff && <i32>(<f64>(zero + 1) * ratio + rounding) === 0) zero++;
  store<u16>(component.zeros + (k << 1), zero);
}

/** Keeps only the DC coefficients of the row, side by side, for a picture of which no others are decoded. */
export function keepDcOnly(component: Component): void {
  component.blockBytes = DC_BYTES;
}

export function clearRow(component: Component): void {
  memory.fill(component.row, 0, rowBlocks(component) * BLOCK_BYTES);
  memory.fill(component.nonZeros, 0, rowBlocks(component) * FLAG_BYTES);
}

/** The address of a block in the row. @param line of the row's lines of blocks */
export function blockAt(component: Component, line: i32, column: i32): usize {
  return component.row + <usize>(line * component.paddedBlocksPerLine + column) * component.blockBytes;
}

/** The address of a block's non-zero bits: u64. */
export function nonZerosOf(component: Component, block: usize): usize {
  return component.nonZeros + ((block - component.row) / BLOCK_BYTES) * FLAG_BYTES;
}

/** Blocks of a row of MCUs. */
export function rowBlocks(component: Component): usize {
  return <usize>(component.paddedBlocksPerLine * component.v);
}
