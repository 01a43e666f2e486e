/**
 * Resamples pictures row by row, in AssemblyScript. The host (`../resampler.ts`) chooses the filter: each sample of the result is a weighted
 * sum of source samples, first along its row, then along its column. Memory is a window of narrowed rows and the result.
 */

/** A vector load may reach this far beyond a row. */
const ROW_MARGIN: i32 = 64;

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
  /** The row with colours weighted by their alpha: f32. Four channels only. */
  weighed: usize;
  /** The last `columnTaps` source rows at the result's width: f32. Row y is at y modulo `columnTaps`. */
  window: usize;
  sum: usize;
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
  if (channels === 4) resampler.weighed = allocateZeros((columns << 4) + (ROW_MARGIN << 4));
  const rowBytes = (width * channels) << 2;
  resampler.window = allocateZeros(rowBytes * columnTaps);
  resampler.sum = allocate(rowBytes);
  resampler.result = allocate(width * height * channels);
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
  const taps = resampler.rowTaps;
  const bytes: usize = taps << 2;
  let starts = resampler.rowStarts;
  let weights = resampler.rowWeights;
  let target = to;
  const end = to + (resampler.width << 2);
  for (; target + 16 <= end; target += 16, starts += 16, weights += bytes << 2) {
    const a = weighedSamples(resampler.row + load<i32>(starts), weights, taps);
    const b = weighedSamples(resampler.row + load<i32>(starts, 4), weights + bytes, taps);
    const c = weighedSamples(resampler.row + load<i32>(starts, 8), weights + 2 * bytes, taps);
    const d = weighedSamples(resampler.row + load<i32>(starts, 12), weights + 3 * bytes, taps);
    const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
    const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
    v128.store(target, f32x4.add(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7)));
  }
  for (; target < end; target += 4, starts += 4, weights += bytes) {
    const a = weighedSamples(resampler.row + load<i32>(starts), weights, taps);
    const halves = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
    store<f32>(target, f32x4.extract_lane(halves, 0) + f32x4.extract_lane(halves, 1));
  }
}

function weighedSamples(from: usize, weights: usize, taps: i32): v128 {
  let sum = f32x4.splat(0);
  for (let i: usize = 0; i < <usize>taps; i += 4) {
    sum = f32x4.add(sum, f32x4.mul(fourSamples(from + i), v128.load(weights + (i << 2))));
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
  memory.fill(resampler.sum, 0, rowBytes);
  for (let i = 0; i < taps; i++) {
    // Missing rows repeat the last one.
    const y = start + min(i, rows - 1);
    addWeighed(resampler.sum, resampler.window + rowBytes * (y % taps), rowBytes, load<f32>(weights + (i << 2)));
  }
  const samples = resampler.width * resampler.channels;
  const target = resampler.result + resampler.at * samples;
  if (resampler.channels === 4) for (let i = 0; i < samples; i += 4) settlePixel(resampler.sum + (i << 2), target + i);
  else settleSamples(resampler.sum, target, samples);
  resampler.at += 1;
}

function addWeighed(sum: usize, row: usize, bytes: usize, weight: f32): void {
  if (weight === 0) return;
  const factor = f32x4.splat(weight);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    v128.store(sum + at, f32x4.add(v128.load(sum + at), f32x4.mul(factor, v128.load(row + at))));
  }
  for (; at < bytes; at += 4) store<f32>(sum + at, load<f32>(sum + at) + weight * load<f32>(row + at));
}

function settleSamples(sum: usize, target: usize, samples: i32): void {
  let i = 0;
  for (; i + 8 <= samples; i += 8) {
    const at = sum + (i << 2);
    const words = i16x8.narrow_i32x4_s(toIntegers(at), toIntegers(at + 16));
    v128.store64_lane(target + i, i8x16.narrow_i16x8_u(words, words), 0);
  }
  for (; i < samples; i++) store<u8>(target + i, toByte(load<f32>(sum + (i << 2))));
}

/** Rounds to integers. The narrowing instructions clamp them to a byte. */
function toIntegers(at: usize): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(v128.load(at)));
}

function settlePixel(sum: usize, target: usize): void {
  const alpha = max<f32>(0, min<f32>(255, load<f32>(sum, 12)));
  const opacity: f32 = alpha > 0.5 ? 255 / alpha : 0;
  store<u8>(target, toByte(load<f32>(sum) * opacity));
  store<u8>(target, toByte(load<f32>(sum, 4) * opacity), 1);
  store<u8>(target, toByte(load<f32>(sum, 8) * opacity), 2);
  store<u8>(target, toByte(alpha), 3);
}

function toByte(value: f32): u8 {
  return <u8>max(0, min(255, <i32>(value + 0.5)));
}
