import { filterAverage, filterPaeth, filterSub, filterUp } from "./filters";
import { allocate, resetHeap } from "./heap";

/**
 * Chooses a row's filter by the entropy of the filtered bytes: over photographs, screenshots and 16-bit images that leaves
 * less to deflate than the sum of absolute differences that the standard suggests (PNG, 12.7).
 */

const NONE: i32 = 0;
const SUB: i32 = 1;
const UP: i32 = 2;
const AVERAGE: i32 = 3;
const PAETH: i32 = 4;
const FILTER_TYPES: i32 = 5;
/** Before a row: the pixel on the left of the first. */
const MARGIN_BYTES: usize = 16;
const SPARE_BYTES: usize = 16;
/** Counting the same value twice in a row waits for the first, so neighbours are counted apart. */
const COUNTERS: usize = 4;
const COUNTER_BYTES: usize = 256 * 4;

const counts = memory.data(<i32>(COUNTERS * COUNTER_BYTES), 16);
let rowBytes: usize = 0;
let step: usize = 0;
/** n * log2(n), for every count that a row can have: f64. The host's. */
let weights: usize = 0;
let row: usize = 0;
let previous: usize = 0;
/** Two, so that the best one stays. */
let best: usize = 0;
let trial: usize = 0;

/** Starts a picture, whose rows come from top to bottom. @param pixelStep bytes from a pixel to the next, 1 to 8 */
export function beginFilters(bytes: i32, pixelStep: i32): void {
  resetHeap();
  rowBytes = bytes;
  step = pixelStep;
  weights = allocate((rowBytes + 1) << 3);
  row = allocateRow();
  previous = allocateRow();
  best = allocateRow();
  trial = allocateRow();
}

function allocateRow(): usize {
  const bytes = MARGIN_BYTES + rowBytes + SPARE_BYTES;
  const at = allocate(bytes);
  memory.fill(at, 0, bytes);
  return at + MARGIN_BYTES;
}

export function weightsAt(): usize {
  return weights;
}

/** Where the next row goes. */
export function rowAt(): usize {
  return row;
}

/** The row as it was filtered last. */
export function filteredRowAt(): usize {
  return best;
}

/** Filters the row that is there. @returns by which */
export function chooseFilter(): i32 {
  let chosen = NONE;
  let bestOrder = -1.0;
  for (let filter = NONE; filter < FILTER_TYPES; filter++) {
    filterRow(filter);
    const order = orderOf(trial);
    if (order <= bestOrder) continue;
    chosen = filter;
    bestOrder = order;
    swapTrial();
  }
  const last = previous;
  previous = row;
  row = last;
  return chosen;
}

function swapTrial(): void {
  const other = best;
  best = trial;
  trial = other;
}

function filterRow(filter: i32): void {
  if (filter === SUB) filterSub(row, step, trial, rowBytes);
  else if (filter === UP) filterUp(row, previous, trial, rowBytes);
  else if (filter === AVERAGE) filterAverage(row, previous, step, trial, rowBytes);
  else if (filter === PAETH) filterPaeth(row, previous, step, trial, rowBytes);
  else memory.copy(trial, row, rowBytes);
}

/** How ordered a row is: what its entropy is short of the most that a row of this length can have. */
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
    order += load<f64>(weights + ((<usize>total) << 3));
  }
  return order;
}

function count(counter: usize, value: u32): void {
  const at = counts + counter * COUNTER_BYTES + ((<usize>value) << 2);
  store<u32>(at, load<u32>(at) + 1);
}
