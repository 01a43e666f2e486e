import type { CodecTools } from "../codec-tools.ts";
import { type Analysis, chooseForm, type Form } from "./choose-form.ts";
import { deflate } from "./deflate/deflate.ts";
import type { PngEngine } from "./engine.ts";
import { keyOf, openPicture } from "./open-picture.ts";
import { bytesPerPixel, rawBytes, rowBytesOf } from "./png-header.ts";
import type { SourcePicture } from "./source-picture.ts";

/** Bytes that are analysed between two chances to yield. */
const STEP_BYTES = 512 * 1024;
const STEP_MS = 6;
const RAW_LINE_BYTES = 64 * 1024;
const MAX_COLOURS = 256;

export interface RewrittenPicture {
  /** Undefined if rows were too long to be held: then the image data was only deflated again. */
  readonly form: Form | undefined;
  /** A zlib stream, in pieces. */
  readonly data: readonly Uint8Array<ArrayBuffer>[];
}

export type Rewriting = RewrittenPicture | "damaged" | "larger";

/**
 * Reads a picture twice: once to analyse all its pixels, once to write them in the fewest bytes. Memory besides the result stays below 24
 * MB for any dimensions, because only some rows are held at a time.
 * @param affordableBytes the work stops if the data takes more
 * @throws WebAssembly.RuntimeError if the engine fails, which is not the file's fault
 */
export async function rewritePicture(
  source: SourcePicture,
  { engine: module, yieldIfDue }: CodecTools,
  affordableBytes: number,
): Promise<Rewriting> {
  const { engine, samples, sampleBytes, keepsRows } = openPicture(module, source);
  const { loops } = engine;
  if (!keepsRows) return rewriteLines(engine, source, { yieldIfDue, affordableBytes });

  beginAnalysis(engine, source, { samples, sampleBytes });
  const covered = source.passes.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
  if (covered < source.width * source.height) loops.addClear();
  for (let status = 1; status !== 0; ) {
    status = loops.analyseRows(STEP_BYTES);
    if (status < 0) return "damaged";
    await yieldIfDue(STEP_MS);
  }
  if (loops.endsWell() === 0) return "damaged";
  const form = chooseForm(source, readAnalysis(engine, samples, sampleBytes));
  const { header } = form;
  setReduction(engine, form, samples * sampleBytes);
  loops.beginLines(header.width, header.height, rowBytesOf(header, header.width), bytesPerPixel(header));
  const data = await deflate(engine, {
    totalBytes: rawBytes(header),
    waitingBytes: loops.stripBytes(),
    addData: () => loops.addStrip(),
    affordableBytes,
    yieldIfDue,
  });
  return typeof data === "string" ? data : { form, data };
}

/** Deflates the unchanged image data again. */
async function rewriteLines(
  engine: PngEngine,
  source: SourcePicture,
  limits: Pick<CodecTools, "yieldIfDue"> & { readonly affordableBytes: number },
): Promise<Rewriting> {
  // No GIF has rows of this length.
  const data = await deflate(engine, {
    totalBytes: rawBytes(source),
    waitingBytes: RAW_LINE_BYTES,
    addData: () => engine.loops.addRawLines(RAW_LINE_BYTES),
    ...limits,
  });
  if (typeof data === "string") return data;
  return engine.loops.endsWell() === 0 ? "damaged" : { form: undefined, data };
}

function beginAnalysis(
  { loops }: PngEngine,
  source: SourcePicture,
  { samples, sampleBytes }: Pick<Analysis, "samples" | "sampleBytes">,
): void {
  loops.beginAnalysis(samples, sampleBytes);
  const key = keyOf(source);
  if (key !== undefined) loops.setKey(...key);
}

function readAnalysis(engine: PngEngine, samples: number, sampleBytes: 1 | 2): Analysis {
  const { loops } = engine;
  const bits = loops.analysis();
  const count = loops.foundColours();
  return {
    samples,
    sampleBytes,
    isOpaque: (bits & 1) !== 0,
    isGray: (bits & 2) !== 0,
    isHalvable: (bits & 4) !== 0,
    isKeyUsed: (bits & 8) !== 0,
    colours: count > MAX_COLOURS ? undefined : engine.wordsAt(loops.foundAt(), count).slice(),
  };
}

/** @param pixelBytes of a pixel as the engine reads it */
function setReduction(engine: PngEngine, { header, indices, picks }: Form, pixelBytes: number): void {
  const { loops } = engine;
  if (indices === undefined) {
    engine.bytesAt(loops.picksAt(), picks.length).set(picks);
    loops.pickBytes(pixelBytes, picks.length, Math.min(8, header.bitDepth));
  } else {
    engine.bytesAt(loops.indicesAt(), indices.length).set(indices);
    loops.useIndices(pixelBytes, header.bitDepth);
  }
}
