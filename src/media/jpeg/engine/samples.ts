import { BLOCK_BYTES, blockAt, Component } from "./component";
import { allocate } from "./heap";

/**
 * Samples of a row of MCUs, at a part of the size: a block becomes `side` by `side` samples, of its lowest `side` by `side` coefficients
 * (an inverse cosine transform of that size). The component's ratios are its quantisation steps, and its first rounding is added to DC.
 */

const MAX_SIDE: i32 = 8;
const BLOCK_SAMPLES: i32 = 64;
const MIDDLE: f32 = 128;
/** Of DC alone: the mean of a block is an eighth of it (T.81, A.3.3). */
const DC_SHARE: f64 = 0.125;

/** By frequency and place: the transform's factors, `side` a line: f32. */
const basis = memory.data(BLOCK_SAMPLES * 4, 16);
/** By natural order of all 64: the place in zigzag order. */
const places = memory.data(BLOCK_SAMPLES, 16);
const coefficients = memory.data(BLOCK_SAMPLES * 4, 16);
const columns = memory.data(BLOCK_SAMPLES * 4, 16);

export function basisAt(): usize {
  return basis;
}

export function placesAt(): usize {
  return places;
}

/**
 * @param side 1, 2, 4 or 8
 * @returns where the samples are: `blocksPerLine * side` a line, `v * side` lines, valid until the next call
 */
export function samplesOf(component: Component, mcuRow: i32, side: i32): usize {
  const stride = component.blocksPerLine * side;
  if (component.samples === 0) component.samples = allocate(stride * component.v * side);
  const lines = min(component.v, component.blockLines - mcuRow * component.v);
  for (let line = 0; line < lines; line++) {
    let at = blockAt(component, line, 0);
    let target = component.samples + line * side * stride;
    if (side === 1) {
      meansOf(component, at, target);
      continue;
    }
    for (let block = 0; block < component.blocksPerLine; block++, at += BLOCK_BYTES, target += side) {
      transform(component, at, side, target, stride);
    }
  }
  return component.samples;
}

/** A line of blocks, each of which becomes a sample. */
function meansOf(component: Component, at: usize, target: usize): void {
  const rounding = load<f64>(component.roundings);
  const share = load<f64>(component.ratios) * DC_SHARE;
  const end = target + component.blocksPerLine;
  for (; target < end; target++, at += BLOCK_BYTES) {
    store<u8>(target, toSample(<f32>((<f64>load<i16>(at) + rounding) * share)));
  }
}

function dcOf(component: Component, at: usize): f64 {
  return (<f64>load<i16>(at) + load<f64>(component.roundings)) * load<f64>(component.ratios);
}

function transform(component: Component, at: usize, side: i32, target: usize, stride: i32): void {
  for (let v = 0; v < side; v++) {
    for (let u = 0; u < side; u++) {
      const k = <usize>load<u8>(places + v * MAX_SIDE + u);
      const value = <f64>load<i16>(at + (k << 1)) * load<f64>(component.ratios + (k << 3));
      store<f32>(coefficients + ((v * side + u) << 2), <f32>value);
    }
  }
  store<f32>(coefficients, <f32>dcOf(component, at));
  for (let u = 0; u < side; u++) {
    for (let y = 0; y < side; y++) {
      let sum: f32 = 0;
      for (let v = 0; v < side; v++) sum += basisOf(v, y, side) * load<f32>(coefficients + ((v * side + u) << 2));
      store<f32>(columns + ((y * side + u) << 2), sum);
    }
  }
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      let sum: f32 = 0;
      for (let u = 0; u < side; u++) sum += basisOf(u, x, side) * load<f32>(columns + ((y * side + u) << 2));
      store<u8>(target + y * stride + x, toSample(sum));
    }
  }
}

function basisOf(frequency: i32, place: i32, side: i32): f32 {
  return load<f32>(basis + ((frequency * side + place) << 2));
}

function toSample(value: f32): u8 {
  return <u8>max(0, min(255, <i32>(value + MIDDLE + 0.5)));
}
