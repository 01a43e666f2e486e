import { fstatSync, readSync, writeSync } from "node:fs";
import { compressWebp } from "../src/media/webp/compress-webp.ts";
import { readWebpHead } from "../src/media/webp/read-webp-head.ts";
import { loadWebpEngine } from "./webp-engine.ts";

/**
 * One compression in a process of its own, so that it can be stopped, has bounded memory, and takes nobody along if the codec
 * crashes. `node compress-job.ts <quality> <max pixels>`, the WebP at descriptor 3, the result to descriptor 4, the outcome (JSON)
 * to standard output.
 */

const SOURCE = 3;
const RESULT = 4;

export type CompressOutcome =
  | { contentType: "image/webp"; width: number; height: number; sizeBytes: number }
  /** The image is to be kept as it is. */
  | { reason: string };

function readSource(): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(fstatSync(SOURCE).size);
  let at = 0;
  while (at < file.length) {
    const read = readSync(SOURCE, file, at, file.length - at, at);
    if (read === 0) throw new Error("The source became shorter");
    at += read;
  }
  return file;
}

function writeResult(pieces: readonly Uint8Array[]): void {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) at += writeSync(RESULT, piece, at);
  }
}

async function run(): Promise<CompressOutcome> {
  const [quality, maxPixels] = process.argv.slice(2).map(Number);
  const file = readSource();
  const result = await compressWebp(loadWebpEngine(maxPixels ?? 0), file, quality ?? 0);
  switch (result.outcome) {
    case "compressed": {
      // Width and height never change.
      const { width, height } = readWebpHead(file);
      const sizeBytes = result.pieces.reduce((sum, piece) => sum + piece.length, 0);
      writeResult(result.pieces);
      return { contentType: "image/webp", width, height, sizeBytes };
    }
    case "kept":
      return { reason: result.reason };
    case "too-large":
      return { reason: "Too many pixels" };
  }
}

process.stdout.write(JSON.stringify(await run()));
