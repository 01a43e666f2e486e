import type { Dimensions } from "../dimensions.ts";

const FIRST_CHUNK = 12;
const CHUNK_HEADER = 8;

/** RFC 9649: the first chunk says it, in one of three ways. Browsers do not turn a WebP as its EXIF says. */
export function readWebpDimensions(view: DataView): Dimensions | undefined {
  const content = FIRST_CHUNK + CHUNK_HEADER;
  // A lossless picture of a few pixels is shorter than the headers of the other two.
  if (view.byteLength < content + 5) return undefined;
  const chunk = view.getUint32(FIRST_CHUNK);
  if (chunk !== fourCc("VP8L") && view.byteLength < content + 10) return undefined;
  switch (chunk) {
    case fourCc("VP8X"):
      return { width: 1 + uint24(view, content + 4), height: 1 + uint24(view, content + 7) };
    case fourCc("VP8L"): {
      if (view.getUint8(content) !== 0x2f) return undefined;
      const bits = view.getUint32(content + 1, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case fourCc("VP8 "): {
      // RFC 6386, 9.1: the start code, then 14 bits each; the upper two are a scale.
      if (view.getUint8(content + 3) !== 0x9d || view.getUint16(content + 4) !== 0x012a) return undefined;
      return { width: view.getUint16(content + 6, true) & 0x3fff, height: view.getUint16(content + 8, true) & 0x3fff };
    }
    default:
      return undefined;
  }
}

function fourCc(name: string): number {
  return [...name].reduce((code, char) => ((code << 8) | char.charCodeAt(0)) >>> 0, 0);
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
