import { isRgb } from "./colour-model.ts";
import type { Engine } from "./engine.ts";
import type { JpegFile } from "./jpeg-file.ts";

/** JFIF 1.02, "Color spaces": Y, Cb and Cr by R, G and B. The cosine transform is linear, so the weights apply to coefficients, too. */
const WEIGHTS = [
  [0.299, 0.587, 0.114],
  [-0.168735892, -0.331264108, 0.5],
  [0.5, -0.418687589, -0.081312411],
] as const;
/** Adobe's TN 5116. */
const YCC_TRANSFORM = 1;
/** If a source is this much coarser than the wanted quality, other colours would save nothing. */
const MOST_COARSENESS = 2;

/** A picture to decode, and the form in which it is written. */
export interface ColourPlan {
  /** The result's components, colours and steps. */
  readonly target: JpegFile;
  readonly steps: readonly Uint16Array[];
  readonly becomesYcc: boolean;
}

/**
 * Plans the change from RGB to YCbCr. RGB takes twice the bytes, because each of its components contains brightness.
 * @param wanted the steps of the quality; the finest quality must lose nothing, so its colours stay
 * @returns undefined if the colours stay
 */
export function planYcc(file: JpegFile, wanted: Uint16Array): ColourPlan | undefined {
  const [first] = file.components;
  if (first === undefined || !isRgb(file) || wanted.every((step) => step === 1)) return undefined;
  if (file.components.some(({ h, v }) => h !== first.h || v !== first.v)) return undefined;
  if (file.components.every(({ steps }) => sumOf(steps) > MOST_COARSENESS * sumOf(wanted))) return undefined;
  const components = file.components.map((component, i) => ({ ...component, id: i + 1, steps: wanted }));
  const metadata = { ...file.metadata, adobeTransform: YCC_TRANSFORM };
  return { target: { ...file, components, metadata }, steps: components.map(() => wanted), becomesYcc: true };
}

/**
 * Gives the engine the weights of the conversion, which include source and target steps.
 * @param roundings of an AC magnitude of each component
 * @returns the engine's conversion
 */
export function addYccConversion(
  { loops }: Engine,
  file: JpegFile,
  steps: readonly Uint16Array[],
  roundings: readonly number[],
): number {
  const at = loops.addConversion();
  const table = Array.from({ length: 64 }, (_, k) => {
    const weights = WEIGHTS.flatMap((row, i) =>
      row.map((weight, j) => (weight * (file.components[j]?.steps[k] ?? 0)) / (steps[i]?.[k] ?? 1)),
    );
    return [...weights, ...roundings.map((rounding) => (k === 0 ? 0.5 : rounding))];
  });
  new Float64Array(loops.memory.buffer, at, 64 * 12).set(table.flat());
  return at;
}

function sumOf(steps: Uint16Array): number {
  return steps.reduce((sum, step) => sum + step, 0);
}
