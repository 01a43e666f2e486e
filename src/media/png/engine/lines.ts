import {
  beginFilters,
  copyRowInto,
  filterRowInto,
  keepUpperRow,
  nextFilterRow,
  returnToUpperRow,
  rowAt,
} from "./choose-filter";
import { beginEstimates, estimateBits, keepEstimate, settleEstimate } from "./estimate";
import { allocate } from "./heap";
import { addLooks } from "./looks";
import { reduceRow } from "./reduce";
import { added, dataAt, freeAt, placeOfFree } from "./segment";
import { beginRows, nextRow, readLines } from "./source-rows";

/**
 * The lines to deflate: rows, each after its filter byte. A strip of some rows is filtered in several ways, and the way that deflates best
 * after the lines above is taken.
 */

const STRIP_ROWS: i32 = 16;
const STRIP_BYTES: i32 = 64 * 1024;
/** Ways to filter a strip. */
const PLAIN: i32 = 0;
const WAYS: i32 = 3;
/**
 * The estimate's search is short. Repetitive data, such as text and flat colours, deflates better than estimated, unless the strip is
 * filtered. So the estimate of the plain strip is lowered: by this weight if at most the share REPETITIVE of a byte remains, and not at all
 * from the share DENSE.
 */
const REPETITIVE: f64 = 0.1;
const DENSE: f64 = 0.4;
const REPETITIVE_WEIGHT: f64 = 0.8;
/** Below this number of bits a byte, no better way is searched. */
const ENOUGH: f64 = 0.04;

/**
 * If the plain strip's weighed estimate is at most this share of the others', the next strips are taken plain, as long as their estimates differ by
 * at most half of the strip's.
 */
const CLEAR_SHARE: f64 = 0.8;
const STRIPS_LIKE_IT: i32 = 15;
const MOST_DIFFERENCE: f64 = 0.5;

let width: i32 = 0;
let rowBytes: i32 = 0;
let rowsLeft: i32 = 0;
let stripRows: i32 = 0;
/** The strip, filtered in each way. */
let candidates: usize = 0;
let candidateBytes: i32 = 0;
let estimatedBits: f64 = 0;
/** The number of next strips that may be taken plain, and the plain estimate of the last strip that was tried in all ways. */
let plainStrips: i32 = 0;
let bitsPerByte: f64 = 0;

/** Begins the second reading. @param bytes of a row as it is written @param step bytes from a pixel to the next */
export function beginLines(pictureWidth: i32, height: i32, bytes: i32, step: i32): void {
  width = pictureWidth;
  rowBytes = bytes;
  rowsLeft = height;
  stripRows = max(1, min(STRIP_ROWS, STRIP_BYTES / (1 + rowBytes)));
  // A row has one byte for each pixel before pixels are packed.
  beginFilters(rowBytes, max(rowBytes, width), step);
  candidateBytes = stripRows * (1 + rowBytes) + 32;
  candidates = allocate(WAYS * candidateBytes);
  beginEstimates();
  estimatedBits = 0;
  plainStrips = 0;
  beginRows();
}

/** The most bytes that one call of `addStrip` adds. */
export function stripBytes(): i32 {
  return stripRows * (1 + rowBytes);
}

/** Adds some lines to the data. @returns whether there are more; -1 if the source is damaged */
export function addStrip(): i32 {
  const rows = min(stripRows, rowsLeft);
  const lineBytes = 1 + rowBytes;
  keepUpperRow();
  for (let i = 0; i < rows; i++) {
    const source = nextRow();
    if (source === 0) return -1;
    reduceRow(source, rowAt(), width);
    copyRowInto(candidates + i * lineBytes);
    nextFilterRow();
  }
  rowsLeft -= rows;
  addLooks(rows * lineBytes);
  chooseWay(rows);
  return rowsLeft > 0 ? 1 : 0;
}

function chooseWay(rows: i32): void {
  const bytes = rows * (1 + rowBytes);
  const plainBits = estimate(PLAIN, bytes);
  keepEstimate();
  let way = PLAIN;
  let leastBits = plainBits;
  if (!isPlain(plainBits / <f64>bytes)) {
    filterStrip(rows);
    const weighed = plainBits * weightOfPlain(plainBits / <f64>(8 * bytes));
    let least = weighed;
    let leastFiltered = Infinity;
    for (let tried = PLAIN + 1; tried < WAYS; tried++) {
      const bits = estimate(tried, bytes);
      leastFiltered = min(leastFiltered, bits);
      if (bits >= least) continue;
      least = bits;
      leastBits = bits;
      way = tried;
      keepEstimate();
    }
    plainStrips = weighed <= CLEAR_SHARE * leastFiltered ? STRIPS_LIKE_IT : 0;
    bitsPerByte = plainBits / <f64>bytes;
  }
  memory.copy(freeAt(), candidates + way * candidateBytes, bytes);
  settleEstimate();
  estimatedBits += leastBits;
  added(bytes);
}

/** The estimate for the strip, filtered in a way. */
function estimate(way: i32, bytes: i32): f64 {
  memory.copy(freeAt(), candidates + way * candidateBytes, bytes);
  const from = placeOfFree();
  return estimateBits(dataAt(), from, from + bytes);
}

/** Whether a strip with this estimate is taken plain without a trial of filters. */
function isPlain(bits: f64): bool {
  if (bits < ENOUGH) return true;
  if (plainStrips === 0 || abs(bits - bitsPerByte) > MOST_DIFFERENCE * bitsPerByte) return false;
  plainStrips -= 1;
  return true;
}

function filterStrip(rows: i32): void {
  returnToUpperRow();
  for (let i = 0; i < rows; i++) {
    const line = candidates + i * (1 + rowBytes);
    memory.copy(rowAt(), line + 1, rowBytes);
    filterRowInto(line + candidateBytes, line + 2 * candidateBytes);
    nextFilterRow();
  }
}

function weightOfPlain(share: f64): f64 {
  const density = (max(REPETITIVE, min(DENSE, share)) - REPETITIVE) / (DENSE - REPETITIVE);
  return REPETITIVE_WEIGHT + (1 - REPETITIVE_WEIGHT) * density;
}

/** The approximate deflated size of the lines that were added since the last call. */
export function takeEstimate(): f64 {
  const bits = estimatedBits;
  estimatedBits = 0;
  return bits;
}

/** Adds unfiltered lines of rows that are too long to be held. @returns like `addStrip` */
export function addRawLines(bytes: i32): i32 {
  const taken = readLines(freeAt(), bytes);
  if (taken < 0) return -1;
  added(taken);
  addLooks(taken);
  return taken === bytes ? 1 : 0;
}
