import { includesText, startsWith } from "../bytes.ts";
import { readAppleBoost } from "../exif/apple-notes.ts";
import { readOrientation } from "../exif/exif-orientation.ts";
import { type ExifSize, readExifSize } from "../exif/exif-size.ts";
import { type Album, findAlbum } from "./album.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Metadata } from "./jpeg-file.ts";
import { ADOBE_GAIN_MAP, APP0, APP1, APP2, APP14, APPLE_GAIN_MAP, ISO_GAIN_MAP, XMP } from "./markers.ts";

/** A shorter segment is not JFIF (JFIF 1.02). */
const JFIF_BYTES = 14;
/** Segments of an ICC profile are numbered with one byte (ICC.1, B.4). */
const MAX_ICC_SEGMENTS = 255;

/** Gathers the metadata that must be kept for the picture to look the same. */
export class MetadataReader {
  readonly #readsAlbum: boolean;
  #xmp: Uint8Array | undefined;
  #iso: Uint8Array | undefined;
  readonly #iccSegments: Uint8Array[] = [];
  #density: Uint8Array | undefined;
  #orientation: number | undefined;
  #exifSize: ExifSize | undefined;
  #appleBoost: Uint8Array | undefined;
  #adobeTransform: number | undefined;

  /** @param readsAlbum false if no file is written that would lose a gain map or a film */
  constructor(readsAlbum: boolean) {
    this.#readsAlbum = readsAlbum;
  }

  /** @throws JpegDeclined for a profile in too many pieces */
  read(marker: number, content: Uint8Array): void {
    if (marker === APP2 && startsWith(content, ISO_GAIN_MAP)) this.#iso ??= content;
    // Programs read the first packet only, so further ones announce nothing and are dropped.
    if (marker === APP1 && startsWith(content, XMP)) this.#xmp ??= content;
    if (marker === APP0 && startsWith(content, "JFIF\0") && content.length >= JFIF_BYTES) {
      this.#density = content.subarray(7, 12);
    } else if (marker === APP1) {
      const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
      // If there are several, viewers use the first.
      this.#orientation ??= readOrientation(view, 0, content.length);
      this.#exifSize ??= readExifSize(content);
      this.#appleBoost ??= readAppleBoost(content);
    } else if (marker === APP2 && startsWith(content, "ICC_PROFILE\0")) {
      if (this.#iccSegments.length === MAX_ICC_SEGMENTS) throw new JpegDeclined("Too many segments of a profile");
      this.#iccSegments.push(content);
    } else if (marker === APP14 && startsWith(content, "Adobe") && content.length >= 12) {
      this.#adobeTransform = content[11];
    }
  }

  /**
   * @param rest bytes after EOI: a gain map and a film are kept, further pictures are dropped
   * @throws JpegDeclined for a gain map or a film that cannot be written again
   */
  finish(componentCount: number, rest: Uint8Array): Metadata {
    const album = this.#readsAlbum ? this.#findAlbum(rest) : undefined;
    return {
      album,
      density: this.#density,
      iccSegments: this.#iccSegments,
      orientation: this.#orientation ?? 1,
      exifSize: this.#exifSize,
      adobeTransform: plainTransform(this.#adobeTransform, componentCount),
    };
  }

  /**
   * Whether the picture announces a gain map (Ultra HDR image format; ISO 21496-1): a second JPEG after the first that brightens it on
   * capable displays.
   */
  #announcesGainMap(): boolean {
    const xmp = this.#xmp;
    return this.#iso !== undefined || (xmp !== undefined && XMP_MARKS.some((mark) => includesText(xmp, mark)));
  }

  /** @throws JpegDeclined for an album that cannot be written again */
  #findAlbum(rest: Uint8Array): Album | undefined {
    const announcesGainMap = this.#announcesGainMap();
    const album = findAlbum({ announcesGainMap, xmp: this.#xmp, iso: this.#iso, boost: this.#appleBoost }, rest);
    if (album === "unknown") throw new JpegDeclined("A gain map or a film that cannot be written again");
    return album;
  }
}

/** Adobe's TN 5116 defines 0, 1 (YCbCr) and 2 (YCCK). Decoders replace any other value by the suitable one, with a warning. */
function plainTransform(transform: number | undefined, componentCount: number): number | undefined {
  if (transform === undefined || transform === 0) return transform;
  return componentCount === 4 ? 2 : 1;
}

/** Marks of an HDR gain map in the primary image's XMP. */
const XMP_MARKS = ["hdrgm:Version", ADOBE_GAIN_MAP, APPLE_GAIN_MAP];
