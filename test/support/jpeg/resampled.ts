import type { CoefficientPicture } from "./coefficients.ts";

/**
 * A picture of other sampling factors, 83 x 71 pixels, made of the blocks of a larger one at 4:4:4. A fourth component repeats the first.
 */
export function resampled(
  picture: CoefficientPicture,
  factors: readonly (readonly [h: number, v: number])[],
  ids: readonly number[] = [1, 2, 3, 4],
): CoefficientPicture {
  const [hMax, vMax] = [Math.max(...factors.map(([h]) => h)), Math.max(...factors.map(([, v]) => v))];
  const [width, height] = [83, 71];
  const mcusPerLine = Math.ceil(width / (8 * hMax));
  const mcuRows = Math.ceil(height / (8 * vMax));
  const components = factors.map(([h, v], index) => {
    const plane = picture.components[index % 3] as CoefficientPicture["components"][number];
    return {
      ...plane,
      id: ids[index] ?? index + 1,
      h,
      v,
      blocksPerLine: Math.ceil(Math.ceil((width * h) / hMax) / 8),
      blockLines: Math.ceil(Math.ceil((height * v) / vMax) / 8),
      paddedBlocksPerLine: mcusPerLine * h,
      coefficients: plane.coefficients.slice(0, mcusPerLine * h * mcuRows * v * 64),
    };
  });
  return { width, height, mcusPerLine, mcuRows, components };
}
