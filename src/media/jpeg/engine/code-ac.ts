import { endOfChunk, entryBytes, leavesChunk, nextChunk, valueAt } from "./coefficient-store";
import { Component } from "./component";
import { BITS_AT_ONCE, bitLength, Counted, putBits, putSymbol, Written } from "./entropy-sink";

/** Codes a band of one component's AC coefficients (T.81, G.1.2.2 and G.1.2.3). */

/** An EOB run has at most 15 bits (table G.1). */
const MAX_EOB_RUN: i32 = 0x7fff;
/** The longest run of correction bits that libjpeg's buffer takes. */
const MAX_CORRECTIONS: i32 = 1000;
const BLOCK_CORRECTIONS: i32 = 63;
const ZERO_RUN: i32 = 0xf0;

/** Correction bits that follow the next symbol, a byte each. */
const corrections = memory.data(MAX_CORRECTIONS + BLOCK_CORRECTIONS + BITS_AT_ONCE);
let correctionCount: i32 = 0;
/** Ended blocks that are not coded yet. */
let eobRun: i32 = 0;

/** The scan that is being coded. Its lines follow, then `endCountedAcScan` or `endWrittenAcScan`. */
let component: Component = changetype<Component>(0);
let ss: i32 = 0;
let se: i32 = 0;
let ah: i32 = 0;
let al: i32 = 0;

export function beginAcScan(coded: Component, first: i32, last: i32, high: i32, low: i32): void {
  component = coded;
  ss = first;
  se = last;
  ah = high;
  al = low;
  correctionCount = 0;
  eobRun = 0;
}

/** Codes some of the scan's lines of blocks, in order, so that the host can pause in between. */
export function countAcLines(from: i32, to: i32): void {
  codeAcLines<Counted>(from, to);
}

export function writeAcLines(from: i32, to: i32): void {
  codeAcLines<Written>(from, to);
}

export function endCountedAcScan(): void {
  flushEobRun<Counted>();
}

export function endWrittenAcScan(): void {
  flushEobRun<Written>();
}

function codeAcLines<T>(from: i32, to: i32): void {
  for (let line = from; line < to; line++) {
    let place = load<usize>(component.linePlaces + (line << 2));
    let chunkEnd = load<usize>(component.lineChunkEnds + (line << 2));
    const first = component.counts + line * component.blocksPerLine;
    for (let count = first; count < first + component.blocksPerLine; count++) {
      if (leavesChunk(place, chunkEnd)) {
        place = nextChunk(chunkEnd);
        chunkEnd = endOfChunk(place);
      }
      const next = place + ((<usize>load<u8>(count)) << 1);
      if (next === place) endBlock<T>();
      else if (ah === 0) codeFirst<T>(place, next, ss, se, al);
      else codeRefinement<T>(place, next, ss, se, al);
      place = next;
    }
  }
}

/** G.1.2.2 */
function codeFirst<T>(from: usize, to: usize, ss: i32, se: i32, al: i32): void {
  let last = ss - 1;
  for (let at = from; at < to; at += entryBytes(at)) {
    const k = <i32>load<u16>(at) >> 10;
    if (k < ss) continue;
    if (k > se) break;
    const value = valueAt(at);
    const magnitude = abs(value) >> al;
    if (magnitude === 0) continue;
    flushEobRun<T>();
    let run = k - last - 1;
    for (; run > 15; run -= 16) putSymbol<T>(0, ZERO_RUN, 0, 0);
    const size = bitLength(magnitude);
    putSymbol<T>(0, (run << 4) | size, value < 0 ? ~magnitude : magnitude, size);
    last = k;
  }
  if (last < se) endBlock<T>();
}

/** G.1.2.3: corrections of known coefficients, and coefficients that begin with this bit. */
function codeRefinement<T>(from: usize, to: usize, ss: i32, se: i32, al: i32): void {
  let lastNew = -1;
  let last = ss - 1;
  let run = 0;
  /** Start of this block's corrections in the buffer; they follow its next symbol. */
  let own = correctionCount;
  for (let at = from; at < to; at += entryBytes(at)) {
    const k = <i32>load<u16>(at) >> 10;
    if (k < ss) continue;
    if (k > se) break;
    const value = valueAt(at);
    const magnitude = abs(value) >> al;
    if (magnitude === 0) continue;
    run += k - last - 1;
    last = k;
    // Few blocks have such a run, so the others need no search.
    if (run > 15 && lastNew < 0) lastNew = findLastNew(at, to, se, al);
    while (run > 15 && k <= lastNew) {
      flushEobRunBefore<T>(own);
      putSymbol<T>(0, ZERO_RUN, 0, 0);
      run -= 16;
      putCorrections<T>();
      own = 0;
    }
    if (magnitude > 1) {
      if (!isInteger<T>()) store<u8>(corrections + correctionCount, magnitude & 1);
      correctionCount++;
      continue;
    }
    flushEobRunBefore<T>(own);
    putSymbol<T>(0, (run << 4) | 1, value < 0 ? 0 : 1, 1);
    putCorrections<T>();
    own = 0;
    run = 0;
  }
  if (last === se && run === 0 && correctionCount === own) return;
  endBlock<T>();
  if (correctionCount > MAX_CORRECTIONS - BLOCK_CORRECTIONS) flushEobRun<T>();
}

/** The last coefficient, from here to the end of the band, whose first bit is in this scan; 0 if there is none. */
function findLastNew(from: usize, to: usize, se: i32, al: i32): i32 {
  let lastNew = 0;
  for (let at = from; at < to; at += entryBytes(at)) {
    const k = <i32>load<u16>(at) >> 10;
    if (k <= se && abs(valueAt(at)) >> al === 1) lastNew = k;
  }
  return lastNew;
}

function endBlock<T>(): void {
  if (++eobRun === MAX_EOB_RUN) flushEobRun<T>();
}

function flushEobRun<T>(): void {
  if (eobRun === 0) return;
  putEobRun<T>();
  putCorrections<T>();
}

/** Codes a pending run of ended blocks with its corrections. This precedes the current block. */
function flushEobRunBefore<T>(own: i32): void {
  if (eobRun === 0) return;
  putEobRun<T>();
  putBits<T>(corrections, own);
  correctionCount -= own;
  if (!isInteger<T>() && correctionCount > 0) memory.copy(corrections, corrections + own, correctionCount);
}

function putEobRun<T>(): void {
  const size = bitLength(eobRun) - 1;
  putSymbol<T>(0, size << 4, eobRun, size);
  eobRun = 0;
}

function putCorrections<T>(): void {
  putBits<T>(corrections, correctionCount);
  correctionCount = 0;
}
