import { minimalExif } from "../exif/minimal-exif.ts";
import type { Metadata } from "./jpeg-file.ts";
import { APP0, APP1, APP2, APP14 } from "./markers.ts";

const text = (value: string) => Array.from(value, (char) => char.charCodeAt(0));

/** A marker segment (T.81, B.1.1.4). */
export function segment(marker: number, content: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 + content.length);
  bytes.set([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]);
  bytes.set(content, 4);
  return bytes;
}

/** What is kept of a photo's metadata: how large it is meant to be, how to turn it, its colours. Where it was taken is not. */
export function metadataSegments(metadata: Metadata): Uint8Array[] {
  const { density, iccSegments, orientation, exifSize, adobeTransform } = metadata;
  const exif = minimalExif(orientation, exifSize);
  return [
    ...(density === undefined ? [] : [segment(APP0, [...text("JFIF\0"), 1, 1, ...density, 0, 0])]),
    ...(exif === undefined ? [] : [segment(APP1, exif)]),
    ...iccSegments.map((content) => segment(APP2, content)),
    ...(adobeTransform === undefined ? [] : [segment(APP14, [...text("Adobe"), 0, 100, 0, 0, 0, 0, adobeTransform])]),
  ];
}
