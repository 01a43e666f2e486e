import { readOrientation } from "../exif/exif-orientation.ts";
import { type Head, headOf, UNKNOWN_HEAD } from "../head.ts";
import { type FrameSegment, readFrameSegment } from "./frame-segment.ts";
import { type MarkerSegment, MarkerWalk } from "./marker-walk.ts";
import {
  APP1,
  APP15,
  COM,
  DHP,
  EOI,
  EXP,
  isFrameMarker,
  JPG,
  SOF0,
  SOF1,
  SOF2,
  SOF9,
  SOF10,
  SOI,
  SOS,
} from "./markers.ts";

/** A file may hold millions that take no bytes to speak of. */
const MAX_SEGMENTS = 20_000;
/** Baseline, extended and progressive, Huffman or arithmetic coding: what libjpeg decodes. */
const SHOWN_FRAMES = [SOF0, SOF1, SOF2, SOF9, SOF10];
/** Grey, YCbCr or RGB, CMYK or YCCK. */
const SHOWN_COMPONENTS = [1, 3, 4];

/**
 * The frame header's columns and lines (ITU-T T.81, B.2.2), turned as the Exif orientation says. Browsers show what has a
 * frame that libjpeg decodes, and a scan with data; a height that only DNL tells is not among that.
 */
export function readJpegHead(bytes: Uint8Array): Head {
  const walk = new MarkerWalk(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let known = UNKNOWN_HEAD;
  let frame: FrameSegment | undefined;
  let orientation: number | undefined;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const segment = walk.next();
    if (segment === undefined) return turned(known, orientation);
    const { marker, begin, end } = segment;
    if (marker === SOS) return turned({ ...known, shows: isShown(frame) && hasData(bytes, end) }, orientation);
    if (isRefused(marker) || (isFrameMarker(marker) && known.width > 0)) {
      return turned({ ...known, shows: false }, orientation);
    }
    if (isFrameMarker(marker)) {
      known = sizeOf(view, segment);
      frame = readFrameSegment(bytes, segment);
    }
    // Browsers heed the first that tells one, up to the first scan.
    if (marker === APP1) orientation ??= readOrientation(view, begin, end - begin);
  }
  return turned(known, orientation);
}

/** Told as soon as it is there, whatever the rest of the header says. */
function sizeOf(view: DataView, { begin, end }: MarkerSegment): Head {
  if (Math.min(end, view.byteLength) < begin + 5) return UNKNOWN_HEAD;
  return headOf(view.getUint16(begin + 3), view.getUint16(begin + 1), undefined);
}

function turned({ width, height, shows }: Head, orientation = 1): Head {
  return orientation >= 5 ? { width: height, height: width, shows } : { width, height, shows };
}

function isShown(frame: FrameSegment | undefined): boolean {
  if (frame === undefined || frame.width === 0 || frame.height === 0 || frame.precision !== 8) return false;
  return SHOWN_FRAMES.includes(frame.marker) && SHOWN_COMPONENTS.includes(frame.components.length);
}

/** Undefined where the bytes end with the scan's header. */
function hasData(bytes: Uint8Array, at: number): boolean | undefined {
  return at < bytes.length ? bytes[at] !== 0xff || bytes[at + 1] !== EOI : undefined;
}

/** Where libjpeg gives up in front of a scan: a second SOI, EOI, what is reserved, and what only other kinds have. */
function isRefused(marker: number): boolean {
  if (marker === SOI || marker === EOI) return true;
  return marker < SOF0 || marker === JPG || marker === DHP || marker === EXP || (marker > APP15 && marker !== COM);
}
