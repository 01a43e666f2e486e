import { Component } from "./component";
import { bitLength, Counted, putSymbol, Written } from "./entropy-sink";

const MAX_COMPONENTS: i32 = 4;

/** The components of the scan, each with its table and prediction. */
const components = memory.data(MAX_COMPONENTS * 4, 4);
const tables = memory.data(MAX_COMPONENTS * 4, 4);
const predictions = memory.data(MAX_COMPONENTS * 4, 4);
let count: i32 = 0;

export function beginDcScan(): void {
  count = 0;
}

/** Begins each pass. All rows of MCUs follow in order, so that the host can pause in between. */
export function beginDcPass(): void {
  memory.fill(predictions, 0, MAX_COMPONENTS * 4);
}

export function addToDcScan(component: Component, table: i32): void {
  store<usize>(components + (count << 2), changetype<usize>(component));
  store<i32>(tables + (count << 2), table);
  count++;
}

export function countDcRow(mcusPerLine: i32, row: i32): void {
  codeDcRow<Counted>(mcusPerLine, row);
}

export function writeDcRow(mcusPerLine: i32, row: i32): void {
  codeDcRow<Written>(mcusPerLine, row);
}

/** Codes the DC coefficients of the scan's components (T.81, G.1.2.1), all bits at once. */
function codeDcRow<T>(mcusPerLine: i32, row: i32): void {
  if (count === 1) {
    // A scan of one component has only blocks with samples.
    const component = componentAt(0);
    const end = min((row + 1) * component.v, component.blockLines) * component.blocksPerLine;
    for (let block = row * component.v * component.blocksPerLine; block < end; block++)
      codeDc<T>(0, dcAt(component, block));
    return;
  }
  for (let mcu = 0; mcu < mcusPerLine; mcu++) {
    for (let place = 0; place < count; place++) codeMcu<T>(place, row, mcu);
  }
}

function codeMcu<T>(place: i32, row: i32, mcu: i32): void {
  const component = componentAt(place);
  for (let line = row * component.v; line < (row + 1) * component.v; line++) {
    for (let block = mcu * component.h; block < (mcu + 1) * component.h; block++) {
      const isReal = line < component.blockLines && block < component.blocksPerLine;
      // A block that only fills up an MCU repeats the previous one.
      const value = isReal
        ? dcAt(component, line * component.blocksPerLine + block)
        : load<i32>(predictions + (place << 2));
      codeDc<T>(place, value);
    }
  }
}

function codeDc<T>(place: i32, value: i32): void {
  const prediction = predictions + (place << 2);
  const difference = value - load<i32>(prediction);
  store<i32>(prediction, value);
  const size = bitLength(abs(difference));
  putSymbol<T>(load<i32>(tables + (place << 2)), size, difference < 0 ? difference - 1 : difference, size);
}

function componentAt(place: i32): Component {
  return changetype<Component>(load<usize>(components + (place << 2)));
}

function dcAt(component: Component, block: i32): i32 {
  return <i32>load<i16>(component.dc + (block << 1));
}
