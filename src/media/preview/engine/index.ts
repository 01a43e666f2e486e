/**
 * Makes pictures smaller, in AssemblyScript: each pixel of the result is the mean of what it covers of the source, row by row, so
 * that memory is a row and the result. The host is `../scaler.ts`.
 */

/** Of a sample: the first of the source, i32, in 16 bytes, and four weights, f32. */
const TAPS_BYTES: i32 = 32;
/** What is read at once of a row may go on behind it. */
const ROW_MARGIN: i32 = 16;

let top: usize = 0;

/** A picture, or one plane of it. */
@unmanaged
class Scaler {
  /** Of a pixel: 1, or 4 for red, green, blue and alpha. */
  channels: i32;
  /** Samples of a row as they are given. */
  columns: i32;
  width: i32;
  height: i32;
  /** Of the source in its own pixels; the last one may be there in part only. */
  sourceHeight: f64;
  /** Source pixels to a pixel of the result. */
  dx: f64;
  dy: f64;
  /** The next row of the source, and the row of the result that is being gathered. */
  y: i32;
  at: i32;
  /** How many source rows that one has. */
  gathered: f64;
  row: usize;
  /** Of each sample of a row of the result, where no more than four of the source are in it: the first one, and their weights. */
  taps: usize;
  /** A source row made as wide as the result, and the sum of those: f32. */
  narrow: usize;
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

export function addScaler(channels: i32, sourceWidth: f64, sourceHeight: f64, width: i32, height: i32): Scaler {
  const scaler = changetype<Scaler>(allocateZeros(offsetof<Scaler>()));
  scaler.channels = channels;
  scaler.columns = <i32>Math.ceil(sourceWidth);
  scaler.width = width;
  scaler.height = height;
  scaler.sourceHeight = sourceHeight;
  scaler.dx = sourceWidth / <f64>width;
  scaler.dy = sourceHeight / <f64>height;
  scaler.row = allocateZeros(scaler.columns * channels + ROW_MARGIN);
  scaler.narrow = allocate((width * channels) << 2);
  scaler.sum = allocateZeros((width * channels) << 2);
  scaler.result = allocate(width * height * channels);
  if (channels === 1 && scaler.dx <= 3) addTaps(scaler);
  return scaler;
}

function addTaps(scaler: Scaler): void {
  scaler.taps = allocateZeros(scaler.width * TAPS_BYTES);
  const dx = scaler.dx;
  const last = scaler.columns - 1;
  const scale = <f32>(1 / dx);
  for (let x = 0; x < scaler.width; x++) {
    const begin = <f64>x * dx;
    const end = begin + dx;
    const first = min(<i32>begin, last);
    const behind = min(<i32>end, last);
    const taps = scaler.taps + x * TAPS_BYTES;
    store<i32>(taps, first);
    if (first === behind) {
      store<f32>(taps, 1, 16);
      continue;
    }
    store<f32>(taps, <f32>(<f64>(first + 1) - begin) * scale, 16);
    for (let i = first + 1; i < behind; i++) store<f32>(taps + ((i - first) << 2), scale, 16);
    store<f32>(taps + ((behind - first) << 2), <f32>(end - <f64>behind) * scale, 16);
  }
}

/** Where the host writes the next row of the source. */
export function rowOf(scaler: Scaler): usize {
  return scaler.row;
}

export function resultOf(scaler: Scaler): usize {
  return scaler.result;
}

/** Takes the row that was written. Rows behind the last are passed over. */
export function addRow(scaler: Scaler): void {
  if (scaler.at === scaler.height) return;
  if (scaler.channels === 4) narrowPixels(scaler);
  else if (scaler.taps !== 0) narrowByTaps(scaler);
  else narrowPlane(scaler);
  const from = <f64>scaler.y;
  const to = min(from + 1, scaler.sourceHeight);
  scaler.y += 1;
  while (scaler.at < scaler.height) {
    const begin = <f64>scaler.at * scaler.dy;
    const end = <f64>(scaler.at + 1) * scaler.dy;
    const share = min(to, end) - max(from, begin);
    if (share > 0) gather(scaler, share);
    // Rows end where they should but for rounding.
    if (end > to + 1e-6 || to <= begin) break;
    settleRow(scaler);
  }
}

/** Ends the picture. Rows of the result that the source does not reach are filled. @param value of each of their samples */
export function finish(scaler: Scaler, value: i32): void {
  if (scaler.at < scaler.height && scaler.gathered > 0) settleRow(scaler);
  const rowBytes = scaler.width * scaler.channels;
  memory.fill(scaler.result + scaler.at * rowBytes, <u8>value, (scaler.height - scaler.at) * rowBytes);
  scaler.at = scaler.height;
}

/** Four samples of the result at a time: four products each, which are then added across. */
function narrowByTaps(scaler: Scaler): void {
  let taps = scaler.taps;
  let target = scaler.narrow;
  const end = target + (scaler.width << 2);
  for (; target + 16 <= end; target += 16, taps += 4 * TAPS_BYTES) {
    const a = weighed(scaler.row, taps);
    const b = weighed(scaler.row, taps + TAPS_BYTES);
    const c = weighed(scaler.row, taps + 2 * TAPS_BYTES);
    const d = weighed(scaler.row, taps + 3 * TAPS_BYTES);
    const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
    const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
    v128.store(target, f32x4.add(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7)));
  }
  for (; target < end; target += 4, taps += TAPS_BYTES) {
    const a = weighed(scaler.row, taps);
    const halves = f32x4.add(a, v128.shuffle<f32>(a, a, 2, 3, 0, 1));
    store<f32>(target, f32x4.extract_lane(halves, 0) + f32x4.extract_lane(halves, 1));
  }
}

function weighed(row: usize, taps: usize): v128 {
  return f32x4.mul(fourSamples(row + load<i32>(taps)), v128.load(taps, 16));
}

function fourSamples(at: usize): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))));
}

function narrowPlane(scaler: Scaler): void {
  const dx = scaler.dx;
  const last = scaler.columns - 1;
  const scale = <f32>(1 / dx);
  for (let x = 0; x < scaler.width; x++) {
    const begin = <f64>x * dx;
    const end = begin + dx;
    const first = min(<i32>begin, last);
    const behind = min(<i32>end, last);
    let sum: f32 = 0;
    if (first === behind) {
      sum = <f32>load<u8>(scaler.row + first) * <f32>dx;
    } else {
      sum = <f32>load<u8>(scaler.row + first) * <f32>(<f64>(first + 1) - begin);
      for (let i = first + 1; i < behind; i++) sum += <f32>load<u8>(scaler.row + i);
      sum += <f32>load<u8>(scaler.row + behind) * <f32>(end - <f64>behind);
    }
    store<f32>(scaler.narrow + (x << 2), sum * scale);
  }
}

/** Colours count by how opaque they are. */
function narrowPixels(scaler: Scaler): void {
  const dx = scaler.dx;
  const last = scaler.columns - 1;
  const scale = <f32>(1 / dx);
  for (let x = 0; x < scaler.width; x++) {
    const begin = <f64>x * dx;
    const end = begin + dx;
    const first = min(<i32>begin, last);
    const behind = min(<i32>end, last);
    let sum: v128;
    if (first === behind) {
      sum = weighedPixel(scaler.row + (first << 2), <f32>dx);
    } else {
      sum = weighedPixel(scaler.row + (first << 2), <f32>(<f64>(first + 1) - begin));
      for (let i = first + 1; i < behind; i++) sum = f32x4.add(sum, weighedPixel(scaler.row + (i << 2), 1));
      sum = f32x4.add(sum, weighedPixel(scaler.row + (behind << 2), <f32>(end - <f64>behind)));
    }
    v128.store(scaler.narrow + (x << 4), f32x4.mul(sum, f32x4.splat(scale)));
  }
}

function weighedPixel(at: usize, weight: f32): v128 {
  const pixel = fourSamples(at);
  const alpha = f32x4.extract_lane(pixel, 3) * (1.0 / 255.0);
  const factors = f32x4.replace_lane(f32x4.splat(alpha * weight), 3, weight);
  return f32x4.mul(pixel, factors);
}

function gather(scaler: Scaler, share: f64): void {
  scaler.gathered += share;
  const weight = f32x4.splat(<f32>share);
  const bytes = (scaler.width * scaler.channels) << 2;
  let at = 0;
  for (; at + 16 <= bytes; at += 16) {
    const sum = v128.load(scaler.sum + at);
    v128.store(scaler.sum + at, f32x4.add(sum, f32x4.mul(weight, v128.load(scaler.narrow + at))));
  }
  for (; at < bytes; at += 4) {
    store<f32>(scaler.sum + at, load<f32>(scaler.sum + at) + <f32>share * load<f32>(scaler.narrow + at));
  }
}

function settleRow(scaler: Scaler): void {
  const scale = <f32>(1 / scaler.gathered);
  const samples = scaler.width * scaler.channels;
  const target = scaler.result + scaler.at * samples;
  if (scaler.channels === 4) {
    for (let i = 0; i < samples; i += 4) settlePixel(scaler.sum + (i << 2), target + i, scale);
  } else {
    settleSamples(scaler.sum, target, samples, scale);
  }
  memory.fill(scaler.sum, 0, samples << 2);
  scaler.gathered = 0;
  scaler.at += 1;
}

function settleSamples(sum: usize, target: usize, samples: i32, scale: f32): void {
  const factor = f32x4.splat(scale);
  let i = 0;
  for (; i + 8 <= samples; i += 8) {
    const at = sum + (i << 2);
    const words = i16x8.narrow_i32x4_s(toIntegers(at, factor), toIntegers(at + 16, factor));
    v128.store64_lane(target + i, i8x16.narrow_i16x8_u(words, words), 0);
  }
  for (; i < samples; i++) store<u8>(target + i, toByte(load<f32>(sum + (i << 2)) * scale));
}

/** Rounded; what is beyond a byte is cut off by whoever narrows them. */
function toIntegers(at: usize, factor: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(v128.load(at), factor), f32x4.splat(0.5)));
}

function settlePixel(sum: usize, target: usize, scale: f32): void {
  const alpha = load<f32>(sum, 12) * scale;
  const opacity = alpha > 0 ? (scale * 255) / alpha : 0;
  store<u8>(target, toByte(load<f32>(sum) * opacity));
  store<u8>(target, toByte(load<f32>(sum, 4) * opacity), 1);
  store<u8>(target, toByte(load<f32>(sum, 8) * opacity), 2);
  store<u8>(target, toByte(alpha), 3);
}

function toByte(value: f32): u8 {
  return <u8>max(0, min(255, <i32>(value + 0.5)));
}
