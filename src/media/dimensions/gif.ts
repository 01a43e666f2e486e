import type { Dimensions } from "../dimensions.ts";

/** GIF89a, 18: the logical screen. */
export function readGifDimensions(view: DataView): Dimensions | undefined {
  if (view.byteLength < 10) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}
