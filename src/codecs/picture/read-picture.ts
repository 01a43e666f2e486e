import type { MediaType } from "../../domain/media-types.ts";
import type { Picture, PictureWork } from "./picture-work.ts";
import { readGifPicture } from "./read-gif-picture.ts";
import { readJpegPicture } from "./read-jpeg-picture.ts";
import { readPngPicture } from "./read-png-picture.ts";
import { readWebpPicture } from "./read-webp-picture.ts";

/**
 * Makes an upright picture of a stored image, at the size of its window. It reads and decodes only as much of the file as the picture needs.
 * @throws CodecsBusy if no memory is free in time
 * @throws Error if the file cannot be read or an engine fails, which is not the file's fault
 */
export async function readPicture(work: PictureWork & { readonly type: MediaType }): Promise<Picture> {
  switch (work.type) {
    case "image/jpeg":
      return readJpegPicture(work);
    case "image/png":
      return readPngPicture(work);
    case "image/gif":
      return readGifPicture(work);
    case "image/webp":
      return readWebpPicture(work);
    default:
      return { outcome: "impossible", reason: "Not an image" };
  }
}
