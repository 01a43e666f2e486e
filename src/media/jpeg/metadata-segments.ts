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

/** What is kept of a photo's metadata: density, how to turn it, its colours. Where it was taken is not. */
export function metadataSegments({ density, iccSegments, orientation, adobeTransform }: Metadata): Uint8Array[] {
  return [
    ...(density === undefined ? [] : [segment(APP0, [...text("JFIF\0"), 1, 1, ...density, 0, 0])]),
    ...(orientation === 1 ? [] : [segment(APP1, orientationExif(orientation))]),
    ...iccSegments.map((content) => segment(APP2, content)),
    ...(adobeTransform === undefined ? [] : [segment(APP14, [...text("Adobe"), 0, 100, 0, 0, 0, 0, adobeTransform])]),
  ];
}

/** The smallest Exif block that says it: one directory with one entry (TIFF 6.0, section 2; Exif 2.32, 4.6.4). */
function orientationExif(orientation: number): number[] {
  const header = [...text("Exif\0\0"), ...text("MM"), 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return [...header, 0, 1, ...entry, 0, 0, 0, 0];
}
