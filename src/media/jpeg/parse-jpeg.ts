import { readOrientation } from "../dimensions/exif-orientation.ts";
import { type HuffmanDecoder, makeHuffmanDecoder } from "./huffman-decoder.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Component, JpegFile, Metadata, Scan, ScanComponent } from "./jpeg-file.ts";
import {
  APP0,
  APP1,
  APP2,
  APP14,
  APP15,
  COM,
  DAC,
  DHT,
  DNL,
  DQT,
  DRI,
  EOI,
  isFrameMarker,
  RST0,
  RST7,
  SOF0,
  SOF1,
  SOF2,
  SOI,
  SOS,
  TEM,
} from "./markers.ts";
import { ScanCoverage } from "./scan-coverage.ts";

/** Where libjpeg, and with it every viewer, stops. */
const MAX_SIDE = 65_500;
/** A shorter one is not taken for JFIF (JFIF 1.02). */
const JFIF_BYTES = 14;
/** Segments of an ICC profile are numbered with one byte (ICC.1, B.4). */
const MAX_ICC_SEGMENTS = 255;

export interface Limits {
  readonly maxPixels: number;
  readonly maxScans: number;
  /** Blocks that all scans together may visit. */
  readonly maxScanBlocks: number;
}

interface Frame {
  readonly progressive: boolean;
  readonly coverage: ScanCoverage;
  readonly width: number;
  readonly height: number;
  readonly hMax: number;
  readonly vMax: number;
  readonly mcusPerLine: number;
  readonly mcuRows: number;
  readonly components: (Omit<Component, "steps"> & { readonly tableId: number; steps: Uint16Array | undefined })[];
}

/**
 * Reads the markers of a JPEG (T.81, annex B). Tables may change between scans, so each scan keeps those in force where it
 * begins; nothing is allocated that the limits do not allow.
 * @throws JpegDeclined for what the codec does not decode, and for what is damaged
 */
export function parseJpeg(bytes: Uint8Array, limits: Limits): JpegFile {
  return new Parser(bytes, limits).parse();
}

class Parser {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #limits: Limits;
  readonly #steps: (Uint16Array | undefined)[] = [];
  /** Where the Huffman tables in force begin. They are made ready only for a scan: a file may define millions. */
  readonly #dc: (number | undefined)[] = [];
  readonly #ac: (number | undefined)[] = [];
  readonly #decoders = new Map<number, HuffmanDecoder>();
  readonly #scans: Scan[] = [];
  readonly #iccSegments: Uint8Array[] = [];
  #restartInterval = 0;
  #scanBlocks = 0;
  #frame: Frame | undefined;
  #density: Uint8Array | undefined;
  #orientation: number | undefined;
  #adobeTransform: number | undefined;

  constructor(bytes: Uint8Array, limits: Limits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limits = limits;
  }

  parse(): JpegFile {
    if (this.#byte(0) !== 0xff || this.#byte(1) !== SOI) throw new JpegDeclined("No SOI");
    for (let at = 2; ; ) {
      if (this.#byte(at) !== 0xff) throw new JpegDeclined("A marker is missing");
      const marker = this.#byte(at + 1);
      if (marker === 0xff) at += 1;
      else if (marker === EOI) return this.#finish();
      else if (marker === TEM || (marker >= RST0 && marker <= RST7)) at += 2;
      else at = this.#segment(marker, at + 2);
    }
  }

  /** @returns where the next marker is */
  #segment(marker: number, at: number): number {
    const length = this.#uint16(at);
    const end = at + length;
    if (length < 2 || end > this.#bytes.length) throw new JpegDeclined("A segment is cut off");
    const content = at + 2;
    if (marker === SOS) return this.#scan(content, end);
    if (marker === DQT) this.#quantisation(content, end);
    else if (marker === DHT) this.#huffman(content, end);
    else if (marker === DRI) this.#restartInterval = this.#uint16(content);
    else if (marker === DAC || marker === DNL) throw new JpegDeclined("Arithmetic coding or DNL");
    else if (isFrameMarker(marker)) this.#readFrame(marker, content, end);
    else if (marker < APP0 || (marker > APP15 && marker !== COM)) throw new JpegDeclined("A reserved marker");
    // Decoders know colours and orientation when they come to the first scan; what follows it says nothing.
    else if (this.#scans.length === 0) this.#application(marker, content, end);
    return end;
  }

  #application(marker: number, at: number, end: number): void {
    const content = this.#bytes.subarray(at, end);
    if (marker === APP0 && startsWith(content, "JFIF\0") && content.length >= JFIF_BYTES)
      this.#density = content.subarray(7, 12);
    // Viewers heed the first of several.
    else if (marker === APP1) this.#orientation ??= readOrientation(this.#view, at, end - at);
    else if (marker === APP2 && startsWith(content, "ICC_PROFILE\0")) {
      if (this.#iccSegments.length === MAX_ICC_SEGMENTS) throw new JpegDeclined("Too many segments of a profile");
      this.#iccSegments.push(content);
    } else if (marker === APP14 && startsWith(content, "Adobe") && content.length >= 12)
      this.#adobeTransform = content[11];
  }

  /** B.2.4.1 */
  #quantisation(from: number, end: number): void {
    for (let at = from; at < end; ) {
      const precision = this.#byte(at) >> 4;
      const id = this.#byte(at) & 15;
      at += 1;
      if (precision > 1 || id > 3 || at + 64 * (precision + 1) > end)
        throw new JpegDeclined("A quantisation table is damaged");
      const steps = new Uint16Array(64);
      for (let k = 0; k < 64; k++, at += precision + 1) {
        const step = precision === 0 ? this.#byte(at) : this.#uint16(at);
        if (step === 0) throw new JpegDeclined("A quantisation step is 0");
        steps[k] = step;
      }
      this.#steps[id] = steps;
    }
  }

  /** B.2.4.2 */
  #huffman(from: number, end: number): void {
    for (let at = from; at < end; ) {
      const tableClass = this.#byte(at) >> 4;
      const id = this.#byte(at) & 15;
      const start = at + 1;
      let total = 0;
      for (at = start; at < start + 16; at++) total += this.#byte(at);
      at += total;
      if (tableClass > 1 || id > 3 || total > 256 || at > end) throw new JpegDeclined("A Huffman table is damaged");
      if (tableClass === 0) this.#dc[id] = start;
      else this.#ac[id] = start;
    }
  }

  #decoderAt(start: number | undefined): HuffmanDecoder {
    if (start === undefined) throw new JpegDeclined("A scan lacks a table");
    const known = this.#decoders.get(start);
    if (known !== undefined) return known;
    const counts = this.#bytes.subarray(start, start + 16);
    const symbols = this.#bytes.subarray(start + 16, start + 16 + counts.reduce((sum, count) => sum + count, 0));
    const decoder = makeHuffmanDecoder(counts, symbols);
    this.#decoders.set(start, decoder);
    return decoder;
  }

  /** B.2.2 */
  #readFrame(marker: number, at: number, end: number): void {
    if (marker !== SOF0 && marker !== SOF1 && marker !== SOF2) throw new JpegDeclined("Not a Huffman-coded DCT frame");
    if (this.#frame !== undefined) throw new JpegDeclined("A second frame");
    const height = this.#uint16(at + 1);
    const width = this.#uint16(at + 3);
    const count = this.#byte(at + 5);
    if (this.#byte(at) !== 8) throw new JpegDeclined("Not 8 bits a sample");
    if (width === 0 || height === 0 || count < 1 || count > 4 || end - at !== 6 + 3 * count) {
      throw new JpegDeclined("The frame header is damaged");
    }
    if (width > MAX_SIDE || height > MAX_SIDE || width * height > this.#limits.maxPixels)
      throw new JpegDeclined("Too many pixels");
    const factors = Array.from({ length: count }, (_, i) => {
      const place = at + 6 + 3 * i;
      const [id, sampling, tableId] = [this.#byte(place), this.#byte(place + 1), this.#byte(place + 2)];
      const [h, v] = [sampling >> 4, sampling & 15];
      if (h < 1 || h > 4 || v < 1 || v > 4 || tableId > 3) throw new JpegDeclined("The frame header is damaged");
      return { id, h, v, tableId };
    });
    if (new Set(factors.map(({ id }) => id)).size !== count) throw new JpegDeclined("Two components have one id");
    const hMax = Math.max(...factors.map(({ h }) => h));
    const vMax = Math.max(...factors.map(({ v }) => v));
    if (factors.some(({ h, v }) => hMax % h !== 0 || vMax % v !== 0)) throw new JpegDeclined("Fractional sampling");
    const mcusPerLine = Math.ceil(width / (8 * hMax));
    const mcuRows = Math.ceil(height / (8 * vMax));
    const components = factors.map((factor) => ({
      ...factor,
      blocksPerLine: Math.ceil(Math.ceil((width * factor.h) / hMax) / 8),
      blockLines: Math.ceil(Math.ceil((height * factor.v) / vMax) / 8),
      paddedBlocksPerLine: mcusPerLine * factor.h,
      steps: undefined,
    }));
    const coverage = new ScanCoverage(count);
    this.#frame = {
      progressive: marker === SOF2,
      coverage,
      width,
      height,
      hMax,
      vMax,
      mcusPerLine,
      mcuRows,
      components,
    };
  }

  /** B.2.3. @returns where the next marker is */
  #scan(at: number, end: number): number {
    const frame = this.#frame;
    if (frame === undefined) throw new JpegDeclined("A scan before the frame");
    if (this.#scans.length === this.#limits.maxScans) throw new JpegDeclined("Too many scans");
    const count = this.#byte(at);
    if (count < 1 || count > frame.components.length || end - at !== 4 + 2 * count)
      throw new JpegDeclined("A scan header is damaged");
    const [ss, se, approximation] = [this.#byte(end - 3), this.#byte(end - 2), this.#byte(end - 1)];
    const [ah, al] = [approximation >> 4, approximation & 15];
    const { progressive } = frame;
    if (progressive ? !isProgressiveScan(count, ss, se, ah, al) : ss !== 0 || se !== 63 || approximation !== 0) {
      throw new JpegDeclined("A scan header is damaged");
    }
    const components = Array.from({ length: count }, (_, i): ScanComponent => {
      const [id, tables] = [this.#byte(at + 1 + 2 * i), this.#byte(at + 2 + 2 * i)];
      const index = frame.components.findIndex((component) => component.id === id);
      const component = frame.components[index];
      if (component === undefined) throw new JpegDeclined("A scan names an unknown component");
      component.steps ??= this.#steps[component.tableId];
      if (component.steps === undefined) throw new JpegDeclined("A scan lacks a table");
      frame.coverage.add(index, { ss, se, ah, al });
      return {
        index,
        dc: ss === 0 && ah === 0 ? this.#decoderAt(this.#dc[tables >> 4]) : undefined,
        ac: se > 0 ? this.#decoderAt(this.#ac[tables & 15]) : undefined,
      };
    });
    if (new Set(components.map(({ index }) => index)).size !== count)
      throw new JpegDeclined("A scan names a component twice");
    this.#countBlocks(frame, components);
    const start = end;
    const dataEnd = this.#findDataEnd(start);
    this.#scans.push({
      components,
      ss,
      se,
      ah,
      al,
      progressive,
      restartInterval: this.#restartInterval,
      start,
      end: dataEnd,
    });
    return dataEnd;
  }

  #countBlocks(frame: Frame, components: readonly ScanComponent[]): void {
    for (const { index } of components) {
      const component = frame.components[index];
      if (component !== undefined) this.#scanBlocks += component.paddedBlocksPerLine * frame.mcuRows * component.v;
    }
    if (this.#scanBlocks > this.#limits.maxScanBlocks) throw new JpegDeclined("Too much work");
  }

  /** Entropy-coded data ends at the first marker that is not a restart (B.1.1.5). */
  #findDataEnd(start: number): number {
    for (let at = this.#bytes.indexOf(0xff, start); at !== -1; at = this.#bytes.indexOf(0xff, at + 1)) {
      const next = this.#bytes[at + 1];
      if (next === undefined) break;
      if (next !== 0 && next !== 0xff && (next < RST0 || next > RST7)) return at;
    }
    throw new JpegDeclined("The data is cut off");
  }

  #finish(): JpegFile {
    const frame = this.#frame;
    if (frame === undefined || this.#scans.length === 0) throw new JpegDeclined("No picture");
    if (!frame.coverage.isComplete) throw new JpegDeclined("Not all of the picture is there");
    const { width, height, hMax, vMax, mcusPerLine, mcuRows } = frame;
    const components = frame.components.map(({ steps, tableId: _, ...component }): Component => {
      if (steps === undefined) throw new JpegDeclined("A component has no scan");
      return { ...component, steps };
    });
    const metadata: Metadata = {
      density: this.#density,
      iccSegments: this.#iccSegments,
      orientation: this.#orientation ?? 1,
      adobeTransform: plainTransform(this.#adobeTransform, components.length),
    };
    return { width, height, components, hMax, vMax, mcusPerLine, mcuRows, scans: this.#scans, metadata };
  }

  #byte(at: number): number {
    const byte = this.#bytes[at];
    if (byte === undefined) throw new JpegDeclined("The file is cut off");
    return byte;
  }

  #uint16(at: number): number {
    return (this.#byte(at) << 8) | this.#byte(at + 1);
  }
}

/** G.1.1.1.1: a DC scan, or an AC scan of one component; a refinement adds one bit. */
function isProgressiveScan(count: number, ss: number, se: number, ah: number, al: number): boolean {
  const band = ss === 0 ? se === 0 : count === 1 && se >= ss && se <= 63;
  return band && al <= 13 && (ah === 0 || ah === al + 1);
}

/** Adobe's TN 5116 knows 0, 1 (YCbCr) and 2 (YCCK). Decoders take any other for the one that fits, with a warning. */
function plainTransform(transform: number | undefined, components: number): number | undefined {
  if (transform === undefined || transform === 0) return transform;
  return components === 4 ? 2 : 1;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false;
  return true;
}
