import { CannotCompress } from "../cannot-compress.ts";
import { readOrientation } from "../orientation.ts";
import { type RiffChunk, readChunks } from "./riff.ts";

export interface WebpDescription {
  width: number;
  height: number;
  lossless: boolean;
  hasAlpha: boolean;
  icc: Buffer | undefined;
  orientation: number | undefined;
  /** ALPH, VP8 and VP8L: what holds the pixels. */
  bitstream: RiffChunk[];
}

const VP8L_SIGNATURE = 0x2f;

/** @throws CannotCompress for animations and files without an image */
export function describeWebp(file: Buffer): WebpDescription {
  const chunks = readChunks(file);
  const find = (type: string) => chunks.find((chunk) => chunk.type === type)?.data;
  const isAnimated = chunks.some(({ type }) => type === "ANIM" || type === "ANMF");
  if (isAnimated) throw new CannotCompress("animated");
  const exif = find("EXIF");
  const shared = {
    icc: find("ICCP"),
    orientation: exif === undefined ? undefined : readOrientation(exif),
    bitstream: chunks.filter(({ type }) => type === "ALPH" || type === "VP8 " || type === "VP8L"),
  };
  const vp8l = find("VP8L");
  if (vp8l !== undefined && vp8l.length >= 5 && vp8l[0] === VP8L_SIGNATURE) {
    const bits = vp8l.readUInt32LE(1);
    const size = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    return { ...size, ...shared, lossless: true, hasAlpha: ((bits >>> 28) & 1) === 1 };
  }
  const vp8 = find("VP8 ");
  if (vp8 === undefined || vp8.length < 10) throw new CannotCompress("no image in the WebP");
  // A key frame's header: frame tag, start code, then 14 bits each of width and height (RFC 6386, section 9.1).
  const size = { width: vp8.readUInt16LE(6) & 0x3fff, height: vp8.readUInt16LE(8) & 0x3fff };
  return { ...size, ...shared, lossless: false, hasAlpha: find("ALPH") !== undefined };
}
