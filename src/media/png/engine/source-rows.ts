import { allocate, resetHeap } from "./heap";
import { copyInflater, endsSoundly, inflate, newInflater } from "./inflate";
import { copyLzwReader, newLzwReader, unpackLzw } from "./lzw";
import { unfilter } from "./unfilter";

/**
 * The rows of a picture, whatever form it has in its file: whole bytes a sample, indices replaced by their colours (RGBA).
 *
 * A picture comes in passes: one, the seven of Adam7 (PNG, 8.1), or the four of a GIF (GIF89a, appendix E). It is read twice:
 * first pass by pass, when a copy of the reader is made where each pass begins; then row by row, when the copies read on side
 * by side. So rows come in their order from an interlaced file, too, without any but these being in memory.
 */

const GIF_FORM: i32 = -1;
const INDEXED: i32 = 3;
/** Zeros before each row: what filters find on the left of the first pixel. */
const MARGIN_BYTES: usize = 16;
const SPARE_BYTES: usize = 32;
const MAX_PASSES: i32 = 7;

@unmanaged
class Pass {
  /** Reads this pass in the second reading; it stands at its beginning. */
  reader: usize;
  left: i32;
  top: i32;
  dx: i32;
  dy: i32;
  columns: i32;
  rows: i32;
  /** In the file, without the filter. */
  rowBytes: i32;
  current: usize;
  previous: usize;
  done: i32;
}

const PASS_BYTES: i32 = 64;
const passes = memory.data(MAX_PASSES * PASS_BYTES, 16);
let passCount: i32 = 0;
let passAt: i32 = 0;

let form: i32 = 0;
let depth: i32 = 0;
let fileBits: i32 = 0;
let width: i32 = 0;
let pixelBytes: i32 = 0;
let reader: usize = 0;
/** A pass's pixels, and a row of the picture. */
let stage: usize = 0;
let row: usize = 0;
let y: i32 = 0;

/** RGBA of each index, as a word in memory. */
const colours = memory.data(256 * 4, 16);
let colourCount: i32 = 0;
const filterByte = memory.data(16, 16);

/**
 * Begins a picture. All that was in memory is gone.
 * @param colourType as IHDR says; -1 for a GIF
 * @param samples of a pixel in the file
 */
export function beginPicture(colourType: i32, bitDepth: i32, samples: i32, pictureWidth: i32): void {
  resetHeap();
  form = colourType;
  depth = bitDepth;
  fileBits = samples * bitDepth;
  width = pictureWidth;
  pixelBytes = hasIndices() ? 4 : samples * (bitDepth === 16 ? 2 : 1);
  passCount = 0;
  passAt = 0;
  colourCount = 0;
}

export function coloursAt(): usize {
  return colours;
}

export function setColourCount(count: i32): void {
  colourCount = count;
}

/** Passes come in the order of the file; those without pixels are none. */
export function addPass(left: i32, top: i32, dx: i32, dy: i32, columns: i32, rows: i32): void {
  const pass = passOf(passCount++);
  pass.left = left;
  pass.top = top;
  pass.dx = dx;
  pass.dy = dy;
  pass.columns = columns;
  pass.rows = rows;
  pass.rowBytes = <i32>((<i64>columns * fileBits + 7) >> 3);
  pass.done = 0;
}

/** Begins the first reading. @param keepsRows false where rows are too long to be held: then there are only lines as they are */
export function beginReading(keepsRows: bool): void {
  if (keepsRows) {
    for (let i = 0; i < passCount; i++) {
      const pass = passOf(i);
      pass.current = allocateRow(pass.rowBytes);
      pass.previous = allocateRow(pass.rowBytes);
    }
    stage = allocateRow(width * pixelBytes);
    row = allocateRow(width * pixelBytes);
  }
  reader = form === GIF_FORM ? newLzwReader() : newInflater();
  passAt = 0;
  lineLeft = 0;
}

export function allocateRow(bytes: i32): usize {
  const size = MARGIN_BYTES + bytes + SPARE_BYTES;
  const at = allocate(size);
  memory.fill(at, 0, size);
  return at + MARGIN_BYTES;
}

function passOf(index: i32): Pass {
  return changetype<Pass>(passes + index * PASS_BYTES);
}

function hasIndices(): bool {
  return form === INDEXED || form === GIF_FORM;
}

export const NOTHING_LEFT: i32 = 0;
export const READ: i32 = 1;
export const DAMAGED: i32 = -1;

/** The row of a pass that was read last: its pixels, and how many. */
export let pixels: usize = 0;
export let pixelCount: i32 = 0;

/** In the first reading: the next row of whichever pass is next in the file. */
export function readNextOfPass(): i32 {
  if (passAt === passCount) return NOTHING_LEFT;
  const pass = passOf(passAt);
  if (pass.done === 0) pass.reader = form === GIF_FORM ? copyLzwReader(reader) : copyInflater(reader);
  if (!readRowOf(pass, reader)) return DAMAGED;
  if (pass.done === pass.rows) passAt += 1;
  return READ;
}

/** Whether nothing follows the last row, and the checksum is right; a GIF has none, and what follows is nobody's business. */
export function endsWell(): bool {
  return form === GIF_FORM || endsSoundly(reader);
}

/** Without a first reading, which only several passes need: the rows of a single one follow one another. */
export function readAtOnce(): void {
  passOf(0).reader = reader;
}

/** Begins the second reading. */
export function beginRows(): void {
  y = 0;
  for (let i = 0; i < passCount; i++) {
    const pass = passOf(i);
    pass.done = 0;
    memory.fill(pass.current, 0, pass.rowBytes);
    memory.fill(pass.previous, 0, pass.rowBytes);
  }
  memory.fill(row, 0, width * pixelBytes);
}

/** In the second reading: the next row of the picture. What no pass covers is clear. @returns its address; 0 where it is damaged */
export function nextRow(): usize {
  let isCovered = false;
  for (let i = 0; i < passCount; i++) {
    const pass = passOf(i);
    const from = y - pass.top;
    if (from < 0 || from % pass.dy !== 0 || pass.done === pass.rows) continue;
    isCovered = true;
    if (!readRowOf(pass, pass.reader)) return 0;
    if (pass.columns === width && pass.dx === 1) {
      y += 1;
      return pixels;
    }
    scatter(row + pass.left * pixelBytes, pass.dx * pixelBytes);
  }
  if (!isCovered) memory.fill(row, 0, width * pixelBytes);
  y += 1;
  return row;
}

/** Puts the pixels that were read where they belong. @param step bytes from one to the next */
function scatter(target: usize, step: i32): void {
  if (step === pixelBytes) {
    memory.copy(target, pixels, pixelCount * pixelBytes);
    return;
  }
  const end = pixels + pixelCount * pixelBytes;
  for (let from = pixels; from < end; from += pixelBytes) {
    if (pixelBytes === 1) store<u8>(target, load<u8>(from));
    else if (pixelBytes === 4) store<u32>(target, load<u32>(from));
    else memory.copy(target, from, pixelBytes);
    target += step;
  }
}

function readRowOf(pass: Pass, from: usize): bool {
  const current = pass.previous;
  pass.previous = pass.current;
  pass.current = current;
  if (form === GIF_FORM) {
    if (unpackLzw(from, current, pass.columns) < pass.columns) return false;
  } else {
    if (inflate(from, filterByte, 1) < 1 || inflate(from, current, pass.rowBytes) < pass.rowBytes) return false;
    const step = max(1, fileBits >> 3);
    // Vectors reach beyond the end, and what they leave there must not be seen by the next row.
    if (!unfilter(load<u8>(filterByte), current, pass.previous, step, pass.rowBytes)) return false;
  }
  pass.done += 1;
  pixelCount = pass.columns;
  pixels = current;
  if (hasIndices()) {
    pixels = stage;
    return replaceIndices(current);
  }
  if (depth < 8) {
    pixels = stage;
    scaleGrays(current);
  }
  return true;
}

/** Indices that have no colour are an error (PNG, 11.2.2). */
function replaceIndices(from: usize): bool {
  if (depth === 8) {
    let highest: u32 = 0;
    for (let i = 0; i < pixelCount; i++) {
      const index = <u32>load<u8>(from + i);
      highest = max(highest, index);
      store<u32>(stage + (i << 2), load<u32>(colours + (index << 2)));
    }
    return <i32>highest < colourCount;
  }
  let isKnown = true;
  for (let i = 0; i < pixelCount; i++) {
    const index = samplesAt(from, i);
    isKnown = isKnown && <i32>index < colourCount;
    store<u32>(stage + (i << 2), load<u32>(colours + (index << 2)));
  }
  return isKnown;
}

/** To 8 bits (PNG, 13.12): what there is of each, repeated. */
function scaleGrays(from: usize): void {
  const factor: u32 = 255 / ((1 << depth) - 1);
  for (let i = 0; i < pixelCount; i++) store<u8>(stage + i, <u8>(samplesAt(from, i) * factor));
}

/** A sample of less than a byte. */
function samplesAt(from: usize, index: i32): u32 {
  const bit = index * depth;
  return (<u32>load<u8>(from + (bit >> 3)) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

let lineLeft: i32 = 0;

/**
 * For rows that are too long to be held: the data as it is, each row behind its filter.
 * @returns how many bytes: fewer than asked for at the end only; -1 where it is damaged
 */
export function readLines(target: usize, bytes: i32): i32 {
  let filled = 0;
  while (filled < bytes && passAt < passCount) {
    const pass = passOf(passAt);
    if (lineLeft === 0) {
      if (inflate(reader, target + filled, 1) < 1 || load<u8>(target + filled) > 4) return DAMAGED;
      filled += 1;
      lineLeft = pass.rowBytes;
    }
    const size = min(bytes - filled, lineLeft);
    if (inflate(reader, target + filled, size) < size) return DAMAGED;
    filled += size;
    lineLeft -= size;
    if (lineLeft === 0) {
      pass.done += 1;
      if (pass.done === pass.rows) passAt += 1;
    }
  }
  return filled;
}
