import { type CameraFacts, NO_CAMERA } from "../../domain/camera-facts.ts";
import type { MediaType } from "../../domain/media-types.ts";
import { EXIF_HEADER_BYTES, isExif } from "../exif/exif-header.ts";
import type { ByteSource } from "./byte-source.ts";
import { readExifCamera } from "./read-exif-camera.ts";
import { readFilmCamera } from "./read-film-camera.ts";

/** Segments and chunks that are read. Exif is among the first ones of a JPEG or PNG, and the last one of a WebP. */
const MAX_PIECES = 2000;
/** The most bytes of an Exif block that are read. Cameras write names and times before large values. */
const MAX_EXIF_BYTES = 64 * 1024;
const [SOI_BYTES, APP1, SOS] = [2, 0xe1, 0xda];
const PNG_SIGNATURE_BYTES = 8;
const RIFF_HEADER_BYTES = 12;

/**
 * Reads the time, the camera and the lens (TAKEN-1) from Exif, or from a film's own tables. The work is bounded for any input. Never throws.
 * @param source the first bytes of a file with this sniffed type
 */
export function readCameraFacts(type: MediaType, source: ByteSource): CameraFacts {
  try {
    return readFacts(type, source);
  } catch (error) {
    // A damaged offset points beyond the bytes.
    if (error instanceof RangeError) return NO_CAMERA;
    throw error;
  }
}

function readFacts(type: MediaType, source: ByteSource): CameraFacts {
  switch (type) {
    case "image/jpeg":
      return fromExif(findInJpeg(source));
    case "image/png":
      return fromExif(findInPng(source));
    case "image/webp":
      return fromExif(findInWebp(source));
    case "video/mp4":
    case "video/quicktime":
      return readFilmCamera(source);
    default:
      return NO_CAMERA;
  }
}

/** WebP files of some programs repeat the header of JPEG's segment. */
function fromExif(block: Uint8Array | undefined): CameraFacts {
  if (block === undefined) return NO_CAMERA;
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  return readExifCamera(isExif(view, 0, block.length) ? block.subarray(EXIF_HEADER_BYTES) : block);
}

/** The first APP1 segment with Exif before the first scan. */
function findInJpeg(source: ByteSource): Uint8Array | undefined {
  let at = SOI_BYTES;
  for (let pieces = 0; pieces < MAX_PIECES; pieces++) {
    const [mark, marker, high, low] = source.read(at, 4);
    if (mark !== 0xff || marker === undefined) return undefined;
    // Fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === SOS || high === undefined || low === undefined) return undefined;
    const sizeBytes = high * 256 + low;
    if (sizeBytes < 2) return undefined;
    if (marker === APP1) {
      const content = source.read(at + 4, sizeBytes - 2);
      if (isExif(new DataView(content.buffer, content.byteOffset, content.byteLength), 0, content.length))
        return content;
    }
    at += 2 + sizeBytes;
  }
  return undefined;
}

function findInPng(source: ByteSource): Uint8Array | undefined {
  return findChunk(source, { from: PNG_SIGNATURE_BYTES, name: "eXIf", isBig: true });
}

function findInWebp(source: ByteSource): Uint8Array | undefined {
  return findChunk(source, { from: RIFF_HEADER_BYTES, name: "EXIF", isBig: false });
}

/** @param isBig PNG: the length is big-endian and before the name, and a checksum follows. Otherwise RIFF: chunks of odd length are padded */
function findChunk(
  source: ByteSource,
  { from, name, isBig }: { readonly from: number; readonly name: string; readonly isBig: boolean },
): Uint8Array | undefined {
  let at = from;
  for (let pieces = 0; pieces < MAX_PIECES; pieces++) {
    const header = source.read(at, 8);
    if (header.length < 8) return undefined;
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const length = isBig ? view.getUint32(0) : view.getUint32(4, true);
    const found = String.fromCharCode(...header.subarray(isBig ? 4 : 0, isBig ? 8 : 4));
    if (found === name) return source.read(at + 8, Math.min(length, MAX_EXIF_BYTES));
    at += 8 + length + (isBig ? 4 : length & 1);
  }
  return undefined;
}
