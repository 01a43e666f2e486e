/** A preview has the size of a tile on the screen: these are the most pixels of its short and its long edge. */
const SHORT_EDGE = 256;
const LONG_EDGE = 1024;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a picture's preview, never larger than the picture. */
export function previewSize({ width, height }: Size): Size {
  const scale = previewScale({ width, height });
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The scale of a picture's preview, at most 1. */
function previewScale({ width, height }: Size): number {
  return Math.min(1, SHORT_EDGE / Math.min(width, height), LONG_EDGE / Math.max(width, height));
}
