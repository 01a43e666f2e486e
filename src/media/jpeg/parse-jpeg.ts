import { type Frame, readFrameHeader } from "./frame-header.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Component, JpegFile, Scan, ScanComponent } from "./jpeg-file.ts";
import { APP0, APP15, COM, DAC, DHT, DNL, DQT, DRI, EOI, isFrameMarker, RST0, RST7, SOI, SOS, TEM } from "./markers.ts";
import { MetadataReader } from "./metadata-reader.ts";
import { SegmentReader } from "./segment-reader.ts";
import { TablesInForce } from "./tables-in-force.ts";

export interface Limits {
  readonly maxPixels: number;
  readonly maxScans: number;
  /** Blocks that all scans together may visit. */
  readonly maxScanBlocks: number;
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
  readonly #reader: SegmentReader;
  readonly #limits: Limits;
  readonly #tables: TablesInForce;
  readonly #metadata = new MetadataReader();
  readonly #scans: Scan[] = [];
  #restartInterval = 0;
  #scanBlocks = 0;
  #frame: Frame | undefined;

  constructor(bytes: Uint8Array, limits: Limits) {
    this.#bytes = bytes;
    this.#reader = new SegmentReader(bytes);
    this.#limits = limits;
    this.#tables = new TablesInForce(this.#reader);
  }

  parse(): JpegFile {
    if (this.#reader.uint8(0) !== 0xff || this.#reader.uint8(1) !== SOI) throw new JpegDeclined("No SOI");
    for (let at = 2; ; ) {
      if (this.#reader.uint8(at) !== 0xff) throw new JpegDeclined("A marker is missing");
      const marker = this.#reader.uint8(at + 1);
      if (marker === 0xff) at += 1;
      else if (marker === EOI) return this.#finish(at + 2);
      else if (marker === TEM || (marker >= RST0 && marker <= RST7)) at += 2;
      else at = this.#segment(marker, at + 2);
    }
  }

  /** @returns where the next marker is */
  #segment(marker: number, at: number): number {
    const length = this.#reader.uint16(at);
    const end = at + length;
    if (length < 2 || end > this.#bytes.length) throw new JpegDeclined("A segment is cut off");
    const content = at + 2;
    if (marker === SOS) return this.#scan(content, end);
    if (marker === DQT) this.#tables.readQuantisation(content, end);
    else if (marker === DHT) this.#tables.readHuffman(content, end);
    else if (marker === DRI) this.#restartInterval = this.#reader.uint16(content);
    else if (marker === DAC || marker === DNL) throw new JpegDeclined("Arithmetic coding or DNL");
    else if (isFrameMarker(marker)) this.#readFrame(marker, content, end);
    else if (marker < APP0 || (marker > APP15 && marker !== COM)) throw new JpegDeclined("A reserved marker");
    // Decoders know colours and orientation when they come to the first scan; what follows it says nothing.
    else if (this.#scans.length === 0) this.#metadata.read(marker, this.#bytes.subarray(content, end));
    return end;
  }

  #readFrame(marker: number, at: number, end: number): void {
    if (this.#frame !== undefined) throw new JpegDeclined("A second frame");
    this.#frame = readFrameHeader(this.#reader, { marker, at, end }, this.#limits.maxPixels);
  }

  /** B.2.3. @returns where the next marker is */
  #scan(at: number, end: number): number {
    const frame = this.#frame;
    if (frame === undefined) throw new JpegDeclined("A scan before the frame");
    if (this.#scans.length === this.#limits.maxScans) throw new JpegDeclined("Too many scans");
    const count = this.#reader.uint8(at);
    if (count < 1 || count > frame.components.length || end - at !== 4 + 2 * count)
      throw new JpegDeclined("A scan header is damaged");
    const [ss, se, approximation] = [
      this.#reader.uint8(end - 3),
      this.#reader.uint8(end - 2),
      this.#reader.uint8(end - 1),
    ];
    const [ah, al] = [approximation >> 4, approximation & 15];
    const { progressive } = frame;
    if (progressive ? !isProgressiveScan(count, ss, se, ah, al) : ss !== 0 || se !== 63 || approximation !== 0) {
      throw new JpegDeclined("A scan header is damaged");
    }
    const components = Array.from({ length: count }, (_, i): ScanComponent => {
      const [id, tables] = [this.#reader.uint8(at + 1 + 2 * i), this.#reader.uint8(at + 2 + 2 * i)];
      const index = frame.components.findIndex((component) => component.id === id);
      const component = frame.components[index];
      if (component === undefined) throw new JpegDeclined("A scan names an unknown component");
      component.steps ??= this.#tables.steps(component.tableId);
      if (component.steps === undefined) throw new JpegDeclined("A scan lacks a table");
      frame.coverage.add(index, { ss, se, ah, al });
      return {
        index,
        dc: ss === 0 && ah === 0 ? this.#tables.dc(tables >> 4) : undefined,
        ac: se > 0 ? this.#tables.ac(tables & 15) : undefined,
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

  /** @param end where EOI ends */
  #finish(end: number): JpegFile {
    const frame = this.#frame;
    if (frame === undefined || this.#scans.length === 0) throw new JpegDeclined("No picture");
    if (!frame.coverage.isComplete) throw new JpegDeclined("Not all of the picture is there");
    const { width, height, hMax, vMax, mcusPerLine, mcuRows } = frame;
    const components = frame.components.map(({ steps, tableId: _, ...component }): Component => {
      if (steps === undefined) throw new JpegDeclined("A component has no scan");
      return { ...component, steps };
    });
    const metadata = this.#metadata.finish(components.length, this.#bytes.subarray(end));
    return { width, height, components, hMax, vMax, mcusPerLine, mcuRows, scans: this.#scans, metadata };
  }
}

/** G.1.1.1.1: a DC scan, or an AC scan of one component; a refinement adds one bit. */
function isProgressiveScan(count: number, ss: number, se: number, ah: number, al: number): boolean {
  const band = ss === 0 ? se === 0 : count === 1 && se >= ss && se <= 63;
  return band && al <= 13 && (ah === 0 || ah === al + 1);
}
