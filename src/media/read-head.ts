import type { MediaType } from "../domain/media-types.ts";
import { readGifHead } from "./gif/read-gif-head.ts";
import { type Head, UNKNOWN_HEAD } from "./head.ts";
import { readJpegHead } from "./jpeg/read-jpeg-head.ts";
import { readPngHead } from "./png/read-png-head.ts";
import { readWebpHead } from "./webp/read-webp-head.ts";

/**
 * An image's width and height as a viewer displays them, and whether a browser shows anything of it. Only headers are
 * read, and of a PNG the first row: an image that is damaged further on is better than none. The work is bounded, whatever
 * the bytes say. Of videos the first bytes tell nothing. Never throws.
 * @param head the first bytes of the file, of which the sniffed type is known
 * @param complete whether these are all of it
 */
export function readHead(type: MediaType, head: Uint8Array<ArrayBuffer>, complete: boolean): Head {
  const known = readImageHead(type, head);
  return known.shows === undefined && complete ? { ...known, shows: false } : known;
}

function readImageHead(type: MediaType, head: Uint8Array<ArrayBuffer>): Head {
  switch (type) {
    case "image/jpeg":
      return readJpegHead(head);
    case "image/png":
      return readPngHead(head);
    case "image/gif":
      return readGifHead(head);
    case "image/webp":
      return readWebpHead(head);
    default:
      return { ...UNKNOWN_HEAD, shows: true };
  }
}
