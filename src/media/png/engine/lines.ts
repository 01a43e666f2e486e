import { beginFilters, filterRowInto, nextFilterRow, rowAt } from "./choose-filter";
import { beginEstimates, estimateBits, keepEstimate, settleEstimate } from "./estimate";
import { allocate } from "./heap";
import { reduceRow } from "./reduce";
import { added, dataAt, freeAt, placeOfFree } from "./segment";
import { beginRows, nextRow, readLines } from "./source-rows";

/**
 * The lines that are to be deflated: rows, each behind its filter. Some rows at a time are filtered in several ways; what
 * deflates best behind the lines above is taken.
 */

const STRIP_ROWS: i32 = 16;
const STRIP_BYTES: i32 = 64 * 1024;
/** Ways to filter a strip. */
const PLAIN: i32 = 0;
const WAYS: i32 = 3;
/**
 * The estimate's search is short. What repeats itself, as text and flat colours do, is deflated to less than it says, and that
 * is lost in a filtered strip: so much less where this share of a byte or less is left, and none where the other is.
 */
const REPETITIVE: f64 = 0.1;
const DENSE: f64 = 0.4;
const REPETITIVE_WEIGHT: f64 = 0.8;
/** Where so few bits a byte are left, there is no better way to look for. */
const ENOUGH: f64 = 0.04;

let width: i32 = 0;
let rowBytes: i32 = 0;
let rowsLeft: i32 = 0;
let stripRows: i32 = 0;
/** The strip in each way. */
let candidates: usize = 0;
let candidateBytes: i32 = 0;
let estimatedBits: f64 = 0;

/**
 * Begins the second reading.
 * @param bytes of a row as it is written @param step bytes from a pixel to the next
 */
export function beginLines(pictureWidth: i32, height: i32, bytes: i32, step: i32): void {
  width = pictureWidth;
  rowBytes = bytes;
  rowsLeft = height;
  stripRows = max(1, min(STRIP_ROWS, STRIP_BYTES / (1 + rowBytes)));
  // A row is made of a byte a pixel before several share one.
  beginFilters(rowBytes, max(rowBytes, width), step);
  candidateBytes = stripRows * (1 + rowBytes) + 32;
  candidates = allocate(WAYS * candidateBytes);
  beginEstimates();
  estimatedBits = 0;
  beginRows();
}

/** The most that one call of addStrip adds. */
export function stripBytes(): i32 {
  return stripRows * (1 + rowBytes);
}

/** Adds some lines to the data. @returns whether there are more; -1 where the source is damaged */
export function addStrip(): i32 {
  const rows = min(stripRows, rowsLeft);
  const lineBytes = 1 + rowBytes;
  for (let i = 0; i < rows; i++) {
    const source = nextRow();
    if (source === 0) return -1;
    reduceRow(source, rowAt(), width);
    const line = candidates + i * lineBytes;
    filterRowInto(line, line + candidateBytes, line + 2 * candidateBytes);
    nextFilterRow();
  }
  rowsLeft -= rows;
  chooseWay(rows * lineBytes);
  return rowsLeft > 0 ? 1 : 0;
}

function chooseWay(bytes: i32): void {
  const target = freeAt();
  const from = placeOfFree();
  let way = PLAIN;
  let least = Infinity;
  let leastBits: f64 = 0;
  for (let tried = PLAIN; tried < WAYS; tried++) {
    memory.copy(target, candidates + tried * candidateBytes, bytes);
    const bits = estimateBits(dataAt(), from, from + bytes);
    const weighed = tried === PLAIN ? bits * weightOfPlain(bits / <f64>(8 * bytes)) : bits;
    if (weighed >= least) continue;
    least = weighed;
    leastBits = bits;
    way = tried;
    keepEstimate();
    if (tried === PLAIN && bits < ENOUGH * bytes) break;
  }
  memory.copy(target, candidates + way * candidateBytes, bytes);
  settleEstimate();
  estimatedBits += leastBits;
  added(bytes);
}

function weightOfPlain(share: f64): f64 {
  const density = (max(REPETITIVE, min(DENSE, share)) - REPETITIVE) / (DENSE - REPETITIVE);
  return REPETITIVE_WEIGHT + (1 - REPETITIVE_WEIGHT) * density;
}

/** What the lines added since the last call take when they are deflated, about. */
export function takeEstimate(): f64 {
  const bits = estimatedBits;
  estimatedBits = 0;
  return bits;
}

/** Adds lines as they are, for rows that are too long to be held. @returns as addStrip */
export function addRawLines(bytes: i32): i32 {
  const taken = readLines(freeAt(), bytes);
  if (taken < 0) return -1;
  added(taken);
  return taken === bytes ? 1 : 0;
}
