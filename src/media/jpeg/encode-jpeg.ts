import { isChroma } from "./colour-model.ts";
import { Engine } from "./engine.ts";
import type { Component, JpegFile, Metadata } from "./jpeg-file.ts";
import type { Pause } from "./pause.ts";
import { NATURAL_ORDER, stepsOf } from "./quantisation.ts";
import { CHROMA_ROUNDING, LUMA_ROUNDING } from "./requantise.ts";
import { writeJpeg } from "./write-jpeg.ts";

/** Time for transforming and quantising a block on a slow machine. */
const BLOCK_MS = 0.0004;
const MAX_STORE_BYTES = 48 * 1024 * 1024;
const NO_SOURCE = new Uint8Array();
const NO_METADATA: Metadata = {
  album: undefined,
  density: undefined,
  iccSegments: [],
  orientation: 1,
  exifSize: undefined,
  adobeTransform: undefined,
};
/** JFIF without a unit: square pixels. Its presence tells decoders that three components are YCbCr. */
const SQUARE_PIXELS = Uint8Array.of(0, 0, 1, 0, 1);

/** The samples of one component, row by row. */
export interface SamplePlane {
  readonly samples: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Sampling factors (T.81, A.1.1). */
  readonly h: number;
  readonly v: number;
}

export interface PictureToEncode {
  readonly width: number;
  readonly height: number;
  /** One plane: gray. Three: Y, Cb and Cr. */
  readonly planes: readonly SamplePlane[];
  /** 1 to 100 on libjpeg's scale, with mozjpeg's tables. */
  readonly quality: number;
  /** APP2 segments of an ICC profile, without marker and length. */
  readonly iccSegments: readonly Uint8Array[];
}

/**
 * Writes a progressive JPEG of samples.
 * @param module the compiled `engine/`
 * @param pauseFor returns an engine's pause
 * @returns the file in pieces
 * @throws JpegDeclined if its coefficients take too much memory
 */
export async function encodeJpeg(
  module: WebAssembly.Module,
  picture: PictureToEncode,
  pauseFor: (engine: Engine) => Pause,
): Promise<Uint8Array[]> {
  return Engine.use(module, NO_SOURCE, async (engine) => {
    const { loops } = engine;
    const pause = pauseFor(engine);
    loops.resetHeap(MAX_STORE_BYTES);
    engine.limitOutput(Number.POSITIVE_INFINITY, "");
    const file = frameOf(picture);
    const places = new Uint8Array(loops.memory.buffer, loops.forwardPlacesAt(), 64);
    for (const [k, natural] of NATURAL_ORDER.entries()) places[natural] = k;
    const components = file.components.map(({ h, v, blocksPerLine, blockLines, paddedBlocksPerLine }, i) => {
      const component = loops.addComponent(h, v, blocksPerLine, blockLines, paddedBlocksPerLine);
      const rounding = isChroma(file, i) ? CHROMA_ROUNDING : LUMA_ROUNDING;
      for (const [k, step] of file.components[i]?.steps.entries() ?? []) {
        loops.setStep(component, k, 1 / (step * forwardFactorOf(NATURAL_ORDER[k] ?? 0)), rounding);
      }
      return component;
    });
    const rowMs = file.components.reduce((sum, { v, blocksPerLine }) => sum + v * blocksPerLine, 0) * BLOCK_MS;
    for (let mcuRow = 0; mcuRow < file.mcuRows; mcuRow++) {
      for (const [i, component] of components.entries()) {
        const plane = picture.planes[i];
        const facts = file.components[i];
        if (plane === undefined || facts === undefined) continue;
        writeRow(engine, { component, plane, facts }, mcuRow);
        loops.forwardRow(component, mcuRow);
        loops.appendRow(component, mcuRow);
      }
      await pause(rowMs);
    }
    return writeJpeg(engine, file, { components, steps: file.components.map(({ steps }) => steps) }, pause, oneScan);
  });
}

/** Searching the best scans takes longer than the rest of a small picture, and saves 2 %. */
const ONE_SCAN = [{ ss: 1, se: 63, ah: 0, al: 0 }] as const;
const oneScan = async () => [...ONE_SCAN];

/** The factor that the engine's transform leaves on a coefficient, times T.81's own (A.3.3). */
function forwardFactorOf(natural: number): number {
  const factor = (frequency: number) => (frequency === 0 ? 1 : Math.cos((frequency * Math.PI) / 16) * Math.SQRT2);
  return 8 * factor(natural >> 3) * factor(natural & 7);
}

function frameOf({ width, height, planes, quality, iccSegments }: PictureToEncode): JpegFile {
  const hMax = Math.max(...planes.map(({ h }) => h));
  const vMax = Math.max(...planes.map(({ v }) => v));
  const mcusPerLine = Math.ceil(width / (8 * hMax));
  const mcuRows = Math.ceil(height / (8 * vMax));
  const steps = stepsOf(quality);
  const components = planes.map(
    (plane, i): Component => ({
      id: i + 1,
      h: plane.h,
      v: plane.v,
      blocksPerLine: Math.ceil(plane.width / 8),
      blockLines: Math.ceil(plane.height / 8),
      paddedBlocksPerLine: mcusPerLine * plane.h,
      steps,
    }),
  );
  const metadata = { ...NO_METADATA, density: SQUARE_PIXELS, iccSegments };
  return { width, height, components, hMax, vMax, mcusPerLine, mcuRows, scans: [], metadata };
}

interface RowWork {
  readonly component: number;
  readonly plane: SamplePlane;
  readonly facts: Component;
}

/** Writes the samples of a row of MCUs into the engine. The last column and the last row are repeated to fill the last blocks. */
function writeRow(engine: Engine, { component, plane, facts }: RowWork, mcuRow: number): void {
  const stride = facts.blocksPerLine * 8;
  const at = engine.loops.forwardSamplesOf(component);
  const { memory } = engine;
  for (let line = 0; line < facts.v * 8; line++) {
    const y = Math.min(mcuRow * facts.v * 8 + line, plane.height - 1);
    const row = plane.samples.subarray(y * plane.width, (y + 1) * plane.width);
    const target = at + line * stride;
    memory.set(row, target);
    memory.fill(row[plane.width - 1] ?? 0, target + plane.width, target + stride);
  }
}
