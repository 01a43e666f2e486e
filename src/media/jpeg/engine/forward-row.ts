import { BLOCK_BYTES, blockAt, Component } from "./component";
import { allocate } from "./heap";

/**
 * The cosine transform of a row of MCUs, from samples to coefficients, by Arai, Agui and Nakajima: five multiplications for eight samples.
 * Its results have a factor for each coefficient (`forwardFactorOf`), which the component's ratios must take back.
 */

/** The position in zigzag order, by natural order. The host fills it. */
const places = memory.data(64, 16);
/** f32, eight rows of eight. */
const block = memory.data(64 * 4, 16);

const SIDE: i32 = 8;
const ROW_BYTES: usize = 32;
const A1: f32 = <f32>Math.SQRT1_2;
const A2: f32 = 0.5411961;
const A4: f32 = 1.306562965;
const A5: f32 = 0.382683433;

export function forwardPlacesAt(): usize {
  return places;
}

/** The address to which the host writes the samples of a row of MCUs: `8 * blocksPerLine` a line, `8 * v` lines. */
export function forwardSamplesOf(component: Component): usize {
  if (component.samples === 0) component.samples = allocate(component.blocksPerLine * SIDE * component.v * SIDE);
  return component.samples;
}

/** Transforms the samples that the host wrote into the component's row of blocks. */
export function forwardRow(component: Component, mcuRow: i32): void {
  const stride: usize = component.blocksPerLine * SIDE;
  const lines = min(component.v, component.blockLines - mcuRow * component.v);
  for (let line = 0; line < lines; line++) {
    let at = blockAt(component, line, 0);
    let from = component.samples + <usize>(line * SIDE) * stride;
    for (let i = 0; i < component.blocksPerLine; i++, at += BLOCK_BYTES, from += SIDE) transformBlock(from, stride, at);
  }
}

function transformBlock(from: usize, stride: usize, to: usize): void {
  const middle = i16x8.splat(128);
  for (let y: usize = 0; y < 8; y++) {
    const samples = i16x8.sub(i16x8.extend_low_i8x16_u(v128.load64_zero(from + y * stride)), middle);
    v128.store(block + y * ROW_BYTES, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(samples)));
    v128.store(block + y * ROW_BYTES, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(samples)), 16);
  }
  // Columns, four at a time; then the same for the transposed block.
  transformColumns(block);
  transformColumns(block + 16);
  transpose();
  transformColumns(block);
  transformColumns(block + 16);
  // The block is still transposed: column v, row u.
  for (let u = 0; u < SIDE; u++) {
    for (let v = 0; v < SIDE; v += 4) {
      const at = block + <usize>u * ROW_BYTES + ((<usize>v) << 2);
      const four = i32x4.trunc_sat_f32x4_s(f32x4.nearest(v128.load(at)));
      put(to, u, v, i32x4.extract_lane(four, 0));
      put(to, u, v + 1, i32x4.extract_lane(four, 1));
      put(to, u, v + 2, i32x4.extract_lane(four, 2));
      put(to, u, v + 3, i32x4.extract_lane(four, 3));
    }
  }
}

function put(to: usize, u: i32, v: i32, value: i32): void {
  store<i16>(to + ((<usize>load<u8>(places + v * SIDE + u)) << 1), <i16>value);
}

function transformColumns(at: usize): void {
  const x0 = v128.load(at);
  const x1 = v128.load(at, 32);
  const x2 = v128.load(at, 64);
  const x3 = v128.load(at, 96);
  const x4 = v128.load(at, 128);
  const x5 = v128.load(at, 160);
  const x6 = v128.load(at, 192);
  const x7 = v128.load(at, 224);
  const s07 = f32x4.add(x0, x7);
  const d07 = f32x4.sub(x0, x7);
  const s16 = f32x4.add(x1, x6);
  const d16 = f32x4.sub(x1, x6);
  const s25 = f32x4.add(x2, x5);
  const d25 = f32x4.sub(x2, x5);
  const s34 = f32x4.add(x3, x4);
  const d34 = f32x4.sub(x3, x4);
  // Even frequencies.
  const e0 = f32x4.add(s07, s34);
  const e3 = f32x4.sub(s07, s34);
  const e1 = f32x4.add(s16, s25);
  const e2 = f32x4.sub(s16, s25);
  v128.store(at, f32x4.add(e0, e1));
  v128.store(at, f32x4.sub(e0, e1), 128);
  const z1 = f32x4.mul(f32x4.add(e2, e3), f32x4.splat(A1));
  v128.store(at, f32x4.add(e3, z1), 64);
  v128.store(at, f32x4.sub(e3, z1), 192);
  // Odd frequencies.
  const o0 = f32x4.add(d34, d25);
  const o1 = f32x4.add(d25, d16);
  const o2 = f32x4.add(d16, d07);
  const z5 = f32x4.mul(f32x4.sub(o0, o2), f32x4.splat(A5));
  const z2 = f32x4.add(f32x4.mul(o0, f32x4.splat(A2)), z5);
  const z4 = f32x4.add(f32x4.mul(o2, f32x4.splat(A4)), z5);
  const z3 = f32x4.mul(o1, f32x4.splat(A1));
  const z11 = f32x4.add(d07, z3);
  const z13 = f32x4.sub(d07, z3);
  v128.store(at, f32x4.add(z13, z2), 160);
  v128.store(at, f32x4.sub(z13, z2), 96);
  v128.store(at, f32x4.add(z11, z4), 32);
  v128.store(at, f32x4.sub(z11, z4), 224);
}

function transpose(): void {
  transposeFour(block, block);
  transposeFour(block + 4 * ROW_BYTES + 16, block + 4 * ROW_BYTES + 16);
  swapFour(block + 16, block + 4 * ROW_BYTES);
}

function transposeFour(from: usize, to: usize): void {
  const a = v128.load(from);
  const b = v128.load(from, 32);
  const c = v128.load(from, 64);
  const d = v128.load(from, 96);
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 32);
  v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5), 64);
  v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7), 96);
}

function swapFour(one: usize, other: usize): void {
  transposeFour(one, one);
  transposeFour(other, other);
  for (let y: usize = 0; y < 4; y++) {
    const row = v128.load(one + y * ROW_BYTES);
    v128.store(one + y * ROW_BYTES, v128.load(other + y * ROW_BYTES));
    v128.store(other + y * ROW_BYTES, row);
  }
}
