import { describe, expect, it } from "vitest";
import { extensionOf, isVideo, MEDIA_TYPES } from "../../../src/domain/media-types.ts";
import { sniffMediaType } from "../../../src/media/first-bytes.ts";
import {
  bigEndian,
  box,
  chunk,
  ebml,
  element,
  exif,
  frame,
  ftyp,
  jpegOf,
  pngOf,
  riff,
  SAMPLES,
  segment,
  tiff,
  vp8,
  vp8l,
  vp8x,
} from "../../support/media/media-bytes.ts";
import { bytesOf } from "../../support/media/samples.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const MVHD = box("mvhd", new Uint8Array(100));

it.each(SAMPLES)("$label is detected as $type", ({ bytes, type }) => {
  expect(sniffMediaType(bytes)).toBe(type);
});

it("Every supported type has a sample, a unique extension and a kind", () => {
  expect(new Set(SAMPLES.map(({ type }) => type))).toEqual(new Set(MEDIA_TYPES));
  expect(new Set(MEDIA_TYPES.map(extensionOf)).size).toBe(MEDIA_TYPES.length);
  expect(MEDIA_TYPES.filter(isVideo)).toEqual(["video/mp4", "video/webm", "video/quicktime", "video/x-msvideo"]);
});

it("The type of a view of a longer buffer is detected", () => {
  for (const { bytes, type } of SAMPLES) {
    expect(sniffMediaType(bytesOf("GIF89a\0", bytes).subarray(7))).toBe(type);
    expect(sniffMediaType(bytesOf(bytes, bytes).subarray(bytes.length))).toBe(type);
  }
});

describe("JPEG", () => {
  it.each<[string, Bytes]>([
    ["JFIF", jpegOf(segment(0xe0, "JFIF\0"), frame(1, 1))],
    ["Exif", jpegOf(exif(tiff(1)), frame(1, 1))],
    ["tables", jpegOf(segment(0xdb, new Uint8Array(65)), frame(1, 1))],
    ["a comment", jpegOf(segment(0xfe, "hello"), frame(1, 1))],
    ["the frame", jpegOf(frame(1, 1, 0xc2))],
    ["fill bytes", jpegOf([0xff, 0xff, 0xff], frame(1, 1))],
    ["RST0", jpegOf([0xff, 0xd0], frame(1, 1))],
    ["RST7", jpegOf([0xff, 0xd7], frame(1, 1))],
    ["TEM", jpegOf([0xff, 0x01], frame(1, 1))],
    ["DNL", jpegOf(segment(0xdc, [0, 1]), frame(1, 1))],
    ["a stray FF 00", jpegOf([0xff, 0x00], frame(1, 1))],
  ])("A JPEG may begin with %s", (_, bytes) => {
    expect(sniffMediaType(bytes)).toBe("image/jpeg");
  });

  it.each([0x02, 0xbf, 0xc8, 0xd8, 0xd9, 0xda, 0xf7])("A JPEG does not begin with marker %i", (marker) => {
    expect(sniffMediaType(jpegOf(segment(marker, new Uint8Array(40))))).toBeUndefined();
  });
});

describe("MP4", () => {
  const BRANDS = ["isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "hvc1", "av01", "dash", "cmfc"];
  it.each([...BRANDS, "M4V ", "M4VH", "M4VP", "MSNV", "XAVC", "f4v "])("An MP4 may have the brand %j", (brand) => {
    expect(sniffMediaType(ftyp(brand, "abcd"))).toBe("video/mp4");
  });

  it.each<[string, Bytes]>([
    ["a compatible brand alone", ftyp("3gp4", "3gp4", "isom", "iso2")],
    ["a compatible brand behind thirty others", ftyp("abcd", ...Array<string>(30).fill("wxyz"), "mp42")],
    ["padding before its brands", bytesOf(box("free"), box("skip", [1, 2, 3]), ftyp("isom", "isom"))],
  ])("An MP4 may have %s", (_, bytes) => {
    expect(sniffMediaType(bytes)).toBe("video/mp4");
  });
});

describe("QuickTime", () => {
  it.each<[string, Bytes]>([
    ["its film first", box("moov", MVHD)],
    ["a compressed film first", box("moov", box("cmov", box("dcom", "zlib")))],
    ["media data first", bytesOf(bigEndian(9_000_000, 4), "mdat", new Uint8Array(50))],
    ["media data of 64-bit size", bytesOf(bigEndian(1, 4), "mdat", bigEndian(9_000_000_000, 8))],
    ["media data to the file's end", bytesOf(bigEndian(0, 4), "mdat", new Uint8Array(50))],
    ["a little media data, then the film", bytesOf(box("mdat", new Uint8Array(20)), box("moov", MVHD))],
    ["room for a wide header", bytesOf(box("wide"), bigEndian(5_000, 4), "mdat", new Uint8Array(20))],
    ["free space", bytesOf(box("free", new Uint8Array(100)), box("moov", MVHD))],
    ["a preview", bytesOf(box("pnot", [0, 0, 0, 0, 0, 0], "PICT", [0, 1]), box("PICT", new Uint8Array(30)))],
  ])("A QuickTime film without a brand may have %s", (_, bytes) => {
    expect(sniffMediaType(bytes)).toBe("video/quicktime");
  });
});

describe("WebM", () => {
  it.each<[string, Bytes]>([
    ["a header size of eight bytes", ebml("webm", { sizeBytes: 8 })],
    ["a checksum and padding first", ebml("webm", { before: bytesOf([0xbf, 0x84, 1, 2, 3, 4], [0xec, 0x82, 0, 0]) })],
    ["a long size before its type", ebml("webm", { before: element([0x42, 0xf7], [1], 4) })],
    ["zeros behind its type's name", ebml("webm\0\0\0\0")],
  ])("A WebM may have %s", (_, bytes) => {
    expect(sniffMediaType(bytes)).toBe("video/webm");
  });
});

it.each<[string, Bytes]>([
  ["nothing", bytesOf()],
  ["zeros", new Uint8Array(4096)],
  ["HTML", bytesOf("<!DOCTYPE html><html><script>alert(1)</script></html>")],
  ["HTML behind a byte order mark", bytesOf("\xef\xbb\xbf<html>")],
  ["SVG", bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ["XML", bytesOf('<?xml version="1.0"?><svg/>')],
  ["text about a GIF", bytesOf("GIF files begin with GIF89a")],
  ["PDF", bytesOf("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n")],
  ["ZIP", bytesOf("PK\x03\x04\x14\0\0\0\x08\0", new Uint8Array(40))],
  ["GZIP", bytesOf([0x1f, 0x8b, 8, 0], new Uint8Array(40))],
  ["a Windows program", bytesOf("MZ\x90\0", new Uint8Array(100))],
  ["a Linux program", bytesOf("\x7fELF\x02\x01\x01", new Uint8Array(100))],
  ["MP3 with ID3", bytesOf("ID3", [4, 0, 0, 0, 0, 0, 0], new Uint8Array(40))],
  ["MP3", bytesOf([0xff, 0xfb, 0x90, 0x64], new Uint8Array(40))],
  ["AAC", bytesOf([0xff, 0xf1, 0x50, 0x80], new Uint8Array(40))],
  ["FLAC", bytesOf("fLaC", new Uint8Array(40))],
  ["Ogg", bytesOf("OggS", new Uint8Array(40))],
  ["Flash video", bytesOf("FLV\x01\x05", new Uint8Array(40))],
  ["an MPEG stream", bytesOf([0, 0, 1, 0xba], new Uint8Array(40))],
  ["BMP", bytesOf("BM", new Uint8Array(60))],
  ["ICO", bytesOf([0, 0, 1, 0, 1, 0], new Uint8Array(60))],
  ["TIFF", bytesOf(tiff(1, "II"))],
  ["TIFF of the other byte order", bytesOf(tiff(1, "MM"))],
  ["Photoshop", bytesOf("8BPS\0\x01", new Uint8Array(40))],
  ["JPEG 2000", bytesOf(box("jP  ", [13, 10, 0x87, 10]), ftyp("jp2 ", "jp2 "))],
  ["JPEG XL", bytesOf([0xff, 0x0a], new Uint8Array(40))],
  ["JPEG XL in boxes", bytesOf(box("JXL ", [13, 10, 0x87, 10]), ftyp("jxl ", "jxl "))],
  ["JPEG-LS", jpegOf(frame(1, 1, 0xf7))],
  ["MNG", bytesOf("\x8aMNG\r\n\x1a\n", new Uint8Array(40))],
  ["a PNG that lost its line ends", bytesOf("\x89PNG\n\x1a\n", pngOf(1, 1).subarray(8))],
  ["a PNG without IHDR first", bytesOf("\x89PNG\r\n\x1a\n", [0, 0, 0, 4], "CgBI", new Uint8Array(40))],
  ["WAV", riff("WAVE", chunk("fmt ", new Uint8Array(16)))],
  ["an animated cursor", riff("ACON", chunk("anih", new Uint8Array(36)))],
  ["WebP of an unknown kind", riff("WEBP", chunk("VP9 ", new Uint8Array(30)))],
  ["AVI without a list", riff("AVI ", chunk("idx1", new Uint8Array(30)))],
  ["big-endian RIFF", bytesOf("RIFX", riff("AVI ", chunk("LIST", "hdrl")).subarray(4))],
  ["Matroska", ebml("matroska")],
  ["a type that begins with webm", ebml("webmx")],
  ["EBML without a type", element([0x1a, 0x45, 0xdf, 0xa3], [0x42, 0x86, 0x81, 1])],
  ["EBML of a forbidden size", bytesOf([0x1a, 0x45, 0xdf, 0xa3, 0], ebml("webm").subarray(5))],
  ["a type behind the EBML header", bytesOf([0x1a, 0x45, 0xdf, 0xa3, 0x80], element([0x42, 0x82], "webm"))],
  ...["heic", "heix", "hevc", "mif1", "msf1", "avif", "avis", "M4A ", "M4B ", "M4P ", "F4A ", "crx ", "jp2 "].map(
    (brand): [string, Bytes] => [`${brand.trim()} that calls itself compatible`, ftyp(brand, brand, "isom", "mp42")],
  ),
  ["HEIC", ftyp("heic", "mif1", "heic")],
  ["HEIC behind padding", bytesOf(box("free"), ftyp("heic", "mif1", "heic"))],
  ["AVIF behind much padding", bytesOf(...Array<Bytes>(40).fill(box("skip")), ftyp("avif", "mif1"))],
  ["AVIF behind empty media data", bytesOf(box("mdat"), ftyp("avif", "mif1"))],
  ["an unknown brand", ftyp("abcd", "efgh")],
  ["a brand behind the box", bytesOf(ftyp("abcd"), "isom")],
  ["a box of brands too small for one", bytesOf([0, 0, 0, 8], "ftypisom", new Uint8Array(16))],
  ["a box of brands as long as a file", bytesOf([0, 1, 0, 0], "ftypisom", new Uint8Array(70_000))],
  ["padding alone", bytesOf(box("free", new Uint8Array(100)))],
  ["padding of no size", bytesOf([0, 0, 0, 0], "free", new Uint8Array(40))],
  ["text that says moov", bytesOf("The moovie is about a cat")],
])("A file of %s is refused", (_, bytes) => {
  expect(sniffMediaType(bytes)).toBeUndefined();
});

it.each<[string, Bytes, number]>([
  ["JPEG", jpegOf(frame(1, 1)), 4],
  ["PNG", pngOf(1, 1), 33],
  ["lossy WebP", riff("WEBP", vp8(1, 1)), 30],
  ["lossless WebP", riff("WEBP", vp8l(1, 1)), 25],
  ["extended WebP", riff("WEBP", vp8x(1, 1), vp8(1, 1)), 30],
  ["GIF", bytesOf("GIF89a", [1, 0, 1, 0, 0, 0, 0]), 13],
  ["MP4", ftyp("isom", "mp41"), 20],
  ["MP4 with an own brand", ftyp("abcd", "efgh", "isom"), 24],
  ["QuickTime", ftyp("qt  ", "qt  "), 20],
  ["classic QuickTime", box("moov", MVHD), 16],
  ["WebM", element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], "webm")), 12],
  ["AVI", riff("AVI ", chunk("LIST", "hdrl")), 24],
])("A %s file that ends within its header is refused", (_, bytes, headerBytes) => {
  for (let length = 0; length < headerBytes; length++) {
    expect(sniffMediaType(bytes.subarray(0, length)), `${length} bytes`).toBeUndefined();
  }
  expect(sniffMediaType(bytes.subarray(0, headerBytes))).toBeDefined();
});
