import type { JpegFile } from "./jpeg-file.ts";

/** libjpeg's colour model of three components: the segments of JFIF and Adobe have priority over the components' ids. */
export function isRgb({ components, metadata: { adobeTransform, density } }: JpegFile): boolean {
  if (components.length !== 3 || density !== undefined) return false;
  if (adobeTransform !== undefined) return adobeTransform === 0;
  return String.fromCharCode(...components.map(({ id }) => id)) === "RGB";
}

/** Whether a component has only colour: Cb or Cr. */
export function isChroma(file: JpegFile, index: number): boolean {
  if (index === 0 || index === 3 || file.components.length < 3) return false;
  if (file.components.length === 4) return file.metadata.adobeTransform === 2;
  return !isRgb(file);
}
