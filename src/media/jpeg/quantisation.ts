/**
 * mozjpeg's default table (by N. Robidoux, also in ImageMagick), for luma and chroma, in natural order. IJG's own table spends too little
 * on chroma.
 */
const BASE_STEPS = [
  16, 16, 16, 18, 25, 37, 56, 85, 16, 17, 20, 27, 34, 40, 53, 75, 16, 20, 24, 31, 43, 62, 91, 135, 18, 27, 31, 40, 53,
  74, 106, 156, 25, 34, 43, 53, 69, 94, 131, 189, 37, 40, 62, 74, 94, 124, 169, 238, 56, 53, 91, 106, 131, 169, 226,
  311, 85, 75, 135, 156, 189, 238, 311, 418,
];

/** T.81, figure A.6: the position in natural order of each position in zigzag order. */
export const NATURAL_ORDER = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
];

/** Baseline decoders accept only steps of 8 bits (B.2.4.1, Pq). */
const MAX_STEP = 255;

/**
 * The quantisation steps of a quality, in zigzag order, scaled like in libjpeg.
 * @param quality 1 to 100; 100 is 1 everywhere
 */
export function stepsOf(quality: number): Uint16Array {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return Uint16Array.from(NATURAL_ORDER, (place) => {
    const step = Math.floor(((BASE_STEPS[place] ?? 0) * percent + 50) / 100);
    return Math.min(MAX_STEP, Math.max(1, step));
  });
}

/**
 * The steps for storing a component. They are never finer than the source's, because that would waste bytes. So a source of low quality is
 * stored without loss.
 */
export function targetSteps(source: Uint16Array, wanted: Uint16Array): Uint16Array {
  return source.map((step, k) => Math.max(step, wanted[k] ?? 1));
}
