import { type Frame, readFrameHeader } from "./frame-header.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Component, JpegFile, Scan, ScanComponent } from "./jpeg-file.ts";
import {
  APP0,
  APP15,
  COM,
  DAC,
  DHT,
  DNL,
  DQT,
  DRI,
  EOI,
  isFrameMarker,
  type MarkerSegment,
  MarkerWalk,
  SOI,
  SOS,
} from "./markers.ts";
import { MetadataReader } from "./metadata-reader.ts";
import { SegmentReader } from "./segment-reader.ts";
import { TablesInForce } from "./tables-in-force.ts";

export interface Limits {
  readonly maxPixels: number;
  readonly maxScans: number;
  /** The most blocks that all scans together may visit. */
  readonly maxScanBlocks: number;
}

/**
 * Reads the markers of a JPEG (T.81, annex B). Tables may change between scans, so each scan keeps the tables in force at its beginning.
 * Memory is allocated within the limits only.
 * @throws JpegDeclined if the file is damaged or the codec cannot decode it
 */
export function parseJpeg(bytes: Uint8Array, limits: Limits): JpegFile {
  return new Parser(bytes, limits, { readsAlbum: true }).parse();
}

/**
 * Reads the beginning of a file for a preview: of a progressive file up to its last DC coefficients, otherwise all of it. Missing or
 * incomplete scans are allowed.
 * @param isWhole whether these bytes are the whole file
 * @param wanted `dc`: stop after the DC scans of a progressive file
 * @returns undefined if more of the file is needed
 * @throws JpegDeclined like `parseJpeg`
 */
export function parseJpegStart(
  bytes: Uint8Array,
  limits: Limits,
  { isWhole, wanted }: { readonly isWhole: boolean; readonly wanted: "dc" | "all" },
): JpegFile | undefined {
  return new Parser(bytes, limits, { readsAlbum: false }).parseStart(isWhole, wanted);
}

type Band = Pick<Scan, "ss" | "se" | "ah" | "al">;

/** Sequential scans have no bands (B.2.3). Their fields are ignored, like in libjpeg, because some encoders write zeros. */
const WHOLE_BLOCK: Band = { ss: 0, se: 63, ah: 0, al: 0 };
const NO_STEPS = new Uint16Array(64).fill(1);

class Parser {
  readonly #bytes: Uint8Array;
  readonly #walk: MarkerWalk;
  readonly #reader: SegmentReader;
  readonly #limits: Limits;
  readonly #tables: TablesInForce;
  readonly #metadata: MetadataReader;
  readonly #scans: Scan[] = [];
  #restartInterval = 0;
  #scanBlocks = 0;
  #frame: Frame | undefined;

  constructor(bytes: Uint8Array, limits: Limits, { readsAlbum }: { readonly readsAlbum: boolean }) {
    this.#bytes = bytes;
    this.#walk = new MarkerWalk(bytes);
    this.#reader = new SegmentReader(bytes);
    this.#limits = limits;
    this.#metadata = new MetadataReader(readsAlbum);
    this.#tables = new TablesInForce(this.#reader);
  }

  parse(): JpegFile {
    if (this.#reader.uint8(0) !== 0xff || this.#reader.uint8(1) !== SOI) throw new JpegDeclined("No SOI");
    for (;;) {
      const segment = this.#walk.next();
      if (segment === undefined || segment.end > this.#bytes.length) return this.#finishWithoutEoi();
      if (segment.marker === EOI) return this.#finish(segment.end);
      this.#segment(segment);
    }
  }

  parseStart(isWhole: boolean, wanted: "dc" | "all"): JpegFile | undefined {
    if (this.#reader.uint8(0) !== 0xff || this.#reader.uint8(1) !== SOI) throw new JpegDeclined("No SOI");
    for (;;) {
      const segment = this.#walk.next();
      if (segment === undefined || segment.end > this.#bytes.length) return isWhole ? this.#toFile() : undefined;
      const { marker } = segment;
      const hasEnough = wanted === "dc" && this.#frame?.progressive === true && this.#frame.coverage.hasDc;
      if (marker === EOI || (marker === SOS && hasEnough)) return this.#toFile();
      this.#segment(segment);
      // The scan's data may continue after the available bytes.
      if (marker === SOS && !isWhole && this.#scans.at(-1)?.end === this.#bytes.length) return undefined;
    }
  }

  #segment(segment: MarkerSegment): void {
    const { marker, begin, end } = segment;
    if (marker === SOS) this.#scan(begin, end);
    else if (marker === DQT) this.#tables.readQuantisation(begin, end);
    else if (marker === DHT) this.#tables.readHuffman(begin, end);
    else if (marker === DRI) this.#readRestartInterval(begin, end);
    else if (isFrameMarker(marker)) this.#readFrame(segment);
    // Decoders determine colours and orientation at the first scan, so later segments have no effect.
    else if (isMetadata(marker) && this.#scans.length === 0)
      this.#metadata.read(marker, this.#bytes.subarray(begin, end));
    // libjpeg, and so every viewer, ignores DNL, and DAC in Huffman-coded files.
    else if (!isMetadata(marker) && marker !== DNL && marker !== DAC) throw new JpegDeclined("A reserved marker");
  }

  #readRestartInterval(at: number, end: number): void {
    if (end - at !== 2) throw new JpegDeclined("A restart interval is damaged");
    this.#restartInterval = this.#reader.uint16(at);
  }

  #readFrame(segment: MarkerSegment): void {
    if (this.#frame !== undefined) throw new JpegDeclined("A second frame");
    this.#frame = readFrameHeader(this.#bytes, segment, this.#limits.maxPixels);
  }

  /** B.2.3. */
  #scan(at: number, end: number): void {
    const frame = this.#frame;
    if (frame === undefined) throw new JpegDeclined("A scan before the frame");
    if (this.#scans.length === this.#limits.maxScans) throw new JpegDeclined("Too many scans");
    const count = this.#reader.uint8(at);
    if (count < 1 || count > frame.components.length || end - at !== 4 + 2 * count)
      throw new JpegDeclined("A scan header is damaged");
    const { progressive } = frame;
    const { ss, se, ah, al } = progressive ? this.#readBand(end - 3) : WHOLE_BLOCK;
    if (progressive && !isProgressiveScan(count, ss, se, ah, al)) throw new JpegDeclined("A scan header is damaged");
    const components = Array.from({ length: count }, (_, i): ScanComponent => {
      const [id, tables] = [this.#reader.uint8(at + 1 + 2 * i), this.#reader.uint8(at + 2 + 2 * i)];
      // Each of a scan's components is at its own place in the frame or after it, like in libjpeg.
      const index = frame.components.findIndex(({ scanId }, place) => scanId === id && place >= i);
      const component = frame.components[index];
      if (component === undefined) throw new JpegDeclined("A scan names an unknown component");
      component.steps ??= this.#tables.steps(component.tableId);
      if (component.steps === undefined) throw new JpegDeclined("A scan lacks a table");
      frame.coverage.add(index, { ss, se, ah, al });
      return {
        index,
        dc: ss === 0 && ah === 0 ? this.#tables.dc(tables >> 4, progressive) : undefined,
        ac: se > 0 ? this.#tables.ac(tables & 15, progressive) : undefined,
      };
    });
    this.#countBlocks(frame, components);
    const dataEnd = this.#walk.skipData();
    this.#scans.push({
      components,
      ss,
      se,
      ah,
      al,
      progressive,
      restartInterval: this.#restartInterval,
      start: end,
      end: dataEnd,
    });
  }

  /** The coefficients and bits that a scan contains. */
  #readBand(at: number): Band {
    const approximation = this.#reader.uint8(at + 2);
    return {
      ss: this.#reader.uint8(at),
      se: this.#reader.uint8(at + 1),
      ah: approximation >> 4,
      al: approximation & 15,
    };
  }

  #countBlocks(frame: Frame, components: readonly ScanComponent[]): void {
    for (const { index } of components) {
      const component = frame.components[index];
      if (component !== undefined) this.#scanBlocks += component.paddedBlocksPerLine * frame.mcuRows * component.v;
    }
    if (this.#scanBlocks > this.#limits.maxScanBlocks) throw new JpegDeclined("Too much work");
  }

  /** A complete picture needs no EOI: libjpeg adds one. Decoding shows whether its last scan is complete. */
  #finishWithoutEoi(): JpegFile {
    const lastScan = this.#scans.at(-1);
    if (lastScan === undefined || this.#frame?.coverage.isComplete !== true)
      throw new JpegDeclined("The file is cut off");
    return this.#finish(lastScan.end);
  }

  /** @param end of the picture: after EOI, if it exists */
  #finish(end: number): JpegFile {
    if (this.#frame?.progressive === true && this.#frame.coverage.isSmoothed)
      throw new JpegDeclined("Not all of the picture is there");
    return this.#toFile(this.#bytes.subarray(end));
  }

  /** @param rest bytes after the picture */
  #toFile(rest: Uint8Array = new Uint8Array()): JpegFile {
    const frame = this.#frame;
    if (frame === undefined || this.#scans.length === 0) throw new JpegDeclined("No picture");
    const { width, height, hMax, vMax, mcusPerLine, mcuRows } = frame;
    // A component without a scan is 0 everywhere, so any steps will do.
    const components = frame.components.map(
      ({ steps = NO_STEPS, tableId: _, scanId: __, ...component }): Component => ({ ...component, steps }),
    );
    const metadata = this.#metadata.finish(components.length, rest);
    return { width, height, components, hMax, vMax, mcusPerLine, mcuRows, scans: this.#scans, metadata };
  }
}

function isMetadata(marker: number): boolean {
  return (marker >= APP0 && marker <= APP15) || marker === COM;
}

/** G.1.1.1.1: a DC scan, or an AC scan of one component; a refinement adds one bit. */
function isProgressiveScan(count: number, ss: number, se: number, ah: number, al: number): boolean {
  const band = ss === 0 ? se === 0 : count === 1 && se >= ss && se <= 63;
  return band && al <= 13 && (ah === 0 || ah === al + 1);
}
