import { bitLength, TestBitWriter, type TestTable } from "./bit-writer.ts";
import type { CoefficientPicture, CoefficientPlane } from "./coefficients.ts";

interface ScanPlan {
  readonly of: readonly number[];
  readonly ss: number;
  readonly se: number;
  readonly ah: number;
  readonly al: number;
  readonly restartInterval: number;
  readonly progressive: boolean;
  readonly dc: TestTable;
  readonly ac: TestTable;
}

/** The entropy-coded data of one scan (T.81, F.1.2 and G.1.2), written plainly rather than fast. */
export function writeScan(picture: CoefficientPicture, plan: ScanPlan): Buffer {
  const coder = new BlockCoder(plan);
  const mcus = plan.of.length === 1 ? loneBlocks(picture, plan.of[0] ?? 0) : interleavedBlocks(picture, plan.of);
  let count = 0;
  for (const blocks of mcus) {
    if (plan.restartInterval > 0 && count > 0 && count % plan.restartInterval === 0) {
      coder.restart(count / plan.restartInterval - 1);
    }
    for (const { block, place } of blocks) coder.code(block, place);
    count += 1;
  }
  return coder.finish();
}

type McuBlocks = { readonly block: Int16Array; readonly place: number }[];

function blockAt(plane: CoefficientPlane, line: number, column: number): Int16Array {
  const at = (line * plane.paddedBlocksPerLine + column) * 64;
  return plane.coefficients.subarray(at, at + 64);
}

function* loneBlocks({ components }: CoefficientPicture, index: number): Generator<McuBlocks> {
  const plane = components[index] as CoefficientPlane;
  for (let line = 0; line < plane.blockLines; line++) {
    for (let column = 0; column < plane.blocksPerLine; column++) {
      yield [{ block: blockAt(plane, line, column), place: 0 }];
    }
  }
}

function* interleavedBlocks(picture: CoefficientPicture, of: readonly number[]): Generator<McuBlocks> {
  for (let mcu = 0; mcu < picture.mcusPerLine * picture.mcuRows; mcu++) {
    const [row, column] = [Math.floor(mcu / picture.mcusPerLine), mcu % picture.mcusPerLine];
    yield of.flatMap((index, place) => {
      const plane = picture.components[index] as CoefficientPlane;
      return Array.from({ length: plane.h * plane.v }, (_, i) => ({
        block: blockAt(plane, row * plane.v + Math.floor(i / plane.h), column * plane.h + (i % plane.h)),
        place,
      }));
    });
  }
}

class BlockCoder {
  readonly #plan: ScanPlan;
  readonly #writer = new TestBitWriter();
  #predictions: number[] = [];
  #eobRun = 0;
  /** Correction bits of the blocks in the run. */
  #corrections: number[] = [];

  constructor(plan: ScanPlan) {
    this.#plan = plan;
  }

  code(block: Int16Array, place: number): void {
    const { ss, ah, al, progressive } = this.#plan;
    if (!progressive) {
      this.#dcFirst(block, place);
      this.#acSequential(block);
    } else if (ss > 0) {
      if (ah === 0) this.#acFirst(block);
      else this.#acRefinement(block);
    } else if (ah === 0) this.#dcFirst(block, place);
    else this.#writer.bits((block[0] ?? 0) >> al, 1);
  }

  restart(index: number): void {
    this.#flushRun();
    this.#predictions = [];
    this.#writer.restart(index);
  }

  finish(): Buffer {
    this.#flushRun();
    return this.#writer.finish();
  }

  #dcFirst(block: Int16Array, place: number): void {
    const value = (block[0] ?? 0) >> this.#plan.al;
    const difference = value - (this.#predictions[place] ?? 0);
    this.#predictions[place] = value;
    this.#writer.symbol(this.#plan.dc, bitLength(difference));
    this.#writer.signed(difference, bitLength(difference));
  }

  #acSequential(block: Int16Array): void {
    const last = block.findLastIndex((value, k) => k > 0 && value !== 0);
    for (let k = 1, run = 0; k <= last; k++) {
      run = this.#acValue(block[k] ?? 0, run);
    }
    if (last < 63) this.#writer.symbol(this.#plan.ac, 0);
  }

  #acFirst(block: Int16Array): void {
    const { ss, se, al } = this.#plan;
    let run = 0;
    for (let k = ss; k <= se; k++) run = this.#acValue(shifted(block[k] ?? 0, al), run);
    if (run > 0) this.#endBlock([]);
  }

  /** @returns the run of zeros so far */
  #acValue(value: number, run: number): number {
    if (value === 0) return run + 1;
    this.#flushRun();
    for (; run > 15; run -= 16) this.#writer.symbol(this.#plan.ac, 0xf0);
    this.#writer.symbol(this.#plan.ac, (run << 4) | bitLength(value));
    this.#writer.signed(value, bitLength(value));
    return 0;
  }

  #acRefinement(block: Int16Array): void {
    const { ss, se, al, ac } = this.#plan;
    const band = Array.from(block.subarray(ss, se + 1), (value) => shifted(value, al));
    const lastNew = band.findLastIndex((value) => Math.abs(value) === 1);
    let run = 0;
    let corrections: number[] = [];
    const symbol = (value: number) => {
      this.#flushRun();
      this.#writer.symbol(ac, value);
    };
    for (const [k, value] of band.entries()) {
      if (value === 0) {
        run += 1;
        continue;
      }
      for (; run > 15 && k <= lastNew; run -= 16, corrections = []) {
        symbol(0xf0);
        for (const bit of corrections) this.#writer.bits(bit, 1);
      }
      if (Math.abs(value) > 1) {
        corrections.push(Math.abs(value) & 1);
        continue;
      }
      symbol((run << 4) | 1);
      for (const bit of [value > 0 ? 1 : 0, ...corrections]) this.#writer.bits(bit, 1);
      [run, corrections] = [0, []];
    }
    if (run > 0 || corrections.length > 0) this.#endBlock(corrections);
  }

  #endBlock(corrections: readonly number[]): void {
    this.#eobRun += 1;
    this.#corrections.push(...corrections);
    if (this.#eobRun === 0x7fff || this.#corrections.length > 900) this.#flushRun();
  }

  #flushRun(): void {
    if (this.#eobRun === 0) return;
    const size = bitLength(this.#eobRun) - 1;
    this.#writer.symbol(this.#plan.ac, size << 4);
    this.#writer.bits(this.#eobRun, size);
    for (const bit of this.#corrections) this.#writer.bits(bit, 1);
    [this.#eobRun, this.#corrections] = [0, []];
  }
}

/** Point transform of AC coefficients: towards zero (G.1.2.2). */
function shifted(value: number, al: number): number {
  return value < 0 ? -(-value >> al) : value >> al;
}
