/** Weights of the samples of one axis. */
export interface AxisFilter {
  /** The first source index of each result sample; never negative, and `start + taps` is at most the source's length if `taps` is. */
  readonly starts: Int32Array;
  /** `taps` weights for each result sample; their sum is 1. */
  readonly weights: Float32Array;
  readonly taps: number;
}

/** The part of an axis that a picture shows, in source samples. It may be fractional. */
export interface Span {
  readonly from: number;
  readonly length: number;
}

/** Lanczos' window of three lobes, the kernel of libvips and Pillow for photos. */
const LOBES = 3;

/**
 * Makes the filter of one axis. When the axis shrinks, the kernel is stretched over the source, so that fine details do not become
 * patterns. Beyond the source's ends the outer samples are repeated.
 * @param sourceLength samples of the source's axis
 * @param length samples of the result's axis
 * @param multiple `taps` is a multiple of it
 */
export function lanczos(sourceLength: number, span: Span, length: number, multiple = 1): AxisFilter {
  const scale = span.length / length;
  const stretch = Math.max(1, scale);
  const reach = LOBES * stretch;
  const most = Math.ceil(2 * reach) + 1;
  const taps = Math.ceil(Math.min(most, sourceLength) / multiple) * multiple;
  const starts = new Int32Array(length);
  const weights = new Float32Array(length * taps);
  for (let i = 0; i < length; i++) {
    const centre = span.from + (i + 0.5) * scale - 0.5;
    const first = Math.ceil(centre - reach);
    const start = Math.max(0, Math.min(first, sourceLength - Math.min(taps, sourceLength)));
    starts[i] = start;
    let sum = 0;
    for (let k = first; k <= centre + reach; k++) {
      const weight = kernel((k - centre) / stretch);
      const inside = Math.min(Math.max(k, 0), sourceLength - 1);
      const at = i * taps + inside - start;
      weights[at] = (weights[at] ?? 0) + weight;
      sum += weight;
    }
    for (let at = i * taps; at < (i + 1) * taps; at++) weights[at] = (weights[at] ?? 0) / sum;
  }
  return { starts, weights, taps };
}

function kernel(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const angle = Math.PI * x;
  const sine = Math.sin(angle / LOBES);
  // The sine of three times an angle, from the sine of the angle.
  return (LOBES * (3 - 4 * sine * sine) * sine * sine) / (angle * angle);
}
