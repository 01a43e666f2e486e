import { hasGifFrame } from "./readable/gif.ts";
import { hasJpegScan } from "./readable/jpeg.ts";
import { hasPngData } from "./readable/png.ts";
import { hasWebpFrame } from "./readable/webp.ts";
import type { MediaType } from "./sniff.ts";

/**
 * Whether a viewer could show anything of an image: its headers are followed by image data. How far the data goes, and
 * whether all of it is sound, is not asked: a damaged photo is better than none.
 * @param head the first bytes of the file
 * @param complete whether these are all of it; what may still come is believed to be there
 */
export function isReadable(type: MediaType, head: Uint8Array<ArrayBuffer>, complete: boolean): boolean {
  return hasImageData(type, head) ?? !complete;
}

/** Undefined where the bytes end too early to tell. */
function hasImageData(type: MediaType, head: Uint8Array<ArrayBuffer>): boolean | undefined {
  switch (type) {
    case "image/jpeg":
      return hasJpegScan(head);
    case "image/png":
      return hasPngData(head);
    case "image/gif":
      return hasGifFrame(head);
    case "image/webp":
      return hasWebpFrame(head);
    default:
      return true;
  }
}
