import { Component } from "./component";
import { allocate, allocateZeros } from "./heap";
import { addSkipTable } from "./skip-table";

/** Bytes that a scan reads ahead. It is small, because all scans of a progressive picture are open at once. */
export const WINDOW_BYTES: usize = 8 * 1024;
const MAX_COMPONENTS: i32 = 4;

/** A component's part in a scan: the tables and the DC prediction. */
@unmanaged
export class ScanComponent {
  component: Component;
  dcTable: usize;
  acTable: usize;
  /** The table for skipping AC coefficients after `lastK`; 0 if all are decoded. */
  skipTable: usize;
  lastK: i32;
  prediction: i32;
}

/** A scan and its progress. The bit fields hold `bit-reader`'s state between rows. */
@unmanaged
export class Scan {
  ss: i32;
  se: i32;
  ah: i32;
  al: i32;
  isProgressive: bool;
  componentCount: i32;
  components: usize;
  mcusPerLine: i32;
  restartInterval: i32;

  mcusToRestart: i32;
  nextRestart: i32;
  eobRun: i32;

  window: usize;
  /** The next byte of data without stuffing, and the end of such bytes. */
  at: usize;
  dataEnd: usize;
  /** The bytes that follow as they are in the file: none, a marker, or a 0xFF whose next byte was not read yet. */
  rawAt: usize;
  rawEnd: usize;
  /** File offsets: the end of the window's bytes, and the end of the scan. */
  fileAt: i32;
  fileEnd: i32;
  bits: u64;
  bitCount: i32;
  padding: i32;
}

/** @param start of the entropy-coded data in the file @returns the scan; `addScanComponent` comes next */
export function addScan(
  start: i32,
  end: i32,
  isProgressive: bool,
  ss: i32,
  se: i32,
  ah: i32,
  al: i32,
  mcusPerLine: i32,
  restartInterval: i32,
): Scan {
  const scan = changetype<Scan>(allocateZeros(offsetof<Scan>()));
  scan.isProgressive = isProgressive;
  scan.ss = ss;
  scan.se = se;
  scan.ah = ah;
  scan.al = al;
  scan.mcusPerLine = mcusPerLine;
  scan.restartInterval = restartInterval;
  scan.mcusToRestart = restartInterval;
  scan.components = allocateZeros(MAX_COMPONENTS * offsetof<ScanComponent>());
  scan.window = allocate(WINDOW_BYTES);
  scan.at = scan.window;
  scan.dataEnd = scan.window;
  scan.rawAt = scan.window;
  scan.rawEnd = scan.window;
  scan.fileAt = start;
  scan.fileEnd = end;
  return scan;
}

/** @param dcTable and acTable: addresses of tables, 0 if the scan needs none */
export function addScanComponent(scan: Scan, component: Component, dcTable: usize, acTable: usize): void {
  const added = scanComponent(scan, scan.componentCount++);
  added.component = component;
  added.dcTable = dcTable;
  added.acTable = acTable;
}

/** Skips the AC coefficients of a sequential scan after `lastK`. Called after all its components were added. */
export function skipAcAfter(scan: Scan, lastK: i32): void {
  for (let i = 0; i < scan.componentCount; i++) {
    const part = scanComponent(scan, i);
    // Components share tables.
    for (let other = 0; other < i && part.skipTable === 0; other++) {
      const known = scanComponent(scan, other);
      if (known.acTable === part.acTable) part.skipTable = known.skipTable;
    }
    if (part.skipTable === 0) part.skipTable = addSkipTable(part.acTable);
    part.lastK = lastK;
  }
}

export function scanComponent(scan: Scan, index: i32): ScanComponent {
  return changetype<ScanComponent>(scan.components + index * offsetof<ScanComponent>());
}
