import { allocate, allocateWithinBudget, allocateZeros } from "./heap";

/** A block's 64 coefficients of 16 bits, in zigzag order. */
export const BLOCK_BYTES: usize = 128;
/** The bits that tell which of a block's coefficients are not zero. */
const FLAG_BYTES: usize = 8;

/** A component of the frame: one row of its blocks as decoded, and all of them requantised. */
@unmanaged
export class Component {
  h: i32;
  v: i32;
  blocksPerLine: i32;
  blockLines: i32;
  paddedBlocksPerLine: i32;
  /** Samples of a row of MCUs, where they are asked for: u8. */
  samples: usize;

  /** The blocks of one row of MCUs. */
  row: usize;
  /** For each of them, which coefficients are not zero: a bit for each k. Kept by progressive scans, whose refinements need it. */
  nonZeros: usize;

  /** Source step / target step, by k: f64. */
  ratios: usize;
  /** What is added to an AC magnitude before it is cut off, by k: f64. */
  roundings: usize;
  /** The largest AC magnitude that becomes 0, by k: u16. */
  zeros: usize;

  /** For each block, requantised: DC, and how many entries its AC coefficients have in the store. */
  dc: usize;
  counts: usize;
  /** Where each line of blocks begins in the store, and where the chunk ends that it begins in. */
  linePlaces: usize;
  lineChunkEnds: usize;
  /** Where the store goes on; 0 as long as it has no chunk. */
  place: usize;
  chunkEnd: usize;
  block: i32;
}

/** @returns the component; `setQuantisation` comes next */
export function addComponent(h: i32, v: i32, blocksPerLine: i32, blockLines: i32, paddedBlocksPerLine: i32): Component {
  const component = changetype<Component>(allocateZeros(offsetof<Component>()));
  component.h = h;
  component.v = v;
  component.blocksPerLine = blocksPerLine;
  component.blockLines = blockLines;
  component.paddedBlocksPerLine = paddedBlocksPerLine;
  component.row = allocate(rowBlocks(component) * BLOCK_BYTES);
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
  // DC is stored apart, so no magnitude of it counts.
  if (k === 0) zero = 0xffff;
  else while (zero < 0x7fff && <i32>(<f64>(zero + 1) * ratio + rounding) === 0) zero++;
  store<u16>(component.zeros + (k << 1), zero);
}

export function clearRow(component: Component): void {
  memory.fill(component.row, 0, rowBlocks(component) * BLOCK_BYTES);
  memory.fill(component.nonZeros, 0, rowBlocks(component) * FLAG_BYTES);
}

/** Where in the row a block is. @param line of the row's lines of blocks */
export function blockAt(component: Component, line: i32, column: i32): usize {
  return component.row + <usize>(line * component.paddedBlocksPerLine + column) * BLOCK_BYTES;
}

/** Where it is noted which coefficients of a row's block are not zero: u64. */
export function nonZerosOf(component: Component, block: usize): usize {
  return component.nonZeros + ((block - component.row) / BLOCK_BYTES) * FLAG_BYTES;
}

/** Blocks of a row of MCUs. */
export function rowBlocks(component: Component): usize {
  return <usize>(component.paddedBlocksPerLine * component.v);
}
