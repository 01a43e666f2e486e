import { CannotCompress } from "./cannot-compress.ts";

const MAX_SIDE = 65_535;

/** @throws CannotCompress for an image that is too large to be decoded */
export function requirePixels({ width, height }: { width: number; height: number }, maxPixels: number): void {
  if (width * height > maxPixels || width > MAX_SIDE || height > MAX_SIDE) {
    throw new CannotCompress(`too large: ${width} x ${height}`);
  }
}
