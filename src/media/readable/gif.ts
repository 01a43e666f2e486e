import { readGifBlocks } from "../gif/gif-blocks.ts";

/** GIF89a, 20 and 22: a picture with data. Undefined where the bytes end before. */
export function hasGifFrame(head: Uint8Array): boolean | undefined {
  const { frames, complete } = readGifBlocks(head, 1);
  const [frame] = frames;
  if (frame === undefined) return complete ? false : undefined;
  return frame.width > 0 && frame.height > 0 && frame.dataBytes > 0;
}
