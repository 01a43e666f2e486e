import { allocate, resetHeap } from "./heap";
import { copyInflater, endsSoundly, inflate, newInflater } from "./inflate";
import { copyLzwReader, newLzwReader, unpackLzw } from "./lzw";
import { unfilter } from "./unfilter";

/**
 * The rows of a picture in one form: whole bytes a sample, indices replaced by their colours (RGBA).
 *
 * A picture comes in passes: one, the seven of Adam7 (PNG, 8.1), or the four of a GIF (GIF89a, appendix E). It is read twice. The first
 * reading goes pass by pass and copies the reader at the start of each pass. The second reading goes row by row and reads with the copies
 * in parallel. So the rows of an interlaced file come in order, and only these rows are in memory.
 */

const GIF_FORM: i32 = -1;
const INDEXED: i32 = 3;
/** Zeros before each row: filters read them to the left of the first pixel. */
const MARGIN_BYTES: usize = 16;
const SPARE_BYTES: usize = 32;
const MAX_PASSES: i32 = 7;

@unmanaged
class Pass {
  /** The second reading's reader, at the start of this pass. */
  reader: usize;
  left: i32;
  top: i32;
  dx: i32;
  dy: i32;
  columns: i32;
  rows: i32;
  /** Bytes in the file, without the filter. */
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
 * Begins a picture and discards the memory of the previous one.
 * @param colourType from IHDR; -1 for a GIF
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

/** Passes come in the order of the file, without empty ones. */
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

/** Begins the first reading. @param keepsRows false if rows are too long to be held: then only raw lines can be read */
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

const NOTHING_LEFT: i32 = 0;
export const READ: i32 = 1;
export const DAMAGED: i32 = -1;

/** The address and number of the pixels in the pass's last read row. */
export let pixels: usize = 0;
export let pixelCount: i32 = 0;

/** First reading: reads the next row of the file's current pass. */
export function readNextOfPass(): i32 {
  if (passAt === passCount) return NOTHING_LEFT;
  const pass = passOf(passAt);
  if (pass.done === 0) pass.reader = form === GIF_FORM ? copyLzwReader(reader) : copyInflater(reader);
  if (!readRowOf(pass, reader)) return DAMAGED;
  if (pass.done === pass.rows) passAt += 1;
  return READ;
}

/** Whether the data ends after the last row with the right checksum. A GIF has no checksum, and bytes after its pixels are ignored. */
export function endsWell(): bool {
  return form === GIF_FORM || endsSoundly(reader);
}

/** Skips the first reading, which only several passes need. */
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

/**
 * Second reading: the next row of the picture. Pixels that no pass covers are transparent.
 * @returns its address; 0 if the source is damaged
 */
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

/** Writes the pass's pixels to their positions in the row. @param step bytes from one to the next */
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
    // Vectors write beyond the end, into spare bytes that the next row does not read.
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

/** Returns false for an index without a colour, which is an error (PNG, 11.2.2). */
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

/** Scales to 8 bits (PNG, 13.12) by repeating the sample's bits. */
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
 * Reads raw data of rows that are too long to be held, each row after its filter byte.
 * @returns the number of bytes: less than `bytes` only at the end; -1 if the data is damaged
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
