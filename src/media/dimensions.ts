import { readGifDimensions } from "./dimensions/gif.ts";
import { readJpegDimensions } from "./dimensions/jpeg.ts";
import { readPngDimensions } from "./dimensions/png.ts";
import { readWebpDimensions } from "./dimensions/webp.ts";
import type { MediaType } from "./sniff.ts";

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/**
 * An image's width and height in pixels, as a viewer displays them: a photo that EXIF says to turn has them swapped.
 * Read from the headers, nothing is decoded. Undefined where the bytes at hand do not tell; never throws.
 * @param head the first bytes of the file
 */
export function readDimensions(type: MediaType, head: Uint8Array): Dimensions | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const dimensions = read(type, view);
  return dimensions !== undefined && dimensions.width > 0 && dimensions.height > 0 ? dimensions : undefined;
}

function read(type: MediaType, view: DataView): Dimensions | undefined {
  switch (type) {
    case "image/jpeg":
      return readJpegDimensions(view);
    case "image/png":
      return readPngDimensions(view);
    case "image/webp":
      return readWebpDimensions(view);
    case "image/gif":
      return readGifDimensions(view);
    default:
      return undefined;
  }
}
