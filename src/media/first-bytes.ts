import type { MediaType } from "../domain/media-types.ts";
import { type Head, startsWith, UNKNOWN_HEAD } from "./bytes.ts";
import { readGifHead } from "./gif/gif-size.ts";
import { readJpegHead } from "./jpeg/read-jpeg-head.ts";
import { readPngHead } from "./png/read-png-head.ts";
import { readWebpHead } from "./webp/read-webp-head.ts";

/** The first bytes of a file decide its type; names and declared types are ignored (SVC-2). */

/**
 * The media type of a file; undefined if it is not one of the eight supported types.
 * @param head the first bytes: 4,096, or all of a shorter file
 */
export function sniffMediaType(head: Uint8Array): MediaType | undefined {
  if (isJpeg(head)) return "image/jpeg";
  if (isPng(head)) return "image/png";
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return head.length >= 13 ? "image/gif" : undefined;
  if (startsWith(head, "RIFF")) return sniffRiff(head);
  if (isWebm(head)) return "video/webm";
  return sniffIsoMedia(head);
}

/**
 * Markers that may follow SOI: SOFn, DHT, DAC, RSTn, DQT, DNL, DRI, DHP, APPn, COM, TEM, a fill byte. SOF55 is excluded: it opens a
 * JPEG-LS.
 */
const FIRST_JPEG_MARKER = /^[\xc0-\xc7\xc9-\xd7\xdb-\xde\xe0-\xef\xfe\xff]$/;
const TEM = 1;

/** ITU-T T.81, B.2.1: SOI, then bytes in which browsers find a marker. Browsers skip FF 00. */
function isJpeg(head: Uint8Array): boolean {
  if (!startsWith(head, "\xff\xd8\xff") || head.length < 4) return false;
  return (head[3] ?? 0) <= TEM || FIRST_JPEG_MARKER.test(ascii(head, 3, 1));
}

/** PNG, 5.2 and 11.2.1: the signature, then an IHDR of 13 bytes and its checksum. */
function isPng(head: Uint8Array): boolean {
  return head.length >= 33 && startsWith(head, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
}

function sniffRiff(head: Uint8Array): MediaType | undefined {
  switch (ascii(head, 8, 4)) {
    case "WEBP":
      return isWebp(head) ? "image/webp" : undefined;
    case "AVI ":
      return head.length >= 24 && ascii(head, 12, 4) === "LIST" ? "video/x-msvideo" : undefined;
    default:
      return undefined;
  }
}

/** RFC 9649, 2.5 to 2.7: the first chunk is one of three, and long enough for its dimensions. */
function isWebp(head: Uint8Array): boolean {
  const chunk = ascii(head, 12, 4);
  return chunk === "VP8L" ? head.length >= 25 : head.length >= 30 && (chunk === "VP8 " || chunk === "VP8X");
}

/** EBML (RFC 8794): Matroska and WebM differ only in the header's DocType element (0x4282). */
function isWebm(head: Uint8Array): boolean {
  if (!startsWith(head, "\x1a\x45\xdf\xa3")) return false;
  const size = readVint(head, 4);
  if (size === undefined) return false;
  let at = 4 + size.length;
  const end = Math.min(head.length, at + size.value);
  while (at + 2 < end) {
    // The ids in an EBML header have one or two bytes.
    const idLength = (head[at] ?? 0) >= 0x80 ? 1 : 2;
    const length = readVint(head, at + idLength);
    if (length === undefined) return false;
    const content = at + idLength + length.length;
    if (ascii(head, at, 2) === "\x42\x82") return ascii(head, content, length.value).replace(/\0+$/, "") === "webm";
    at = content + length.value;
  }
  return false;
}

/** A variable-size integer of EBML; none in the header is longer than four bytes. */
function readVint(bytes: Uint8Array, at: number): { value: number; length: number } | undefined {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > bytes.length) return undefined;
  let value = first & (0xff >> length);
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0);
  return { value, length };
}

/** Major brands (ISO/IEC 14496-12, 4.3) of MP4 video. Other brands, except NOT_VIDEO_BRANDS, need a compatible brand of MP4. */
const MP4_BRANDS =
  /^(?:iso[0-9a-z]|mp4[12]|avc[0-9]|hvc1|hev1|av01|dash|cmf[cf]|M4V[ HP]|MSNV|mmp4|f4v |F4V |XAVC|NDS[CSMH])$/;
const NOT_VIDEO_BRANDS =
  /^(?:M4A |M4B |M4P |F4A |F4B |heic|heix|heim|heis|hevc|hevx|mif1|mif2|msf1|avif|avis|jp2 |jpx |jpm |crx |aax |aaxc)$/;
/** Atoms that only reserve space. */
const PADDING_ATOMS = ["wide", "free", "skip"];
/** Atoms of QuickTime files from before `ftyp`. A `pnot` announces a preview in a `PICT`. */
const CLASSIC_ATOMS = [...PADDING_ATOMS, "moov", "mdat", "pnot", "PICT", "uuid"];
const MAX_PADDING_ATOMS = 16;
const MAX_BRANDS = 32;

function sniffIsoMedia(head: Uint8Array): MediaType | undefined {
  const atoms = head.subarray(paddingBytes(head));
  if (atoms.length < 16) return undefined;
  const size = uint32(atoms, 0);
  const atom = ascii(atoms, 4, 4);
  if (atom === "ftyp") return sniffBrands(atoms, size);
  return isClassicQuickTime(atoms, size, atom) ? "video/quicktime" : undefined;
}

/** Skips padding, which several formats have. The atom after it decides whether the file is a QuickTime film, an MP4 or a HEIC picture. */
function paddingBytes(head: Uint8Array): number {
  let at = 0;
  for (let i = 0; i < MAX_PADDING_ATOMS && PADDING_ATOMS.includes(ascii(head, at + 4, 4)); i++) {
    const size = uint32(head, at);
    if (size < 8) break;
    at += size;
  }
  return at;
}

function sniffBrands(head: Uint8Array, size: number): MediaType | undefined {
  if (size < 16 || size > Math.min(4096, head.length)) return undefined;
  const major = ascii(head, 8, 4);
  if (major === "qt  ") return "video/quicktime";
  if (MP4_BRANDS.test(major)) return "video/mp4";
  if (NOT_VIDEO_BRANDS.test(major)) return undefined;
  const end = Math.min(size, 16 + 4 * MAX_BRANDS);
  for (let at = 16; at + 4 <= end; at += 4) {
    if (/^(?:mp4[12]|isom|avc1)$/.test(ascii(head, at, 4))) return "video/mp4";
  }
  return undefined;
}

/** QuickTime File Format, "Atoms": a chain of sizes and types, followed as far as the available bytes allow. */
function isClassicQuickTime(head: Uint8Array, size: number, atom: string): boolean {
  switch (atom) {
    case "moov":
      return size >= 16 && ["mvhd", "cmov", "rmra", "udta", "trak"].includes(ascii(head, 12, 4));
    case "pnot":
      return size === 20 && CLASSIC_ATOMS.includes(ascii(head, 24, 4));
    case "mdat":
      if (size === 0 || size === 1) return true;
      // Media data is long: the next atom can be checked only if its start is available.
      if (size + 8 > head.length) return size >= 16;
      return size >= 8 && CLASSIC_ATOMS.includes(ascii(head, size + 4, 4));
    default:
      return false;
  }
}

/** Bytes as Latin-1 text; shorter if the bytes end. */
function ascii(bytes: Uint8Array, at: number, length: number): string {
  let text = "";
  for (let i = at; i < Math.min(bytes.length, at + Math.min(length, 64)); i++)
    text += String.fromCharCode(bytes[i] ?? 0);
  return text;
}

function uint32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) * 0x1000000 + (((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
  );
}

/**
 * Reads an image's width and height as a viewer displays them, and whether any program shows anything of it. It reads only headers, and the
 * first row of a PNG, because a partly damaged image is still useful. The work is bounded for any input. The first bytes of a video are not
 * read. Never throws.
 * @param head the first bytes of a file with this sniffed type
 * @param complete whether these bytes are the whole file
 */
export function readHead(type: MediaType, head: Uint8Array<ArrayBuffer>, complete: boolean): Head {
  const known = readImageHead(type, head);
  return known.shows === undefined && complete ? { ...known, shows: false } : known;
}

function readImageHead(type: MediaType, head: Uint8Array<ArrayBuffer>): Head {
  switch (type) {
    case "image/jpeg":
      return readJpegHead(head);
    case "image/png":
      return readPngHead(head);
    case "image/gif":
      return readGifHead(head);
    case "image/webp":
      return readWebpHead(head);
    default:
      return { ...UNKNOWN_HEAD, shows: true };
  }
}
