import type { Dimensions } from "../dimensions.ts";

const IHDR_WIDTH = 16;
const IHDR_HEIGHT = 20;

/** PNG, 11.2.1: IHDR. An eXIf chunk's orientation is not honoured, as browsers do not honour it either. */
export function readPngDimensions(view: DataView): Dimensions | undefined {
  if (view.byteLength < IHDR_HEIGHT + 4) return undefined;
  return { width: view.getUint32(IHDR_WIDTH), height: view.getUint32(IHDR_HEIGHT) };
}
