import { readOrientation } from "../exif/exif-orientation.ts";
import { APP1, isFrameMarker, MarkerWalk, SOF2, SOS } from "./markers.ts";

/** The most segments that are read: a file may contain millions of tiny ones. */
const MAX_SEGMENTS = 20_000;

export interface ProgressHead {
  /** Undefined if the frame's header is not available yet. */
  readonly isProgressive: boolean | undefined;
  readonly orientation: number;
}

/** Reads the facts that decide how a picture is decoded, as far as the available bytes contain them. */
export function readProgressHead(bytes: Uint8Array): ProgressHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk = new MarkerWalk(bytes);
  let isProgressive: boolean | undefined;
  let orientation: number | undefined;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const segment = walk.next();
    if (segment === undefined || segment.marker === SOS) break;
    const { marker, begin, end } = segment;
    if (isFrameMarker(marker)) isProgressive ??= marker === SOF2;
    // Browsers use the first orientation.
    if (marker === APP1 && end <= bytes.length) orientation ??= readOrientation(view, begin, end - begin);
  }
  return { isProgressive, orientation: orientation ?? 1 };
}
