import { type CameraFacts, type Exposure, type Location, NO_CAMERA, toLocation } from "../../domain/camera-facts.ts";
import { openTiff, readDirectory, type Tiff, type TiffEntry } from "../exif/tiff-directory.ts";
import { joinNames, toName, toTime } from "./camera-text.ts";

const MAKE = 0x010f;
const MODEL = 0x0110;
const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const LATITUDE = { reference: 1, degrees: 2, positive: "N", negative: "S" };
const LONGITUDE = { reference: 3, degrees: 4, positive: "E", negative: "W" };
const DATE_TIME_ORIGINAL = 0x9003;
const OFFSET_TIME_ORIGINAL = 0x9011;
const LENS_MODEL = 0xa434;
const EXPOSURE_TIME = 0x829a;
const F_NUMBER = 0x829d;
const SENSITIVITY = 0x8827;
const RECOMMENDED_EXPOSURE_INDEX = 0x8832;
const FOCAL_LENGTH = 0x920a;
/** A sensitivity that does not fit is in the recommended exposure index (Exif 2.32, 4.6.5). */
const TOO_SENSITIVE = 0xffff;
/** TIFF 6.0, section 2. */
const [ASCII, SHORT, LONG, RATIONAL] = [2, 3, 4, 5];
/** UTF-8 texts of Exif 3.0. */
const UTF8 = 129;
/** Of the longest number. */
const VALUE_BYTES = 8;
/** Longer texts are cut. */
const MAX_TEXT_BYTES = 400;

/** Reads a bare TIFF structure (Exif 2.32, 4.6.4 and 4.6.5). @param bytes of which the end may be missing */
export function readExifCamera(bytes: Uint8Array): CameraFacts {
  const tiff = openTiff(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
  if (tiff === undefined) return NO_CAMERA;
  const main = entriesOf(tiff, tiff.directory);
  const own = directoryAt(tiff, main.get(EXIF_DIRECTORY));
  const gps = directoryAt(tiff, main.get(GPS_DIRECTORY));
  const name = (entry: TiffEntry | undefined) => toName(textOf(tiff, entry));
  return {
    takenAt: toTime(name(own.get(DATE_TIME_ORIGINAL)) ?? "", name(own.get(OFFSET_TIME_ORIGINAL)) ?? ""),
    camera: joinNames(name(main.get(MAKE)), name(main.get(MODEL))),
    lens: name(own.get(LENS_MODEL)),
    exposure: exposureOf((tag) => numberOf(tiff, own.get(tag))),
    location: locationOf(degreesOf(tiff, gps, LATITUDE), degreesOf(tiff, gps, LONGITUDE)),
  };
}

function directoryAt(tiff: Tiff, pointer: TiffEntry | undefined): ReadonlyMap<number, TiffEntry> {
  if (pointer?.type !== LONG) return new Map();
  return entriesOf(tiff, tiff.view.getUint32(pointer.valueAt, tiff.littleEndian));
}

function locationOf(latitude: number | null, longitude: number | null): Location | null {
  return latitude === null || longitude === null ? null : toLocation(latitude, longitude);
}

/** Signed degrees of one axis (Exif 2.32, 4.6.6): degrees, minutes and seconds, and a reference. Null if one is missing or impossible. */
function degreesOf(
  tiff: Tiff,
  gps: ReadonlyMap<number, TiffEntry>,
  axis: typeof LATITUDE | typeof LONGITUDE,
): number | null {
  const reference = toName(textOf(tiff, gps.get(axis.reference)));
  if (reference !== axis.positive && reference !== axis.negative) return null;
  const [degrees, minutes, seconds] = rationalsOf(tiff, gps.get(axis.degrees));
  if (degrees === undefined || minutes === undefined || seconds === undefined) return null;
  const value = degrees + minutes / 60 + seconds / 3600;
  const isPossible = Number.isFinite(value) && minutes <= 60 && seconds <= 60;
  return isPossible ? (reference === axis.negative ? -value : value) : null;
}

/** Three numbers; none if they are not there. A number without a denominator is not finite. */
function rationalsOf({ view, begin, end, littleEndian }: Tiff, entry: TiffEntry | undefined): number[] {
  if (entry?.type !== RATIONAL || entry.count !== 3) return [];
  const at = begin + view.getUint32(entry.valueAt, littleEndian);
  if (at + 3 * VALUE_BYTES > end) return [];
  const long = (offset: number) => view.getUint32(at + offset, littleEndian);
  return [0, 8, 16].map((offset) => long(offset) / long(offset + 4));
}

function exposureOf(read: (tag: number) => number | null): Exposure | null {
  const sensitivity = read(SENSITIVITY);
  const exposure = {
    shutterSeconds: read(EXPOSURE_TIME),
    aperture: read(F_NUMBER),
    iso: sensitivity === TOO_SENSITIVE ? read(RECOMMENDED_EXPOSURE_INDEX) : sensitivity,
    focalLengthMm: read(FOCAL_LENGTH),
  };
  return Object.values(exposure).some((value) => value !== null) ? exposure : null;
}

/** The first number of an entry, with six digits. Null if it is not there or not positive: cameras write zeros for unknown facts. */
function numberOf({ view, begin, end, littleEndian }: Tiff, entry: TiffEntry | undefined): number | null {
  if (entry === undefined || entry.count < 1) return null;
  const { type, count, valueAt } = entry;
  const isHere = (type === SHORT && count <= 2) || (type === LONG && count === 1);
  const at = isHere ? valueAt : begin + view.getUint32(valueAt, littleEndian);
  if (at + VALUE_BYTES > end && !isHere) return null;
  const long = (offset: number) => view.getUint32(offset, littleEndian);
  const value =
    type === RATIONAL
      ? long(at) / long(at + 4)
      : type === SHORT
        ? view.getUint16(at, littleEndian)
        : type === LONG
          ? long(at)
          : 0;
  return value > 0 && Number.isFinite(value) ? Number(value.toPrecision(6)) : null;
}

/** The first entry of each tag counts. */
function entriesOf(tiff: Tiff, offset: number): ReadonlyMap<number, TiffEntry> {
  const found = new Map<number, TiffEntry>();
  for (const entry of readDirectory(tiff, offset)) if (!found.has(entry.tag)) found.set(entry.tag, entry);
  return found;
}

/** The bytes of a text, as far as they are there. */
function textOf({ view, begin, end, littleEndian }: Tiff, entry: TiffEntry | undefined): Uint8Array {
  if (entry === undefined || (entry.type !== ASCII && entry.type !== UTF8)) return new Uint8Array(0);
  const at = entry.count <= 4 ? entry.valueAt : begin + view.getUint32(entry.valueAt, littleEndian);
  const until = Math.min(end, at + Math.min(entry.count, MAX_TEXT_BYTES));
  return at >= until ? new Uint8Array(0) : new Uint8Array(view.buffer, view.byteOffset + at, until - at);
}
