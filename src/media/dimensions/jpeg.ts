import type { Dimensions } from "../dimensions.ts";
import { readOrientation } from "./exif-orientation.ts";

const APP1 = 0xe1;
const SOS = 0xda;
const EOI = 0xd9;
/** No marker segment is shorter than two bytes, so even a hostile file is through after this many. */
const MAX_SEGMENTS = 10_000;

/** ITU-T T.81, B.2.2: the frame header's lines and samples, turned as the EXIF orientation says. */
export function readJpegDimensions(view: DataView): Dimensions | undefined {
  let orientation: number | undefined;
  let at = 2;
  for (let segments = 0; segments < MAX_SEGMENTS && at + 4 <= view.byteLength; segments++) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      // B.1.1.2: any number of fill bytes may come before a marker.
      at += 1;
      continue;
    }
    if (marker === SOS || marker === EOI) return undefined;
    if (isFrame(marker)) return readFrame(view, at, orientation ?? 1);
    const length = view.getUint16(at + 2);
    if (length < 2) return undefined;
    // Viewers heed the first of several.
    if (marker === APP1) orientation ??= readOrientation(view, at + 4, length - 2);
    at += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15, without DHT, JPG and DAC that share their range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readFrame(view: DataView, at: number, orientation: number): Dimensions | undefined {
  if (at + 9 > view.byteLength) return undefined;
  const height = view.getUint16(at + 5);
  const width = view.getUint16(at + 7);
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
