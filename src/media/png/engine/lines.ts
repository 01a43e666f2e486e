import { beginFilters, filterRowInto, nextFilterRow, rowAt } from "./choose-filter";
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

let width: i32 = 0;
let rowBytes: i32 = 0;
let rowsLeft: i32 = 0;
let stripRows: i32 = 0;
/** The strip, filtered in each way. */
let candidates: usize = 0;
let candidateBytes: i32 = 0;
let estimatedBits: f64 = 0;

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
  for (let i = 0; i < rows; i++) {
    const source = nextRow();
    if (source === 0) return -1;
    reduceRow(source, rowAt(), width);
    const line = candidates + i * lineBytes;
    filterRowInto(line, line + candidateBytes, line + 2 * candidateBytes);
    nextFilterRow();
  }
  rowsLeft -= rows;
  addLooks(rows * lineBytes);
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
