import { type CameraFacts, NO_CAMERA } from "../../domain/camera-facts.ts";
import { openTiff, readDirectory, type Tiff, type TiffEntry } from "../exif/tiff-directory.ts";
import { joinNames, toName, toTime } from "./camera-text.ts";

const MAKE = 0x010f;
const MODEL = 0x0110;
const EXIF_DIRECTORY = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const OFFSET_TIME_ORIGINAL = 0x9011;
const LENS_MODEL = 0xa434;
/** TIFF 6.0, section 2. */
const [ASCII, LONG] = [2, 4];
/** UTF-8 texts of Exif 3.0. */
const UTF8 = 129;
/** Longer texts are cut. */
const MAX_TEXT_BYTES = 400;

/** Reads a bare TIFF structure (Exif 2.32, 4.6.4 and 4.6.5). @param bytes of which the end may be missing */
export function readExifCamera(bytes: Uint8Array): CameraFacts {
  const tiff = openTiff(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
  if (tiff === undefined) return NO_CAMERA;
  const main = entriesOf(tiff, tiff.directory);
  const pointer = main.get(EXIF_DIRECTORY);
  const own =
    pointer?.type === LONG
      ? entriesOf(tiff, tiff.view.getUint32(pointer.valueAt, tiff.littleEndian))
      : new Map<number, TiffEntry>();
  const name = (entry: TiffEntry | undefined) => toName(textOf(tiff, entry));
  return {
    takenAt: toTime(name(own.get(DATE_TIME_ORIGINAL)) ?? "", name(own.get(OFFSET_TIME_ORIGINAL)) ?? ""),
    camera: joinNames(name(main.get(MAKE)), name(main.get(MODEL))),
    lens: name(own.get(LENS_MODEL)),
  };
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
