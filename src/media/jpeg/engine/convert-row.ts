import { BLOCK_BYTES, Component, rowBlocks } from "./component";
import { allocate } from "./heap";

/** The largest coefficient of a picture with 8 bits a sample (T.81, F.1.2.2). */
const LARGEST: f64 = 1023;
/** Each k has three rows of weights, and three roundings. */
const FACTORS_BYTES: usize = 12 << 3;

/** Allocates weights of a colour change, valid until the next `resetHeap`. @returns the address for them: 64 times twelve f64 */
export function addConversion(): usize {
  return allocate(64 * FACTORS_BYTES);
}

/**
 * Changes the colours of a row of MCUs by a linear transform: each coefficient of each component becomes a weighted sum of all three,
 * quantised again. All three components have the same sampling.
 */
export function convertRow(conversion: usize, first: Component, second: Component, third: Component): void {
  const end = rowBlocks(first) * BLOCK_BYTES;
  for (let block: usize = 0; block < end; block += BLOCK_BYTES) {
    for (let group: usize = 0; group < BLOCK_BYTES; group += 16) {
      const at = block + group;
      const any = v128.or(v128.or(v128.load(first.row + at), v128.load(second.row + at)), v128.load(third.row + at));
      if (v128.any_true(any))
        convertEight(conversion + (group >> 1) * FACTORS_BYTES, first.row + at, second.row + at, third.row + at);
    }
  }
}

function convertEight(factors: usize, first: usize, second: usize, third: usize): void {
  for (let i: usize = 0; i < 16; i += 2, factors += FACTORS_BYTES) {
    const a = <f64>load<i16>(first + i);
    const b = <f64>load<i16>(second + i);
    const c = <f64>load<i16>(third + i);
    store<i16>(first + i, quantise(factors, a, b, c, load<f64>(factors, 72)));
    store<i16>(second + i, quantise(factors + 24, a, b, c, load<f64>(factors, 80)));
    store<i16>(third + i, quantise(factors + 48, a, b, c, load<f64>(factors, 88)));
  }
}

function quantise(weights: usize, a: f64, b: f64, c: f64, rounding: f64): i16 {
  const value = a * load<f64>(weights) + b * load<f64>(weights, 8) + c * load<f64>(weights, 16);
  const magnitude = <i16>min(LARGEST, abs(value) + rounding);
  return value < 0 ? -magnitude : magnitude;
}
