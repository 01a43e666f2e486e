import type { MediaType } from "../../domain/media-types.ts";
import { readGifBlocks } from "../../media/gif/gif-blocks.ts";
import { hasAnimationControl } from "../../media/has-animation-control.ts";

/** The place of the flags of an extended WebP (RFC 9649, 2.7), and the bit of an animation. */
const WEBP_FLAGS_AT = 20;
const WEBP_ANIMATION = 0x02;

/** Whether an image is an animation. @param bytes the bytes from which its first frame was read */
export function isAnimated(type: MediaType, bytes: Uint8Array<ArrayBuffer>): boolean {
  switch (type) {
    case "image/gif":
      return readGifBlocks(bytes, 2).frames.length > 1;
    case "image/webp":
      return ascii(bytes, 12, 16) === "VP8X" && ((bytes[WEBP_FLAGS_AT] ?? 0) & WEBP_ANIMATION) !== 0;
    case "image/png":
      return hasAnimationControl(bytes);
    default:
      return false;
  }
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
