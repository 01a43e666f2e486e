/**
 * Resamples pictures row by row, in AssemblyScript. The host (`../resampler.ts`) chooses the filter: each sample of the result is a weighted
 * sum of source samples, first along its row, then along its column. Memory is a window of narrowed rows and the result.
 */

/** Samples by which a vector load may reach beyond a row. */
const ROW_MARGIN: i32 = 64;
/** Samples of a row of the result that are made at once. The last ones may be beyond the row. */
const STEP: i32 = 16;

let top: usize = 0;

/** A picture, or one plane of it. */
@unmanaged
class Resampler {
  /** Channels of a pixel: 1, or 4 for red, green, blue and alpha. */
  channels: i32;
  /** Pixels of a source row. */
  columns: i32;
  width: i32;
  height: i32;
  /** The number of weights of a sample along its row (a multiple of four), and along its column. */
  rowTaps: i32;
  columnTaps: i32;
  /** The index of the first source pixel of each sample (i32), and its weights (f32). */
  rowStarts: usize;
  rowWeights: usize;
  columnStarts: usize;
  columnWeights: usize;
  /** The next row of the source, and the current row of the result. */
  y: i32;
  at: i32;
  /** The source row as the host writes it: u8. */
  row: usize;
  /** The row as f32; colours are weighted by their alpha. */
  weighed: usize;
  /** The last `columnTaps` source rows at the result's width: f32. Row y is at y modulo `columnTaps`. */
  window: usize;
  /** The addresses of the window's rows that the current row of the result is made of. */
  rows: usize;
  result: usize;
}

export function reset(): void {
  top = (__heap_base + 15) & ~15;
}

function allocate(bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  const missing = <i32>((top + 0xffff) >> 16) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
  return at;
}

function allocateZeros(bytes: usize): usize {
  const at = allocate(bytes);
  memory.fill(at, 0, bytes);
  return at;
}

export function addResampler(
  channels: i32,
  columns: i32,
  width: i32,
  height: i32,
  rowTaps: i32,
  columnTaps: i32,
): Resampler {
  const resampler = changetype<Resampler>(allocateZeros(offsetof<Resampler>()));
  resampler.channels = channels;
  resampler.columns = columns;
  resampler.width = width;
  resampler.height = height;
  resampler.rowTaps = rowTaps;
  resampler.columnTaps = columnTaps;
  resampler.rowStarts = allocate(width << 2);
  resampler.rowWeights = allocateZeros((width * rowTaps) << 2);
  resampler.columnStarts = allocate(height << 2);
  resampler.columnWeights = allocateZeros((height * columnTaps) << 2);
  resampler.row = allocateZeros(columns * channels + ROW_MARGIN);
  resampler.weighed = allocateZeros(((columns + ROW_MARGIN) * channels) << 2);
  const rowBytes = (width * channels) << 2;
  resampler.window = allocateZeros(rowBytes * columnTaps);
  resampler.rows = allocate(columnTaps << 2);
  resampler.result = allocate(width * height * channels + STEP);
  return resampler;
}

export function rowStartsOf(resampler: Resampler): usize {
  return resampler.rowStarts;
}

export function rowWeightsOf(resampler: Resampler): usize {
  return resampler.rowWeights;
}

export function columnStartsOf(resampler: Resampler): usize {
  return resampler.columnStarts;
}

export function columnWeightsOf(resampler: Resampler): usize {
  return resampler.columnWeights;
}

/** The address to which the host writes the next source row. */
export function rowOf(resampler: Resampler): usize {
  return resampler.row;
}

export function resultOf(resampler: Resampler): usize {
  return resampler.result;
}

/** Adds the row that the host wrote. Rows that no sample needs are ignored. */
export function addRow(resampler: Resampler): void {
  const y = resampler.y;
  resampler.y += 1;
  if (resampler.at === resampler.height || y < startOf(resampler)) return;
  const target = resampler.window + rowBytesOf(resampler) * (y % resampler.columnTaps);
  if (resampler.channels === 4) narrowPixels(resampler, target);
  else narrowPlane(resampler, target);
  while (resampler.at < resampler.height && y + 1 >= startOf(resampler) + resampler.columnTaps) {
    settleRow(resampler, resampler.columnTaps);
  }
}

/** Ends the picture. Rows after the source's end repeat its last row, or are `missing` if the source had no row. */
export function finish(resampler: Resampler, missing: i32): void {
  while (resampler.at < resampler.height && resampler.y > startOf(resampler)) {
    settleRow(resampler, min(resampler.y - startOf(resampler), resampler.columnTaps));
  }
  const rowBytes = resampler.width * resampler.channels;
  memory.fill(resampler.result + resampler.at * rowBytes, <u8>missing, (resampler.height - resampler.at) * rowBytes);
  resampler.at = resampler.height;
}

function startOf(resampler: Resampler): i32 {
  return load<i32>(resampler.columnStarts + (resampler.at << 2));
}

function rowBytesOf(resampler: Resampler): usize {
  return (resampler.width * resampler.channels) << 2;
}

/** Computes four samples at a time: four products each, which are then added across. */
function narrowPlane(resampler: Resampler, to: usize): void {
  widenRow(resampler);
  const taps = resampler.rowTaps;
  const bytes: usize = taps << 2;
  const row = resampler.weighed;
  let starts = resampler.rowStarts;
  let weights = resampler.rowWeights;
  let target = to;
  const end = to + (resampler.width << 2);
  for (; target + 16 <= end; target += 16, starts += 16, weights += bytes << 2) {
    const a = weighedSamples(row + (load<i32>(starts) << 2), weights, bytes);
    const b = weighedSamples(row + (load<i32>(starts, 4) << 2), weights + bytes, bytes);
    const c = weighedSamples(row + (load<i32>(starts, 8) << 2), weights + 2 * bytes, bytes);
    const d = weighedSamples(row + (load<i32>(starts, 12) << 2), weights + 3 * bytes, bytes);
    const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
    const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
    v128.store(target, f32x4.add(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7)));
  }
  for (; target < end; target += 4, starts += 4, weights += bytes) {
    const a = weighedSamples(row + (load<i32>(starts) << 2), weights, bytes);
    const halves = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
    store<f32>(target, f32x4.extract_lane(halves, 0) + f32x4.extract_lane(halves, 1));
  }
}

/** Each sample has several weights, so the row is converted first. */
function widenRow(resampler: Resampler): void {
  const end = resampler.row + resampler.columns;
  let target = resampler.weighed;
  for (let at = resampler.row; at < end; at += 8, target += 32) {
    const eight = v128.load_ext<u8>(at);
    v128.store(target, f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(eight)));
    v128.store(target + 16, f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(eight)));
  }
}

function weighedSamples(from: usize, weights: usize, bytes: usize): v128 {
  let sum = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 16) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(from + i), v128.load(weights + i)));
  }
  return sum;
}

function fourSamples(at: usize): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))));
}

/** Colours are weighted by their alpha. */
function narrowPixels(resampler: Resampler, to: usize): void {
  weighRow(resampler);
  const taps = resampler.rowTaps;
  let weights = resampler.rowWeights;
  for (let x = 0; x < resampler.width; x++) {
    let from = resampler.weighed + ((<usize>load<i32>(resampler.rowStarts + (x << 2))) << 4);
    let sum = f32x4.splat(0);
    for (let i = 0; i < taps; i++, from += 16, weights += 4) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(from), v128.load32_splat(weights)));
    }
    v128.store(to + (x << 4), sum);
  }
}

function weighRow(resampler: Resampler): void {
  const end = resampler.row + (resampler.columns << 2);
  let target = resampler.weighed;
  for (let at = resampler.row; at < end; at += 4, target += 16) {
    const pixel = fourSamples(at);
    const alpha = load<u8>(at, 3);
    if (alpha === 255) {
      v128.store(target, pixel);
      continue;
    }
    const share = <f32>alpha * (1.0 / 255.0);
    v128.store(target, f32x4.mul(pixel, f32x4.replace_lane(f32x4.splat(share), 3, 1)));
  }
}

/** @param rows of the window that the source reached */
function settleRow(resampler: Resampler, rows: i32): void {
  const rowBytes = rowBytesOf(resampler);
  const taps = resampler.columnTaps;
  const weights = resampler.columnWeights + ((resampler.at * taps) << 2);
  const start = startOf(resampler);
  for (let i = 0; i < taps; i++) {
    // Missing rows repeat the last one.
    const y = start + min(i, rows - 1);
    store<usize>(resampler.rows + (i << 2), resampler.window + rowBytes * (y % taps));
  }
  const samples: usize = resampler.width * resampler.channels;
  const target = resampler.result + <usize>resampler.at * samples;
  for (let x: usize = 0; x < samples; x += STEP) settleSamples(resampler, weights, x, target + x);
  resampler.at += 1;
}

/** The sums of this number of samples fit into registers. */
function settleSamples(resampler: Resampler, weights: usize, x: usize, target: usize): void {
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  let c = f32x4.splat(0);
  let d = f32x4.splat(0);
  const end: usize = resampler.columnTaps << 2;
  for (let i: usize = 0; i < end; i += 4) {
    const at = load<usize>(resampler.rows + i) + (x << 2);
    const weight = v128.load32_splat(weights + i);
    a = f32x4.add(a, f32x4.mul(weight, v128.load(at)));
    b = f32x4.add(b, f32x4.mul(weight, v128.load(at, 16)));
    c = f32x4.add(c, f32x4.mul(weight, v128.load(at, 32)));
    d = f32x4.add(d, f32x4.mul(weight, v128.load(at, 48)));
  }
  if (resampler.channels === 4) {
    settlePixel(a, target);
    settlePixel(b, target + 4);
    settlePixel(c, target + 8);
    settlePixel(d, target + 12);
    return;
  }
  const first = i16x8.narrow_i32x4_s(toIntegers(a), toIntegers(b));
  v128.store(target, i8x16.narrow_i16x8_u(first, i16x8.narrow_i32x4_s(toIntegers(c), toIntegers(d))));
}

/** Rounds to integers. The narrowing instructions clamp them to a byte. */
function toIntegers(samples: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(samples));
}

function settlePixel(pixel: v128, target: usize): void {
  const alpha = max<f32>(0, min<f32>(255, f32x4.extract_lane(pixel, 3)));
  const opacity: f32 = alpha > 0.5 ? 255 / alpha : 0;
  store<u8>(target, toByte(f32x4.extract_lane(pixel, 0) * opacity));
  store<u8>(target, toByte(f32x4.extract_lane(pixel, 1) * opacity), 1);
  store<u8>(target, toByte(f32x4.extract_lane(pixel, 2) * opacity), 2);
  store<u8>(target, toByte(alpha), 3);
}

function toByte(value: f32): u8 {
  return <u8>max(0, min(255, <i32>(value + 0.5)));
}
