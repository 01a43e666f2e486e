import { byteFinder } from "../bytes.ts";

/** ITU-T T.81, table B.1. */
export const SOI = 0xd8;
export const EOI = 0xd9;
export const SOS = 0xda;
export const DQT = 0xdb;
export const DNL = 0xdc;
export const DRI = 0xdd;
export const DHP = 0xde;
export const EXP = 0xdf;
export const DHT = 0xc4;
export const DAC = 0xcc;
export const JPG = 0xc8;
export const RST0 = 0xd0;
export const RST7 = 0xd7;
export const APP0 = 0xe0;
export const APP1 = 0xe1;
export const APP2 = 0xe2;
export const APP14 = 0xee;
export const APP15 = 0xef;
export const COM = 0xfe;
export const TEM = 0x01;
/** The beginning of an APP1 segment with a standard packet (XMP, part 3, 1.1.3). */
export const XMP = "http://ns.adobe.com/xap/1.0/\0";
/** The beginning of an APP2 segment that describes a gain map (ISO 21496-1). */
export const ISO_GAIN_MAP = "urn:iso:std:iso:ts:21496:-1\0";
/** The namespaces of gain maps in XMP: Adobe's, which Ultra HDR uses, and Apple's. */
export const ADOBE_GAIN_MAP = "http://ns.adobe.com/hdr-gain-map/";
export const APPLE_GAIN_MAP = "http://ns.apple.com/HDRGainMap/";
/** Frames that the codec decodes: baseline, extended sequential and progressive, all Huffman-coded. */
export const SOF0 = 0xc0;
export const SOF1 = 0xc1;
export const SOF2 = 0xc2;
/** SOF0 to SOF15, without DHT, JPG and DAC, which share their range. */
export function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== JPG && marker !== DAC;
}

/** SOF3, SOF7, SOF11 and SOF15. */
export function isLossless(frameMarker: number): boolean {
  return (frameMarker & 3) === 3;
}

/** A marker, and the range of its segment's content. */
export interface MarkerSegment {
  readonly marker: number;
  /** The offset after marker and length. */
  readonly begin: number;
  /** May exceed the available bytes. */
  readonly end: number;
}

/**
 * Walks over a JPEG's markers (T.81, annex B) like libjpeg, and so like browsers. Fill bytes, restart markers and garbage between two
 * segments are skipped. A length below its own two bytes counts as two.
 */
export class MarkerWalk {
  readonly #bytes: Uint8Array;
  #at: number;

  /** @param at by default after SOI */
  constructor(bytes: Uint8Array, at = 2) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The next segment; undefined if the bytes end before its length. */
  next(): MarkerSegment | undefined {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at + 1 < bytes.length && (bytes[at] !== 0xff || isNoSegment(bytes[at + 1] ?? 0))) at++;
    const marker = bytes[at + 1];
    if (marker === undefined) return undefined;
    if (marker === SOI || marker === EOI) {
      this.#at = at + 2;
      return { marker, begin: at + 2, end: at + 2 };
    }
    const begin = at + 4;
    if (begin > bytes.length) return undefined;
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    this.#at = at + 2 + Math.max(2, length);
    return { marker, begin, end: this.#at };
  }

  /**
   * Skips the entropy-coded data after a scan's header. It ends at the first marker that is not a restart (B.1.1.5).
   * @returns the end of the data: that marker, or the end of the bytes
   */
  skipData(): number {
    const bytes = this.#bytes;
    const findFf = byteFinder(bytes, 0xff);
    for (let at = findFf(this.#at); at + 1 < bytes.length; at = findFf(at + 1)) {
      const next = bytes[at + 1] ?? 0;
      if (next !== 0 && next !== 0xff && (next < RST0 || next > RST7)) {
        this.#at = at;
        return at;
      }
    }
    this.#at = bytes.length;
    return bytes.length;
  }
}

/** Bytes after FF that do not open a segment: another FF, which is a fill byte (B.1.1.2), 0, TEM, and restart markers. */
function isNoSegment(byte: number): boolean {
  return byte === 0xff || byte <= TEM || (byte >= RST0 && byte <= RST7);
}

/** A SOF segment (T.81, B.2.2). */
export interface FrameSegment {
  readonly marker: number;
  /** Bits of a sample. */
  readonly precision: number;
  readonly width: number;
  /** 0 if a DNL segment after the first scan contains it (B.2.5). */
  readonly height: number;
  readonly components: readonly FrameComponent[];
}

interface FrameComponent {
  readonly id: number;
  /** Sampling factors. */
  readonly h: number;
  readonly v: number;
  /** The number of its quantisation table. */
  readonly tableId: number;
}

const FIXED_BYTES = 6;
const COMPONENT_BYTES = 3;
const MAX_FACTOR = 4;

/** Undefined if it is damaged or incomplete. */
export function readFrameSegment(bytes: Uint8Array, { marker, begin, end }: MarkerSegment): FrameSegment | undefined {
  if (end > bytes.length || end < begin + FIXED_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint8(begin + 5);
  if (count === 0 || end - begin !== FIXED_BYTES + COMPONENT_BYTES * count) return undefined;
  const components = Array.from({ length: count }, (_, i): FrameComponent => {
    const at = begin + FIXED_BYTES + COMPONENT_BYTES * i;
    const factors = view.getUint8(at + 1);
    return { id: view.getUint8(at), h: factors >> 4, v: factors & 15, tableId: view.getUint8(at + 2) };
  });
  if (components.some(({ h, v }) => h < 1 || h > MAX_FACTOR || v < 1 || v > MAX_FACTOR)) return undefined;
  const [precision, height, width] = [view.getUint8(begin), view.getUint16(begin + 1), view.getUint16(begin + 3)];
  return { marker, precision, width, height, components };
}
