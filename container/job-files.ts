import { fstatSync, readSync, writeSync } from "node:fs";

/** The files that a job's process is handed: what it works on, and where its result goes. */
const SOURCE = 3;
const RESULT = 4;

/** All of the job's source. */
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
