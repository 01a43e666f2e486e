import { fstatSync, readSync, writeSync } from "node:fs";

/** File descriptors that a job's process inherits. */
const SOURCE = 3;
const RESULT = 4;

export function readSource(): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(fstatSync(SOURCE).size);
  let at = 0;
  while (at < file.length) {
    const read = readSync(SOURCE, file, at, file.length - at, at);
    if (read === 0) throw new Error("The source became shorter");
    at += read;
  }
  return file;
}

export function writeResult(pieces: readonly Uint8Array[]): void {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) at += writeSync(RESULT, piece, at);
  }
}
