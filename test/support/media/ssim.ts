import sharp from "sharp";

const SIDE = 8;
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

/** The structural similarity of two pictures' luma, as the mean of windows of 8 pixels (Wang 2004). 1: the same. */
export async function ssim(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([lumaOf(one), lumaOf(other)]);
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) throw new Error("Pictures of different sizes");
  let [sum, windows] = [0, 0];
  for (let y = 0; y + SIDE <= a.info.height; y += SIDE / 2) {
    for (let x = 0; x + SIDE <= a.info.width; x += SIDE / 2, windows++) {
      sum += similarityAt(a.data, b.data, y * a.info.width + x, a.info.width);
    }
  }
  return sum / windows;
}

function lumaOf(file: Buffer) {
  return sharp(file).removeAlpha().toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
}

function similarityAt(a: Buffer, b: Buffer, start: number, stride: number): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let at = 0; at < SIDE * SIDE; at++) {
    const place = start + Math.floor(at / SIDE) * stride + (at % SIDE);
    const [p, q] = [a[place] ?? 0, b[place] ?? 0];
    sumA += p;
    sumB += q;
    squaresA += p * p;
    squaresB += q * q;
    products += p * q;
  }
  const count = SIDE * SIDE;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const varianceA = squaresA / count - meanA ** 2;
  const varianceB = squaresB / count - meanB ** 2;
  const covariance = products / count - meanA * meanB;
  const luminance = (2 * meanA * meanB + C1) / (meanA ** 2 + meanB ** 2 + C1);
  return (luminance * (2 * covariance + C2)) / (varianceA + varianceB + C2);
}
