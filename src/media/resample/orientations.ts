/**
 * The matrix of each Exif orientation (Exif 2.32, 4.6.4): it turns a stored direction into the shown one, `[across by x, across by y, down
 * by x, down by y]`.
 */
const MATRICES: readonly (readonly [number, number, number, number])[] = [
  [1, 0, 0, 1],
  [-1, 0, 0, 1],
  [-1, 0, 0, -1],
  [1, 0, 0, -1],
  [0, 1, 1, 0],
  [0, -1, 1, 0],
  [0, -1, -1, 0],
  [0, 1, -1, 0],
];

/** The orientation of a picture that is turned by `first`, and then by `then`; both are 1 to 8. */
export function combineOrientations(first: number, then: number): number {
  const [a, b, c, d] = MATRICES[then - 1] ?? [1, 0, 0, 1];
  const [e, f, g, h] = MATRICES[first - 1] ?? [1, 0, 0, 1];
  const product = [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
  return 1 + MATRICES.findIndex((matrix) => matrix.every((value, i) => value === product[i]));
}

/** The orientation that flips a picture, then turns it clockwise. */
export function orientationOf(flip: "" | "h" | "v" | "hv", rotation: 0 | 90 | 180 | 270): number {
  const flipped = { "": 1, h: 2, v: 4, hv: 3 }[flip];
  const turned = { 0: 1, 90: 6, 180: 3, 270: 8 }[rotation];
  return combineOrientations(flipped, turned);
}
