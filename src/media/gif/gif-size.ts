import { type Head, headOf, UNKNOWN_HEAD } from "../bytes.ts";
import { type GifFrame, readGifBlocks } from "./gif-blocks.ts";

export interface GifSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size at which browsers show a GIF: its logical screen (GIF89a, 18), enlarged to contain the first frame.
 * @param file at least its first 10 bytes
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

const SCREEN_END = 10;
/** GIF89a, 22 and appendix F: a colour's index has eight bits at most. */
const MAX_CODE_BITS = 8;

/** The size at which browsers show a GIF. They show a GIF whose first frame has data. */
export function readGifHead(bytes: Uint8Array): Head {
  if (bytes.length < SCREEN_END) return UNKNOWN_HEAD;
  const { frames, complete } = readGifBlocks(bytes, 1);
  const [frame] = frames;
  const { width, height } = gifSize(bytes, frame);
  if (frame === undefined) return headOf(width, height, complete ? false : undefined);
  const hasData = frame.dataBytes > 0 && (bytes[frame.dataAt] ?? 0) <= MAX_CODE_BITS;
  return headOf(width, height, frame.width > 0 && frame.height > 0 && hasData);
}
