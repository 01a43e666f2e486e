import { BLOCK_BYTES, blockAt, Component } from "./component";
import { allocate } from "./heap";

/**
 * Samples of a row of MCUs at a reduced size: a block becomes `side` by `side` samples, from its lowest `side` by `side` coefficients (an
 * inverse cosine transform of that size). For one sample, only the DC coefficients are kept. The component's ratios are its quantisation steps, and its first rounding is added to DC.
 */

const MAX_SIDE: i32 = 8;
const BLOCK_SAMPLES: i32 = 64;
/** Samples that are written beyond the last line. */
const SPARE_SAMPLES: i32 = 8;
const MIDDLE: f32 = 128;
/** A block's mean is an eighth of its DC (T.81, A.3.3). */
const DC_SHARE: f64 = 0.125;

/** f32 factors of the transform, [frequency][position], `side` per row. */
const basis = memory.data(BLOCK_SAMPLES * 4, 16);
/** The position in zigzag order, by natural order. */
const places = memory.data(BLOCK_SAMPLES, 16);
/** f32, `side` per row. */
const coefficients = memory.data(BLOCK_SAMPLES * 4, 16);
const columns = memory.data(BLOCK_SAMPLES * 4, 16);

export function basisAt(): usize {
  return basis;
}

export function placesAt(): usize {
  return places;
}

/**
 * @param side 1, 2, 4 or 8
 * @returns the address of the samples: `blocksPerLine * side` a line, `v * side` lines, valid until the next call
 */
export function samplesOf(component: Component, mcuRow: i32, side: i32): usize {
  const stride = component.blocksPerLine * side;
  if (component.samples === 0) component.samples = allocate(stride * component.v * side + SPARE_SAMPLES);
  const lines = min(component.v, component.blockLines - mcuRow * component.v);
  for (let line = 0; line < lines; line++) {
    let at = blockAt(component, line, 0);
    let target = component.samples + line * side * stride;
    if (side === 1) meansOf(component, at, target);
    else if (side === 2) transformToTwo(component, at, target, stride);
    else {
      for (let block = 0; block < component.blocksPerLine; block++, at += BLOCK_BYTES, target += side) {
        transform(component, at, side, target, stride);
      }
    }
  }
  return component.samples;
}

/** Turns each DC coefficient of a line into one sample, eight at once. The last ones may be beyond the line. */
function meansOf(component: Component, at: usize, target: usize): void {
  const rounding = f32x4.splat(<f32>load<f64>(component.roundings));
  const share = f32x4.splat(<f32>(load<f64>(component.ratios) * DC_SHARE));
  const middle = f32x4.splat(MIDDLE + 0.5);
  const end = target + component.blocksPerLine;
  for (; target < end; target += 8, at += 16) {
    const eight = v128.load(at);
    const low = f32x4.add(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(eight)), rounding);
    const high = f32x4.add(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(eight)), rounding);
    const words = i16x8.narrow_i32x4_s(
      i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(low, share), middle)),
      i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(high, share), middle)),
    );
    v128.store64_lane(target, i8x16.narrow_i16x8_u(words, words), 0);
  }
}

/**
 * Turns each requantised block of a line into one sample.
 * @param step the quantisation step of the stored DC
 * @returns the address of `blocksPerLine` samples, valid until the next call
 */
export function storedMeansOf(component: Component, line: i32, step: f64): usize {
  const blocks = component.blocksPerLine;
  if (component.samples === 0) component.samples = allocate(blocks);
  let at = component.dc + <usize>((line * blocks) << 1);
  const share = step * DC_SHARE;
  const end = component.samples + blocks;
  for (let target = component.samples; target < end; target++, at += 2) {
    store<u8>(target, toSample(<f32>(<f64>load<i16>(at) * share)));
  }
  return component.samples;
}

function dcOf(component: Component, at: usize): f64 {
  return (<f64>load<i16>(at) + load<f64>(component.roundings)) * load<f64>(component.ratios);
}

/**
 * Turns each block of a line into two by two samples. Their transform has one factor, an eighth, so the four lowest coefficients are added
 * and subtracted exactly.
 */
function transformToTwo(component: Component, from: usize, to: usize, stride: i32): void {
  const rounding = f32x4.replace_lane(f32x4.splat(0), 0, <f32>load<f64>(component.roundings));
  const steps = f32x4(stepOf(component, 0), stepOf(component, 1), stepOf(component, 2), stepOf(component, 4));
  const factors = f32x4.mul(steps, f32x4.splat(<f32>DC_SHARE));
  const rowSigns = f32x4(1, 1, -1, -1);
  const columnSigns = f32x4(1, -1, 1, -1);
  const middle = f32x4.splat(MIDDLE + 0.5);
  const end = to + component.blocksPerLine * 2;
  for (let at = from, target = to; target < end; at += BLOCK_BYTES, target += 2) {
    const lowest = v128.load(at);
    // Mean, across, down and both.
    const four = i32x4.extend_low_i16x8_s(v128.shuffle<i16>(lowest, lowest, 0, 1, 2, 4, 0, 0, 0, 0));
    const values = f32x4.mul(f32x4.add(f32x4.convert_i32x4_s(four), rounding), factors);
    const rows = f32x4.add(v128.shuffle<f32>(values, values, 2, 3, 0, 1), f32x4.mul(values, rowSigns));
    const sums = f32x4.add(v128.shuffle<f32>(rows, rows, 1, 0, 3, 2), f32x4.mul(rows, columnSigns));
    const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(f32x4.add(sums, middle)), i32x4.splat(0));
    const bytes = i8x16.narrow_i16x8_u(words, words);
    v128.store16_lane(target, bytes, 0);
    v128.store16_lane(target + stride, bytes, 1);
  }
}

function stepOf(component: Component, k: i32): f32 {
  return <f32>load<f64>(component.ratios + ((<usize>k) << 3));
}

function transform(component: Component, at: usize, side: i32, target: usize, stride: i32): void {
  for (let v = 0; v < side; v++) {
    for (let u = 0; u < side; u++) {
      const k = <usize>load<u8>(places + v * MAX_SIDE + u);
      const value = <f64>load<i16>(at + (k << 1)) * load<f64>(component.ratios + (k << 3));
      store<f32>(coefficients + ((v * side + u) << 2), <f32>value);
    }
  }
  store<f32>(coefficients, <f32>dcOf(component, at));
  const rowBytes: usize = (<usize>side) << 2;
  const lines = <usize>side;
  // Processes four columns at a time.
  for (let u: usize = 0; u < rowBytes; u += 16) {
    for (let y: usize = 0; y < lines; y++) {
      let sum = f32x4.splat(0);
      for (let v: usize = 0; v < lines; v++) {
        const factor = v128.load32_splat(basis + v * rowBytes + (y << 2));
        sum = f32x4.add(sum, f32x4.mul(factor, v128.load(coefficients + v * rowBytes + u)));
      }
      v128.store(columns + y * rowBytes + u, sum);
    }
  }
  for (let y: usize = 0; y < lines; y++) {
    for (let x: usize = 0; x < rowBytes; x += 16) {
      let sum = f32x4.splat(MIDDLE);
      for (let u: usize = 0; u < lines; u++) {
        const value = v128.load32_splat(columns + y * rowBytes + (u << 2));
        sum = f32x4.add(sum, f32x4.mul(value, v128.load(basis + u * rowBytes + x)));
      }
      const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(f32x4.nearest(sum)), i32x4.splat(0));
      v128.store32_lane(target + y * <usize>stride + (x >> 2), i8x16.narrow_i16x8_u(words, words), 0);
    }
  }
}

function clamp(value: f32): u8 {
  return <u8>max(0, min(255, <i32>value));
}

function toSample(value: f32): u8 {
  return clamp(value + MIDDLE + 0.5);
}
