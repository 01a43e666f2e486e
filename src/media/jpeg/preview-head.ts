import { readOrientation } from "../exif/exif-orientation.ts";
import { MarkerWalk } from "./marker-walk.ts";
import { APP1, isFrameMarker, SOF2, SOS } from "./markers.ts";

/** A file may hold millions that take no bytes to speak of. */
const MAX_SEGMENTS = 20_000;

export interface PreviewHead {
  /** Undefined where the frame's header is not at hand. */
  readonly isProgressive: boolean | undefined;
  /** 1 to 8. */
  readonly orientation: number;
}

/** What of a JPEG's markers decides how its preview is made, as far as the bytes at hand tell. */
export function readPreviewHead(bytes: Uint8Array): PreviewHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk = new MarkerWalk(bytes);
  let isProgressive: boolean | undefined;
  let orientation: number | undefined;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const segment = walk.next();
    if (segment === undefined || segment.marker === SOS) break;
    const { marker, begin, end } = segment;
    if (isFrameMarker(marker)) isProgressive ??= marker === SOF2;
    // Browsers heed the first that tells one.
    if (marker === APP1 && end <= bytes.length) orientation ??= readOrientation(view, begin, end - begin);
  }
  return { isProgressive, orientation: orientation ?? 1 };
}
