import { type Head, headOf, UNKNOWN_HEAD } from "../head.ts";
import { readGifBlocks } from "./gif-blocks.ts";
import { gifSize } from "./gif-size.ts";

const SCREEN_END = 10;
/** GIF89a, 22 and appendix F: a colour's index has eight bits at most. */
const MAX_CODE_BITS = 8;

/** The size that browsers show a GIF in. They show what has a first frame with data. */
export function readGifHead(bytes: Uint8Array): Head {
  if (bytes.length < SCREEN_END) return UNKNOWN_HEAD;
  const { frames, complete } = readGifBlocks(bytes, 1);
  const [frame] = frames;
  const { width, height } = gifSize(bytes, frame);
  if (frame === undefined) return headOf(width, height, complete ? false : undefined);
  const hasData = frame.dataBytes > 0 && (bytes[frame.dataAt] ?? 0) <= MAX_CODE_BITS;
  return headOf(width, height, frame.width > 0 && frame.height > 0 && hasData);
}
