import { type Head, headOf, UNKNOWN_HEAD } from "../bytes.ts";
import { readOrientation } from "../exif/exif-orientation.ts";
import {
  APP1,
  APP15,
  COM,
  DHP,
  EOI,
  EXP,
  type FrameSegment,
  isFrameMarker,
  isLossless,
  JPG,
  type MarkerSegment,
  MarkerWalk,
  readFrameSegment,
  SOF0,
  SOI,
  SOS,
} from "./markers.ts";

/** The most segments that are read: a file may contain millions of tiny ones. */
const MAX_SEGMENTS = 20_000;
/** Sample sizes in bits of T.81 (table B.2). Some encoders write 12 bits in a baseline frame. */
const DCT_PRECISIONS = [8, 12];
const LOSSLESS_PRECISIONS = { least: 2, most: 16 };
/** Grey, YCbCr or RGB, CMYK or YCCK. */
const SHOWN_COMPONENTS = [1, 3, 4];

/**
 * Reads the frame header's columns and lines (ITU-T T.81, B.2.2), turned by the Exif orientation. In a hierarchy of frames, the size is
 * that of the whole (B.3.2). A photo has a frame of any process of T.81 and a scan with data. A height that only DNL contains is not read.
 * Browsers decode neither 12 bits a sample nor lossless and hierarchical frames, but other programs do.
 */
export function readJpegHead(bytes: Uint8Array): Head {
  const walk = new MarkerWalk(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let known = UNKNOWN_HEAD;
  let frame: FrameSegment | undefined;
  let hierarchy: Head | undefined;
  let orientation: number | undefined;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const segment = walk.next();
    if (segment === undefined) break;
    const { marker, begin, end } = segment;
    if (marker === SOS) {
      const shows = hierarchy?.width !== 0 && isDecodable(frame) && hasData(bytes, end);
      return turned({ ...(hierarchy ?? known), shows }, orientation);
    }
    const isLate = (isFrameMarker(marker) && known.width > 0) || (marker === DHP && (hierarchy ?? frame) !== undefined);
    if (isRefused(marker) || isLate) return turned({ ...(hierarchy ?? known), shows: false }, orientation);
    if (marker === DHP) hierarchy = sizeOf(view, segment);
    if (isFrameMarker(marker)) {
      known = sizeOf(view, segment);
      frame = readFrameSegment(bytes, segment);
    }
    // Browsers use the first orientation before the first scan.
    if (marker === APP1) orientation ??= readOrientation(view, begin, end - begin);
  }
  return turned(hierarchy ?? known, orientation);
}

/** Reads the size as soon as it is available, even if the rest of the header is damaged. */
function sizeOf(view: DataView, { begin, end }: MarkerSegment): Head {
  if (Math.min(end, view.byteLength) < begin + 5) return UNKNOWN_HEAD;
  return headOf(view.getUint16(begin + 3), view.getUint16(begin + 1), undefined);
}

function turned({ width, height, shows }: Head, orientation = 1): Head {
  return orientation >= 5 ? { width: height, height: width, shows } : { width, height, shows };
}

function isDecodable(frame: FrameSegment | undefined): boolean {
  if (frame === undefined || frame.width === 0 || frame.height === 0) return false;
  return SHOWN_COMPONENTS.includes(frame.components.length) && hasPrecision(frame);
}

function hasPrecision({ marker, precision }: FrameSegment): boolean {
  const { least, most } = LOSSLESS_PRECISIONS;
  return isLossless(marker) ? precision >= least && precision <= most : DCT_PRECISIONS.includes(precision);
}

/** Undefined if the bytes end right after the scan's header. */
function hasData(bytes: Uint8Array, at: number): boolean | undefined {
  return at < bytes.length ? bytes[at] !== 0xff || bytes[at + 1] !== EOI : undefined;
}

/**
 * Markers before a scan at which decoders give up: a second SOI, EOI, reserved markers, and EXP, which follows a hierarchy's first frame.
 */
function isRefused(marker: number): boolean {
  if (marker === SOI || marker === EOI) return true;
  return marker < SOF0 || marker === JPG || marker === EXP || (marker > APP15 && marker !== COM);
}
