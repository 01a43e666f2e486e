import type { MediaType } from "../domain/media-types.ts";
import { readGifHead } from "./gif/gif-size.ts";
import { type Head, UNKNOWN_HEAD } from "./head.ts";
import { readJpegHead } from "./jpeg/read-jpeg-head.ts";
import { readPngHead } from "./png/read-png-head.ts";
import { readWebpHead } from "./webp/read-webp-head.ts";

/**
 * Reads an image's width and height as a viewer displays them, and whether any program shows anything of it. It reads only headers, and the
 * first row of a PNG, because a partly damaged image is still useful. The work is bounded for any input. The first bytes of a video are not
 * read. Never throws.
 * @param head the first bytes of a file with this sniffed type
 * @param complete whether these bytes are the whole file
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
