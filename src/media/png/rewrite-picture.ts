import type { CodecTools } from "../codec-tools.ts";
import { type Analysis, chooseForm, type Form } from "./choose-form.ts";
import { deflate } from "./deflate/deflate.ts";
import { PngEngine } from "./engine.ts";
import { bytesPerPixel, INDEXED, rawBytes, rowBytesOf, samplesPerPixel } from "./png-header.ts";
import { GIF_FORM, type SourcePicture } from "./source-picture.ts";

/** What is looked at between two chances to yield. */
const STEP_BYTES = 512 * 1024;
const STEP_MS = 6;
/** Longer rows than a picture of 65,536 pixels of 16 bits has are not held in memory. */
const MAX_ROW_BYTES = 512 * 1024;
const RAW_LINE_BYTES = 64 * 1024;
const MAX_COLOURS = 256;

export interface RewrittenPicture {
  /** Undefined where the image data is as it was, but for its deflating: rows too long to be held. */
  readonly form: Form | undefined;
  /** A zlib stream, in pieces. */
  readonly data: readonly Uint8Array<ArrayBuffer>[];
}

export type Rewriting = RewrittenPicture | "damaged" | "larger";

/**
 * Reads a picture twice: once to know all of its pixels, and once to write them in the fewest bytes. Memory beside the result
 * stays below 24 MB whatever the dimensions: no more than some rows are there at a time.
 * @param affordableBytes the work is given up where the data takes more
 * @throws WebAssembly.RuntimeError where the engine fails, which is no fault of the file
 */
export async function rewritePicture(
  source: SourcePicture,
  { engine: module, yieldIfDue }: CodecTools,
  affordableBytes: number,
): Promise<Rewriting> {
  const engine = new PngEngine(module, source.read);
  const { loops } = engine;
  const hasIndices = source.colourType === INDEXED || source.colourType === GIF_FORM;
  const fileSamples = source.colourType === GIF_FORM ? 1 : samplesPerPixel(source);
  const samples = hasIndices ? 4 : fileSamples;
  const sampleBytes = source.bitDepth === 16 ? 2 : 1;
  const keepsRows = source.width * samples * sampleBytes <= MAX_ROW_BYTES;
  loops.beginPicture(source.colourType, source.bitDepth, fileSamples, source.width);
  setColours(engine, source);
  for (const pass of source.passes) {
    loops.addPass(pass.left, pass.top, pass.dx, pass.dy, pass.columns, pass.rows);
  }
  loops.beginReading(keepsRows ? 1 : 0);
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
    ...{ affordableBytes, yieldIfDue },
  });
  return typeof data === "string" ? data : { form, data };
}

/** Deflates the image data anew, row by row as it is. */
async function rewriteLines(
  engine: PngEngine,
  source: SourcePicture,
  limits: Pick<CodecTools, "yieldIfDue"> & { readonly affordableBytes: number },
): Promise<Rewriting> {
  // No GIF has such rows.
  const data = await deflate(engine, {
    totalBytes: rawBytes(source),
    waitingBytes: RAW_LINE_BYTES,
    addData: () => engine.loops.addRawLines(RAW_LINE_BYTES),
    ...limits,
  });
  if (typeof data === "string") return data;
  return engine.loops.endsWell() === 0 ? "damaged" : { form: undefined, data };
}

function setColours(engine: PngEngine, { colours }: SourcePicture): void {
  if (colours === undefined) return;
  engine.bytesAt(engine.loops.coloursAt(), colours.length).set(colours);
  engine.loops.setColourCount(colours.length / 4);
}

function beginAnalysis(
  { loops }: PngEngine,
  { key, bitDepth }: SourcePicture,
  { samples, sampleBytes }: Pick<Analysis, "samples" | "sampleBytes">,
): void {
  loops.beginAnalysis(samples, sampleBytes);
  if (key === undefined) return;
  const scale = bitDepth < 8 ? 255 / (2 ** bitDepth - 1) : 1;
  const [red = 0, green = red, blue = red] = key.map((value) => value * scale);
  loops.setKey(red, green, blue);
}

function readAnalysis(engine: PngEngine, samples: number, sampleBytes: 1 | 2): Analysis {
  const { loops } = engine;
  const bits = loops.analysis();
  const count = loops.foundColours();
  return {
    ...{ samples, sampleBytes },
    isOpaque: (bits & 1) !== 0,
    isGray: (bits & 2) !== 0,
    isHalvable: (bits & 4) !== 0,
    isKeyUsed: (bits & 8) !== 0,
    colours: count > MAX_COLOURS ? undefined : engine.wordsAt(loops.foundAt(), count).slice(),
  };
}

/** @param pixelBytes as the engine reads it */
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
