import type { CoefficientPicture } from "./coefficients.ts";
import { type TestScan, writeTestJpeg } from "./write-jpeg.ts";

export interface RandomJpegOptions {
  /** Sampling factors to choose from. */
  readonly factors: readonly number[];
  readonly componentCounts: readonly number[];
  /** The most bits of a coefficient. */
  readonly maxBits: number;
}

/** A sound JPEG of random size, sampling, steps, coefficients and scans. */
export function randomJpeg(random: () => number, options: RandomJpegOptions): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const picture = randomPicture(random, options);
  const all = picture.components.map((_, index) => index);
  const canInterleave = picture.components.reduce((sum, { h, v }) => sum + h * v, 0) <= 10;
  const together = canInterleave && random() < 0.7 ? [all] : all.map((index) => [index]);
  const rest = (): Partial<TestScan> => ({ restartInterval: pick([0, 0, 0, 1, 5, 60]), flipped: random() < 0.3 });
  const wideSteps = random() < 0.2;
  if (random() < 0.4) {
    return writeTestJpeg(picture, { scans: together.map((of) => ({ of, ...rest() })), wideSteps, frameMarker: 0xc1 });
  }
  const dcBits = below(4);
  const scans: TestScan[] = together.map((of) => ({ of, se: 0, al: dcBits, ...rest() }));
  for (let al = dcBits - 1; al >= 0; al--) {
    for (const of of together) scans.push({ of, se: 0, ah: al + 1, al, ...rest() });
  }
  for (const index of all) scans.push(...acScans(index, random, rest));
  return writeTestJpeg(picture, { scans, wideSteps });
}

function acScans(index: number, random: () => number, rest: () => Partial<TestScan>): TestScan[] {
  const scans: TestScan[] = [];
  for (let ss = 1, se = 0; ss <= 63; ss = se + 1) {
    se = Math.min(63, ss + Math.floor(random() * 70));
    const al = Math.floor(random() * 5);
    scans.push({ of: [index], ss, se, al, ...rest() });
    for (let bit = al - 1; bit >= 0; bit--) scans.push({ of: [index], ss, se, ah: bit + 1, al: bit, ...rest() });
  }
  return scans;
}

function randomPicture(
  random: () => number,
  { factors, componentCounts, maxBits }: RandomJpegOptions,
): CoefficientPicture {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const [width, height] = [1 + below(90), 1 + below(90)];
  const sampling = Array.from({ length: pick(componentCounts) }, () => [pick(factors), pick(factors)] as const);
  const hMax = Math.max(...sampling.map(([h]) => h));
  const vMax = Math.max(...sampling.map(([, v]) => v));
  const mcusPerLine = Math.ceil(width / (8 * hMax));
  const mcuRows = Math.ceil(height / (8 * vMax));
  const [density, bits, maxStep] = [random() ** 3, 1 + below(maxBits), pick([1, 20, 255])];
  const components = sampling.map(([h, v], index) => {
    const coefficients = new Int16Array(mcusPerLine * h * mcuRows * v * 64);
    for (let at = 0; at < coefficients.length; at++) {
      if (at % 64 !== 0 && random() > density) continue;
      coefficients[at] = (random() < 0.5 ? -1 : 1) * Math.floor(2 ** (random() * bits) - random());
    }
    return {
      id: index + 1,
      h,
      v,
      blocksPerLine: Math.ceil(Math.ceil((width * h) / hMax) / 8),
      blockLines: Math.ceil(Math.ceil((height * v) / vMax) / 8),
      paddedBlocksPerLine: mcusPerLine * h,
      steps: Uint16Array.from({ length: 64 }, () => 1 + below(maxStep)),
      coefficients,
    };
  });
  return { width, height, mcusPerLine, mcuRows, components };
}
