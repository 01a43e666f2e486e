import { crc32 } from "node:zlib";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { bytesOf } from "./samples.ts";

/** Headers of media files, built clause by clause from their standards. */

type Bytes = Uint8Array<ArrayBuffer>;
type Part = Parameters<typeof bytesOf>[number];
export type ByteOrder = "II" | "MM";

export function bigEndian(value: number, length: number): number[] {
  return Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) & 255);
}

export function littleEndian(value: number, length: number): number[] {
  return bigEndian(value, length).reverse();
}

/** A JPEG marker segment (ITU-T T.81, B.1.1.4). */
export function segment(marker: number, ...content: Part[]): Bytes {
  const bytes = bytesOf(...content);
  return bytesOf([0xff, marker], bigEndian(bytes.length + 2, 2), bytes);
}

/** A frame header with one component (T.81, B.2.2); SOF0 by default. */
export function frame(width: number, height: number, marker = 0xc0): Bytes {
  return segment(marker, [8], bigEndian(height, 2), bigEndian(width, 2), [1, 1, 0x11, 0]);
}

/** SOI, and the parts after it. */
export function jpegOf(...parts: Part[]): Bytes {
  return bytesOf([0xff, 0xd8], ...parts);
}

/** A TIFF header and a directory that holds an orientation (TIFF 6.0, section 2); a SHORT by default. */
export function tiff(orientation: number, order: ByteOrder = "MM", { type = 3, before = 0, gap = 0 } = {}): Bytes {
  const number = order === "II" ? littleEndian : bigEndian;
  const make = [...number(0x010f, 2), ...number(2, 2), ...number(4, 4), ...bytesOf("abc\0")];
  const value = type === 3 ? [...number(orientation, 2), 0, 0] : number(orientation, 4);
  const entry = [...number(0x0112, 2), ...number(type, 2), ...number(1, 4), ...value];
  const header = bytesOf(order, number(42, 2), number(8 + gap, 4), new Uint8Array(gap), number(before + 1, 2));
  return bytesOf(header, ...Array<number[]>(before).fill(make), entry, [0, 0, 0, 0]);
}

/** The APP1 segment that holds it (Exif 2.32, 4.7.2). */
export function exif(...tiffParts: Part[]): Bytes {
  return segment(0xe1, "Exif\0\0", ...tiffParts);
}

/** A PNG chunk (PNG, 5.3). */
export function pngChunk(type: string, ...data: Part[]): Bytes {
  const bytes = bytesOf(...data);
  const body = bytesOf(type, bytes);
  return bytesOf(bigEndian(bytes.length, 4), body, bigEndian(crc32(body), 4));
}

/** A PNG signature, IHDR and more chunks. */
export function pngOf(width: number, height: number, ...chunks: Part[]): Bytes {
  const header = pngChunk("IHDR", bigEndian(width, 4), bigEndian(height, 4), [8, 6, 0, 0, 0]);
  return bytesOf("\x89PNG\r\n\x1a\n", header, ...chunks);
}

/** A RIFF chunk: an odd one is padded. */
export function chunk(fourCc: string, ...content: Part[]): Bytes {
  const bytes = bytesOf(...content);
  return bytesOf(fourCc, littleEndian(bytes.length, 4), bytes, new Uint8Array(bytes.length % 2));
}

export function riff(form: string, ...chunks: Part[]): Bytes {
  return chunk("RIFF", form, ...chunks);
}

/** A key frame's header (RFC 6386, 9.1); `scale` goes into the upper two bits of each dimension. */
export function vp8(width: number, height: number, scale = 0): Bytes {
  const dimensions = [width, height].flatMap((value) => littleEndian(value | (scale << 14), 2));
  return chunk("VP8 ", [0x30, 1, 0, 0x9d, 0x01, 0x2a], dimensions, [0, 0]);
}

/** A lossless header (RFC 9649, 3.4): 14 bits each, less one, then alpha and version. */
export function vp8l(width: number, height: number, dataBytes = 3): Bytes {
  const bits = width - 1 + (height - 1) * 2 ** 14 + 2 ** 28;
  return chunk("VP8L", [0x2f], littleEndian(bits, 4), new Uint8Array(dataBytes));
}

/** An extended header (RFC 9649, 2.7): the canvas, less one. */
export function vp8x(width: number, height: number, flags = 0): Bytes {
  return chunk("VP8X", [flags, 0, 0, 0], littleEndian(width - 1, 3), littleEndian(height - 1, 3));
}

/** GIF89a, 17 and 18: the header and the logical screen. */
export function gifOf(width: number, height: number, version = "GIF89a"): Bytes {
  return bytesOf(version, littleEndian(width, 2), littleEndian(height, 2), [0, 0, 0], [0x3b]);
}

/** A box of ISO/IEC 14496-12, 4.2, which is an atom of QuickTime. */
export function box(type: string, ...content: Part[]): Bytes {
  const bytes = bytesOf(...content);
  return bytesOf(bigEndian(bytes.length + 8, 4), type, bytes);
}

/** ISO/IEC 14496-12, 4.3. */
export function ftyp(major: string, ...compatible: string[]): Bytes {
  return box("ftyp", major, [0, 0, 2, 0], ...compatible);
}

/** An EBML element whose size takes `sizeBytes` (RFC 8794, 4). */
export function element(id: number[], content: Part, sizeBytes = 1): Bytes {
  const bytes = bytesOf(content);
  const size = bigEndian(bytes.length, sizeBytes);
  size[0] = (size[0] ?? 0) | (0x80 >> (sizeBytes - 1));
  return bytesOf(id, size, bytes);
}

/** The header at the start of Matroska and WebM files (RFC 8794, 11.2), and the beginning of a segment. */
export function ebml(docType: string, { before = bytesOf([0x42, 0x86, 0x81, 1]), sizeBytes = 1 } = {}): Bytes {
  const header = bytesOf(before, element([0x42, 0x82], docType), element([0x42, 0x87], [4]));
  return bytesOf(element([0x1a, 0x45, 0xdf, 0xa3], header, sizeBytes), [0x18, 0x53, 0x80, 0x67, 0x01]);
}

/** The `hdrl` list at the start of an AVI. */
function avi(): Bytes {
  return riff("AVI ", chunk("LIST", "hdrl", chunk("avih", new Uint8Array(56))));
}

export interface Sample {
  readonly label: string;
  readonly type: MediaType;
  readonly bytes: Bytes;
  /** [width, height]; undefined for films, whose dimensions are not in their first bytes. */
  readonly size?: readonly [number, number];
}

/** At least one file of each supported type. */
export const SAMPLES: readonly Sample[] = [
  sample("JPEG", "image/jpeg", jpegOf(segment(0xe0, "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]), frame(640, 480)), 640, 480),
  sample("JPEG on its side", "image/jpeg", jpegOf(exif(tiff(6, "II", { before: 2 })), frame(640, 480)), 480, 640),
  sample("PNG", "image/png", pngOf(70_000, 3, pngChunk("IDAT", [0])), 70_000, 3),
  sample("PNG on its side", "image/png", pngOf(7, 3, pngChunk("eXIf", tiff(8)), pngChunk("IDAT", [0])), 3, 7),
  sample("GIF87a", "image/gif", gifOf(5, 6, "GIF87a"), 5, 6),
  sample("GIF89a", "image/gif", gifOf(65_535, 1), 65_535, 1),
  sample("lossy WebP", "image/webp", riff("WEBP", vp8(16_383, 9)), 16_383, 9),
  sample("lossless WebP", "image/webp", riff("WEBP", vp8l(9, 16_384)), 9, 16_384),
  sample("extended WebP", "image/webp", riff("WEBP", vp8x(70_000, 11), vp8(70, 11)), 70_000, 11),
  sample("MP4", "video/mp4", bytesOf(ftyp("isom", "isom", "iso2", "avc1", "mp41"), box("free"))),
  sample("WebM", "video/webm", ebml("webm")),
  sample("QuickTime", "video/quicktime", bytesOf(ftyp("qt  ", "qt  "), box("wide"))),
  sample("classic QuickTime", "video/quicktime", box("moov", box("mvhd", new Uint8Array(100)))),
  sample("AVI", "video/x-msvideo", avi()),
];

function sample(label: string, type: MediaType, bytes: Bytes, width?: number, height?: number): Sample {
  return { label, type, bytes, ...(width === undefined || height === undefined ? {} : { size: [width, height] }) };
}
