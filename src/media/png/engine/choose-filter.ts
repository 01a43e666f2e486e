import { filterAverage, filterPaeth, filterSub, filterUp } from "./filters";
import { allocateRow } from "./source-rows";
import { weight } from "./weight";

/**
 * Filters a row in two ways. One chooses by the entropy of the filtered bytes, which is best for photographs, screenshots and 16-bit
 * images. The other chooses by the sum of their absolute values, as the standard suggests (PNG, 12.7), which is best for drawings with
 * gradients.
 */

const NONE: i32 = 0;
const SUB: i32 = 1;
const UP: i32 = 2;
const AVERAGE: i32 = 3;
const PAETH: i32 = 4;
const FILTER_TYPES: i32 = 5;
/** An increment waits for the previous increment of the same counter, so neighbours have separate counters. */
const COUNTERS: usize = 4;
const COUNTER_BYTES: usize = 256 * 4;

const counts = memory.data(<i32>(COUNTERS * COUNTER_BYTES), 16);
let rowBytes: usize = 0;
let step: usize = 0;
let row: usize = 0;
let previous: usize = 0;
let trial: usize = 0;
let upper: usize = 0;

/**
 * Starts a picture, whose rows come from top to bottom.
 * @param room bytes that are written to a row before it is complete
 * @param pixelStep bytes from a pixel to the next, 1 to 8
 */
export function beginFilters(bytes: i32, room: i32, pixelStep: i32): void {
  rowBytes = bytes;
  step = pixelStep;
  row = allocateRow(room);
  previous = allocateRow(room);
  trial = allocateRow(room);
  upper = allocateRow(room);
}

/** The address for the next row. */
export function rowAt(): usize {
  return row;
}

/** Keeps the upper row of the next row. */
export function keepUpperRow(): void {
  memory.copy(upper, previous, rowBytes);
}

/** Returns to the row after the kept one. */
export function returnToUpperRow(): void {
  memory.copy(previous, upper, rowBytes);
}

/** Writes the current row unfiltered, after its filter byte. */
export function copyRowInto(line: usize): void {
  store<u8>(line, <u8>NONE);
  memory.copy(line + 1, row, rowBytes);
}

/** Writes the current row filtered in both ways, each after its filter byte. */
export function filterRowInto(byEntropy: usize, bySum: usize): void {
  let mostOrder = -1.0;
  let leastSum = u64.MAX_VALUE;
  for (let filter = NONE; filter < FILTER_TYPES; filter++) {
    filterRow(filter);
    const order = orderOf(trial);
    if (order > mostOrder) {
      mostOrder = order;
      takeTrial(filter, byEntropy);
    }
    const sum = sumOf(trial);
    if (sum < leastSum) {
      leastSum = sum;
      takeTrial(filter, bySum);
    }
  }
}

/** The current row becomes the upper row of the next one. */
export function nextFilterRow(): void {
  const last = previous;
  previous = row;
  row = last;
}

function takeTrial(filter: i32, line: usize): void {
  store<u8>(line, <u8>filter);
  memory.copy(line + 1, trial, rowBytes);
}

/** Sums the bytes as signed numbers. */
function sumOf(bytes: usize): u64 {
  const end = bytes + rowBytes;
  let at = bytes;
  let sums = i32x4.splat(0);
  for (; at + 16 <= end; at += 16) {
    const values = i8x16.abs(v128.load(at));
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(values)));
  }
  let sum: u64 = i32x4.extract_lane(sums, 0);
  sum += <u32>i32x4.extract_lane(sums, 1);
  sum += <u32>i32x4.extract_lane(sums, 2);
  sum += <u32>i32x4.extract_lane(sums, 3);
  for (; at < end; at++) sum += abs(<i32>load<i8>(at));
  return sum;
}

function filterRow(filter: i32): void {
  if (filter === SUB) filterSub(row, step, trial, rowBytes);
  else if (filter === UP) filterUp(row, previous, trial, rowBytes);
  else if (filter === AVERAGE) filterAverage(row, previous, step, trial, rowBytes);
  else if (filter === PAETH) filterPaeth(row, previous, step, trial, rowBytes);
  else memory.copy(trial, row, rowBytes);
}

/** A measure of a row's order: the highest entropy of a row of this length minus the row's own. */
function orderOf(bytes: usize): f64 {
  memory.fill(counts, 0, COUNTERS * COUNTER_BYTES);
  const end = bytes + rowBytes;
  let at = bytes;
  for (; at + 4 <= end; at += 4) {
    const four = load<u32>(at);
    count(0, four & 0xff);
    count(1, (four >> 8) & 0xff);
    count(2, (four >> 16) & 0xff);
    count(3, four >> 24);
  }
  for (; at < end; at++) count(0, load<u8>(at));
  let order: f64 = 0;
  for (let counter = counts; counter < counts + COUNTER_BYTES; counter += 4) {
    let total: u32 = 0;
    for (let other: usize = 0; other < COUNTERS; other++) total += load<u32>(counter + other * COUNTER_BYTES);
    order += weight(total);
  }
  return order;
}

function count(counter: usize, value: u32): void {
  const at = counts + counter * COUNTER_BYTES + ((<usize>value) << 2);
  store<u32>(at, load<u32>(at) + 1);
}
