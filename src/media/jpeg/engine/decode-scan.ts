import {
  bitCount,
  bits,
  closeBits,
  FULL_BITS,
  fillUp,
  openBits,
  peekSymbol,
  refill,
  setBits,
  signedBits,
  skipRestartMarker,
} from "./bit-reader";
import { BLOCK_BYTES, blockAt, FLAG_BYTES, nonZerosOf } from "./component";
import { AC_TOO_LARGE, DC_TOO_LARGE, decline, REFINEMENT_TOO_LARGE, RUN_TOO_LONG } from "./host";
import { Scan, ScanComponent, scanComponent } from "./scan";
import { advanceOf, bitsOf, END_OF_BLOCK, SKIP_BITS, skipAt } from "./skip-table";

/** Two values differ by at most 15 bits, the limit of a Huffman table in libjpeg. */
const MAX_DC: i32 = 16383;
/** The most bits for a symbol: a code of 16 bits and 15 that follow. */
const SYMBOL_BITS: i32 = 32;

/** Pending blocks without coefficients in the current scan (G.1.2.2). */
let eobRun: i32 = 0;

/** Decodes a row of MCUs of one scan into the components' rows (T.81, F.2.2 and G.2). */
export function decodeRow(scan: Scan, mcuRow: i32): void {
  openBits(scan);
  eobRun = scan.eobRun;
  if (scan.componentCount === 1) decodeAlone(scan, mcuRow);
  else decodeInterleaved(scan);
  scan.eobRun = eobRun;
  closeBits();
}

/** A.2.2: a lone component's MCU is one block, and only blocks with samples are coded. */
function decodeAlone(scan: Scan, mcuRow: i32): void {
  const part = scanComponent(scan, 0);
  const component = part.component;
  const lines = min(component.v, component.blockLines - mcuRow * component.v);
  for (let line = 0; line < lines; line++) {
    let at = blockAt(component, line, 0);
    const end = at + <usize>component.blocksPerLine * component.blockBytes;
    if (scan.isProgressive && scan.ss > 0) {
      decodeAcLine(scan, part, at, end);
      continue;
    }
    for (; at < end; at += component.blockBytes) {
      if (scan.restartInterval !== 0) restartIfDue(scan);
      decodeBlock(scan, part, at);
    }
  }
}

/** A line of blocks of an AC scan. The blocks up to the next restart marker are decoded together. */
function decodeAcLine(scan: Scan, part: ScanComponent, from: usize, end: usize): void {
  for (let at = from; at < end; ) {
    let next = end;
    if (scan.restartInterval !== 0) {
      restartIfDue(scan);
      const more = min(scan.mcusToRestart, <i32>((end - at) / BLOCK_BYTES) - 1);
      scan.mcusToRestart -= more;
      next = at + <usize>(more + 1) * BLOCK_BYTES;
    }
    if (scan.ah === 0) decodeAcFirst(scan, part, at, next);
    else decodeAcRefinement(scan, part, at, next);
    at = next;
  }
}

/** A.2.3 */
function decodeInterleaved(scan: Scan): void {
  for (let mcu = 0; mcu < scan.mcusPerLine; mcu++) {
    if (scan.restartInterval !== 0) restartIfDue(scan);
    for (let i = 0; i < scan.componentCount; i++) {
      const part = scanComponent(scan, i);
      const component = part.component;
      for (let line = 0; line < component.v; line++) {
        let at = blockAt(component, line, mcu * component.h);
        if (part.skipTable !== 0) decodeFirst(part, at, component.h);
        else for (let block = 0; block < component.h; block++, at += component.blockBytes) decodeBlock(scan, part, at);
      }
    }
  }
}

function decodeBlock(scan: Scan, part: ScanComponent, at: usize): void {
  if (!scan.isProgressive) {
    if (part.skipTable !== 0) {
      decodeFirst(part, at, 1);
      return;
    }
    decodeDc(part, at, 0);
    decodeSequentialAc(part.acTable, at);
  } else {
    if (scan.ah === 0) decodeDc(part, at, scan.al);
    else if (readBit() !== 0) store<i16>(at, <i32>load<i16>(at) | (1 << scan.al));
  }
}

function readBit(): i32 {
  let value = bits;
  let count = bitCount;
  if (count < 1) {
    value = refill(value);
    count += 32;
  }
  setBits(value, --count);
  return <i32>(value >> count) & 1;
}

/** F.2.2.1, G.1.2.1 */
function decodeDc(part: ScanComponent, at: usize, al: i32): void {
  let value = bits;
  let count = bitCount;
  if (count < SYMBOL_BITS) {
    value = refill(value);
    count += 32;
  }
  const entry = peekSymbol(part.dcTable, value, count);
  count -= entry >> 8;
  const size = entry & 255;
  if (size > 15) decline(DC_TOO_LARGE);
  count -= size;
  part.prediction += signedBits(value, count, size);
  const dc = part.prediction << al;
  if (dc < -MAX_DC || dc > MAX_DC) decline(DC_TOO_LARGE);
  store<i16>(at, dc);
  setBits(value, count);
}

/** F.2.2.2 */
function decodeSequentialAc(table: usize, at: usize): void {
  let value = bits;
  let count = bitCount;
  for (let k = 1; k < 64; k++) {
    if (count < SYMBOL_BITS) {
      value = refill(value);
      count += 32;
    }
    const entry = peekSymbol(table, value, count);
    count -= entry >> 8;
    const size = entry & 15;
    if (size === 0) {
      if ((entry & 255) !== 0xf0) break;
      k += 15;
      continue;
    }
    k += (entry >> 4) & 15;
    if (k > 63) decline(RUN_TOO_LONG);
    count -= size;
    store<i16>(at + (k << 1), signedBits(value, count, size));
  }
  setBits(value, count);
}

/**
 * Decodes coefficients of neighbouring blocks up to the last one that is needed, and skips the others, several at once. Coefficients that
 * would cross the end of a block are read one by one, because the next bits may belong to another block. The bits begin at the highest one.
 */
function decodeFirst(part: ScanComponent, from: usize, blocks: i32): void {
  const table = part.acTable;
  const dcTable = part.dcTable;
  const skips = part.skipTable;
  const lastK = part.lastK;
  const blockBytes = part.component.blockBytes;
  const end = from + <usize>blocks * blockBytes;
  let dc = part.prediction;
  let value = bits;
  let count = bitCount;
  for (let at = from; at < end; at += blockBytes) {
    value = fillUp(value, count);
    count |= FULL_BITS;
    const first = peekSymbol(dcTable, value, 64);
    const dcSize = first & 255;
    if (dcSize > 15) decline(DC_TOO_LARGE);
    dc += signedBits(value, 64 - (first >> 8) - dcSize, dcSize);
    if (dc < -MAX_DC || dc > MAX_DC) decline(DC_TOO_LARGE);
    value <<= (first >> 8) + dcSize;
    count -= (first >> 8) + dcSize;
    store<i16>(at, dc);
    for (let k = 1; k < 64; ) {
      // At least 12 bits are there, so the skip need not wait for more.
      const skip = skipAt(skips, <i32>(value >> (64 - SKIP_BITS)));
      value = fillUp(value, count);
      count |= FULL_BITS;
      if (k > lastK) {
        const next = k + advanceOf(skip);
        const isEnd = next > END_OF_BLOCK && next < END_OF_BLOCK + 64;
        if (next <= 64 || isEnd) {
          value <<= bitsOf(skip);
          count -= bitsOf(skip);
          if (isEnd) break;
          k = next;
          continue;
        }
      }
      const entry = peekSymbol(table, value, 64);
      const size = entry & 15;
      const used = (entry >> 8) + size;
      if (size > 0) {
        k += ((entry >> 4) & 15) + 1;
        if (k > 64) decline(RUN_TOO_LONG);
        if (k <= lastK + 1) store<i16>(at + ((k - 1) << 1), signedBits(value, 64 - used, size));
      }
      value <<= used;
      count -= used;
      if (size > 0) continue;
      if ((entry & 255) !== 0xf0) break;
      k += 16;
    }
  }
  part.prediction = dc;
  setBits(value, count);
}

/** G.1.2.2, of neighbouring blocks. The bits begin at the highest one. */
function decodeAcFirst(scan: Scan, part: ScanComponent, from: usize, end: usize): void {
  const table = part.acTable;
  const ss = scan.ss;
  const se = scan.se;
  const al = scan.al;
  let value = bits;
  let count = bitCount;
  let nonZeros = nonZerosOf(part.component, from);
  for (let at = from; at < end; at += BLOCK_BYTES, nonZeros += FLAG_BYTES) {
    if (eobRun > 0) {
      // Blocks without coefficients need no look at each of them.
      const jump = min(eobRun, <i32>((end - at) / BLOCK_BYTES));
      eobRun -= jump;
      at += <usize>(jump - 1) * BLOCK_BYTES;
      nonZeros += <usize>(jump - 1) * FLAG_BYTES;
      continue;
    }
    let found = load<u64>(nonZeros);
    for (let k = ss; k <= se; k++) {
      if (count < SYMBOL_BITS) {
        value = fillUp(value, count);
        count |= FULL_BITS;
      }
      const entry = peekSymbol(table, value, 64);
      const run = (entry >> 4) & 15;
      const size = entry & 15;
      if (size > 0) {
        const used = (entry >> 8) + size;
        k += run;
        if (k > se) decline(RUN_TOO_LONG);
        if (size + al > 15) decline(AC_TOO_LARGE);
        store<i16>(at + (k << 1), signedBits(value, 64 - used, size) << al);
        found |= (<u64>1) << k;
        value <<= used;
        count -= used;
        continue;
      }
      value <<= entry >> 8;
      count -= entry >> 8;
      if (run === 15) {
        k += 15;
        continue;
      }
      eobRun = (1 << run) - 1 + (<i32>((value >> 1) >> (63 - run)) & ((1 << run) - 1));
      value <<= run;
      count -= run;
      break;
    }
    store<u64>(nonZeros, found);
  }
  setBits(value, count);
}

/**
 * G.1.2.3, figure G.7, of neighbouring blocks. It jumps from one known coefficient to the next instead of walking over zeros. The bits
 * begin at the highest one.
 */
function decodeAcRefinement(scan: Scan, part: ScanComponent, from: usize, end: usize): void {
  const table = part.acTable;
  const ss = scan.ss;
  const se = scan.se;
  const bit = 1 << scan.al;
  const band = (((<u64>2) << se) - 1) & (~(<u64>0) << ss);
  let value = bits;
  let count = bitCount;
  let nonZeros = nonZerosOf(part.component, from);
  for (let at = from; at < end; at += BLOCK_BYTES, nonZeros += FLAG_BYTES) {
    let found = load<u64>(nonZeros);
    // Known coefficients of the band whose bit is still missing. */
    let waiting = found & band;
    if (eobRun === 0) {
      for (let k = ss; k <= se; k++) {
        if (count < SYMBOL_BITS) {
          value = fillUp(value, count);
          count |= FULL_BITS;
        }
        const entry = peekSymbol(table, value, 64);
        value <<= entry >> 8;
        count -= entry >> 8;
        let run = (entry >> 4) & 15;
        const size = entry & 15;
        let added = 0;
        if (size === 1) {
          added = <i64>value < 0 ? bit : -bit;
          value <<= 1;
          count--;
        } else if (size !== 0) {
          decline(REFINEMENT_TOO_LARGE);
        } else if (run < 15) {
          eobRun = (1 << run) + (<i32>((value >> 1) >> (63 - run)) & ((1 << run) - 1));
          value <<= run;
          count -= run;
          break;
        }
        // The run counts zeros; known coefficients between them are refined in passing.
        while (waiting !== 0) {
          const next = <i32>ctz(waiting);
          if (next - k > run) break;
          run -= next - k;
          k = next + 1;
          waiting &= waiting - 1;
          if (count < 1) {
            value = fillUp(value, count);
            count |= FULL_BITS;
          }
          refine(at + (next << 1), <i32>(value >> 63), bit);
          value <<= 1;
          count--;
        }
        k += run;
        if (added !== 0) {
          if (k > se) decline(RUN_TOO_LONG);
          store<i16>(at + (k << 1), added);
          found |= (<u64>1) << k;
        }
      }
    }
    if (eobRun > 0) {
      for (; waiting !== 0; waiting &= waiting - 1) {
        if (count < 1) {
          value = fillUp(value, count);
          count |= FULL_BITS;
        }
        refine(at + ((<usize>ctz(waiting)) << 1), <i32>(value >> 63), bit);
        value <<= 1;
        count--;
      }
      eobRun--;
    }
    store<u64>(nonZeros, found);
  }
  setBits(value, count);
}

/** Correction bits and signs are random, so this avoids branches. */
function refine(place: usize, correction: i32, bit: i32): void {
  const old = <i32>load<i16>(place);
  if ((old & bit) !== 0) return;
  const sign = old >> 31;
  store<i16>(place, old + (((-correction & bit) ^ sign) - sign));
}

function restartIfDue(scan: Scan): void {
  if (scan.mcusToRestart === 0) {
    skipRestartMarker(scan.nextRestart);
    scan.nextRestart = (scan.nextRestart + 1) & 7;
    scan.mcusToRestart = scan.restartInterval;
    eobRun = 0;
    for (let i = 0; i < scan.componentCount; i++) scanComponent(scan, i).prediction = 0;
  }
  scan.mcusToRestart--;
}
