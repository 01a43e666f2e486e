import type { GifFrame } from "./gif-blocks.ts";

export interface GifSize {
  readonly width: number;
  readonly height: number;
}

/**
 * How large browsers show a GIF: its logical screen (GIF89a, 18), made as large as the first frame needs where that
 * reaches beyond it.
 * @param file its first 10 bytes at least
 */
export function gifSize(
  file: Uint8Array,
  frame: Pick<GifFrame, "left" | "top" | "width" | "height"> | undefined,
): GifSize {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const { left, top, width, height } = frame ?? { left: 0, top: 0, width: 0, height: 0 };
  return {
    width: Math.max(view.getUint16(6, true), left + width),
    height: Math.max(view.getUint16(8, true), top + height),
  };
}
