import { PngEngine } from "./engine.ts";
import { INDEXED, samplesPerPixel } from "./png-header.ts";
import { GIF_FORM, type SourcePicture } from "./source-picture.ts";

/** Longer rows are not held in memory. A row of 65,536 pixels of 16 bits fits. */
const MAX_ROW_BYTES = 512 * 1024;

/** A picture that is ready to be read, and the form of its rows. */
export interface OpenPicture {
  readonly engine: PngEngine;
  /** Samples of a pixel as it is read: indices are replaced by their colours. */
  readonly samples: number;
  readonly sampleBytes: 1 | 2;
  /** False if a row is too long to be held: it can only be copied as it is. */
  readonly keepsRows: boolean;
}

/** Begins the first reading of a picture. @param module the compiled PNG engine */
export function openPicture(module: WebAssembly.Module, source: SourcePicture): OpenPicture {
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
  return { engine, samples, sampleBytes, keepsRows };
}

/** The transparent colour, in the form in which the engine reads samples. */
export function keyOf({ key, bitDepth }: SourcePicture): [red: number, green: number, blue: number] | undefined {
  if (key === undefined) return undefined;
  const scale = bitDepth < 8 ? 255 / (2 ** bitDepth - 1) : 1;
  const [red = 0, green = red, blue = red] = key.map((value) => value * scale);
  return [red, green, blue];
}

function setColours(engine: PngEngine, { colours }: SourcePicture): void {
  if (colours === undefined) return;
  engine.bytesAt(engine.loops.coloursAt(), colours.length).set(colours);
  engine.loops.setColourCount(colours.length / 4);
}
