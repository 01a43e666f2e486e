import { readOrientation } from "../exif/exif-orientation.ts";
import { type ExifSize, readExifSize } from "../exif/exif-size.ts";
import { announcesGainMap, holdsAppleGainMap } from "./gain-map.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Metadata } from "./jpeg-file.ts";
import { APP0, APP1, APP2, APP14 } from "./markers.ts";
import { startsWith } from "./starts-with.ts";

/** A shorter one is not taken for JFIF (JFIF 1.02). */
const JFIF_BYTES = 14;
/** Segments of an ICC profile are numbered with one byte (ICC.1, B.4). */
const MAX_ICC_SEGMENTS = 255;

/** Gathers from application segments what must survive for the picture to look the same. */
export class MetadataReader {
  readonly #declinesGainMaps: boolean;
  readonly #iccSegments: Uint8Array[] = [];
  #density: Uint8Array | undefined;
  #orientation: number | undefined;
  #exifSize: ExifSize | undefined;
  #isMultiPicture = false;
  #adobeTransform: number | undefined;

  /** @param declinesGainMaps false where nothing is written that would lack it */
  constructor(declinesGainMaps: boolean) {
    this.#declinesGainMaps = declinesGainMaps;
  }

  /** @throws JpegDeclined for a gain map, and for a profile in too many pieces */
  read(marker: number, content: Uint8Array): void {
    if (this.#declinesGainMaps && announcesGainMap(marker, content)) throw gainMap();
    if (marker === APP0 && startsWith(content, "JFIF\0") && content.length >= JFIF_BYTES) {
      this.#density = content.subarray(7, 12);
    } else if (marker === APP1) {
      const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
      // Viewers heed the first of several.
      this.#orientation ??= readOrientation(view, 0, content.length);
      this.#exifSize ??= readExifSize(content);
    } else if (marker === APP2 && startsWith(content, "MPF\0")) {
      this.#isMultiPicture = true;
    } else if (marker === APP2 && startsWith(content, "ICC_PROFILE\0")) {
      if (this.#iccSegments.length === MAX_ICC_SEGMENTS) throw new JpegDeclined("Too many segments of a profile");
      this.#iccSegments.push(content);
    } else if (marker === APP14 && startsWith(content, "Adobe") && content.length >= 12) {
      this.#adobeTransform = content[11];
    }
  }

  /**
   * @param behind what stands behind EOI: other pictures, of which the first alone stays
   * @throws JpegDeclined where one of them is a gain map
   */
  finish(componentCount: number, behind: Uint8Array): Metadata {
    if (this.#isMultiPicture && holdsAppleGainMap(behind)) throw gainMap();
    return {
      density: this.#density,
      iccSegments: this.#iccSegments,
      orientation: this.#orientation ?? 1,
      exifSize: this.#exifSize,
      adobeTransform: plainTransform(this.#adobeTransform, componentCount),
    };
  }
}

/** The original stays as it is, with all of its metadata: where the photo was taken, too, if it says so. */
function gainMap(): JpegDeclined {
  return new JpegDeclined("An HDR gain map");
}

/** Adobe's TN 5116 knows 0, 1 (YCbCr) and 2 (YCCK). Decoders take any other for the one that fits, with a warning. */
function plainTransform(transform: number | undefined, componentCount: number): number | undefined {
  if (transform === undefined || transform === 0) return transform;
  return componentCount === 4 ? 2 : 1;
}
