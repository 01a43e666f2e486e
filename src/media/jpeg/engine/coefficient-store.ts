import { BLOCK_BYTES, blockAt, Component } from "./component";
import { allocateWithinBudget } from "./heap";

/**
 * The requantised AC coefficients, most of which are zero. Each other one takes two bytes (`k << 10 | value + 512`), block after block. A
 * value that does not fit in ten bits follows an entry of 0. A block never spans two chunks. Each chunk ends with the address of the next
 * one.
 */

const CHUNK_BYTES: usize = 64 * 1024;
const LINK_BYTES: usize = 4;
/** 63 coefficients, each followed by its value. */
const MAX_BLOCK_BYTES: usize = 63 * 4;
const SMALL_LIMIT: i32 = 512;

/** Requantises a row of MCUs and appends it. */
export function appendRow(component: Component, mcuRow: i32): void {
  const lines = min(component.v, component.blockLines - mcuRow * component.v);
  for (let line = 0; line < lines; line++) {
    appendLine(component, blockAt(component, line, 0));
  }
}

function appendLine(component: Component, at: usize): void {
  const ratios = component.ratios;
  const roundings = component.roundings;
  const zeros = component.zeros;
  const blocks = component.blocksPerLine;
  const line = component.block / blocks;
  for (let i = 0; i < blocks; i++, at += BLOCK_BYTES) {
    if (component.chunkEnd === 0 || leavesChunk(component.place, component.chunkEnd)) addChunk(component);
    if (i === 0) {
      store<usize>(component.linePlaces + (line << 2), component.place);
      store<usize>(component.lineChunkEnds + (line << 2), component.chunkEnd);
    }
    const first = component.place;
    let place = first;
    // Most coefficients become zero: sixteen are compared at once, and only the others are processed.
    for (let group = 0; group < 64; group += 16) {
      const from = group << 1;
      const low = i16x8.gt_u(i16x8.abs(v128.load(at + from)), v128.load(zeros + from));
      const high = i16x8.gt_u(i16x8.abs(v128.load(at + from + 16)), v128.load(zeros + from + 16));
      for (let rest = i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)); rest !== 0; rest &= rest - 1) {
        const k = group + ctz(rest);
        const value = <i32>load<i16>(at + (k << 1));
        place = append(place, k, requantise(value, load<f64>(ratios + (k << 3)), load<f64>(roundings + (k << 3))));
      }
    }
    const dc = <i32>load<i16>(at);
    store<i16>(component.dc + (component.block << 1), requantise(dc, load<f64>(ratios), 0.4999999));
    store<u8>(component.counts + component.block, <u32>(place - first) >> 1);
    component.place = place;
    component.block++;
  }
}

function requantise(value: i32, ratio: f64, rounding: f64): i32 {
  const magnitude = <i32>(<f64>abs(value) * ratio + rounding);
  return value < 0 ? -magnitude : magnitude;
}

function append(place: usize, k: i32, value: i32): usize {
  if (abs(value) < SMALL_LIMIT) {
    store<u16>(place, (k << 10) | (value + SMALL_LIMIT));
    return place + 2;
  }
  store<u16>(place, k << 10);
  store<u16>(place + 2, value);
  return place + 4;
}

function addChunk(component: Component): void {
  const chunk = allocateWithinBudget(CHUNK_BYTES + LINK_BYTES);
  if (component.chunkEnd !== 0) store<usize>(component.chunkEnd, chunk);
  component.place = chunk;
  component.chunkEnd = chunk + CHUNK_BYTES;
}

/** Whether a block that begins at this place would be in the next chunk. */
export function leavesChunk(place: usize, chunkEnd: usize): bool {
  return place > chunkEnd - MAX_BLOCK_BYTES;
}

export function nextChunk(chunkEnd: usize): usize {
  return load<usize>(chunkEnd);
}

export function endOfChunk(chunk: usize): usize {
  return chunk + CHUNK_BYTES;
}

/** The coefficient's value, which may follow its entry. */
export function valueAt(place: usize): i32 {
  const value = <i32>(load<u16>(place) & 1023) - SMALL_LIMIT;
  return value === -SMALL_LIMIT ? <i32>load<i16>(place + 2) : value;
}

/** Bytes of the coefficient's entry. */
export function entryBytes(place: usize): usize {
  return (load<u16>(place) & 1023) === 0 ? 4 : 2;
}
