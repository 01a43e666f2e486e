import { type Frame, readFrameHeader } from "./frame-header.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { Component, JpegFile, Scan, ScanComponent } from "./jpeg-file.ts";
import { type MarkerSegment, MarkerWalk } from "./marker-walk.ts";
import { APP0, APP15, COM, DAC, DHT, DNL, DQT, DRI, EOI, isFrameMarker, SOI, SOS } from "./markers.ts";
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
  return new Parser(bytes, limits, { declinesGainMaps: true }).parse();
}

/**
 * The same of the beginning of a file, for whoever only looks at it: what a progressive file brings until all of its DC coefficients are
 * there, or all that there is. Nothing is missed where scans are cut off or not there at all.
 * @param isWhole whether this is all of the file
 * @param wanted `dc`: of a progressive file no further scans are read
 * @returns undefined where more of the file is needed
 * @throws JpegDeclined as `parseJpeg` does
 */
export function parseJpegStart(
  bytes: Uint8Array,
  limits: Limits,
  { isWhole, wanted }: { readonly isWhole: boolean; readonly wanted: "dc" | "all" },
): JpegFile | undefined {
  return new Parser(bytes, limits, { declinesGainMaps: false }).parseStart(isWhole, wanted);
}

type Band = Pick<Scan, "ss" | "se" | "ah" | "al">;

/** Sequential scans have no bands (B.2.3). What they say all the same is passed over, by libjpeg too: some encoders write zeros. */
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

  constructor(bytes: Uint8Array, limits: Limits, { declinesGainMaps }: { readonly declinesGainMaps: boolean }) {
    this.#bytes = bytes;
    this.#walk = new MarkerWalk(bytes);
    this.#reader = new SegmentReader(bytes);
    this.#limits = limits;
    this.#metadata = new MetadataReader(declinesGainMaps);
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
      // The data of a scan that ends with the bytes may go on behind them.
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
    // Decoders know colours and orientation when they come to the first scan; what follows it says nothing.
    else if (isMetadata(marker) && this.#scans.length === 0)
      this.#metadata.read(marker, this.#bytes.subarray(begin, end));
    // Of DNL, and where the coding is Huffman's of DAC, libjpeg takes no notice, and with it every viewer.
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
      // As libjpeg has it, each of a scan's components stands at its own place in the frame, or behind it.
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

  /** Which coefficients a scan brings, and which of their bits. */
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

  /** A picture that is all there needs no EOI: libjpeg makes one up. Whether its last scan is, the coefficients will tell. */
  #finishWithoutEoi(): JpegFile {
    const lastScan = this.#scans.at(-1);
    if (lastScan === undefined || this.#frame?.coverage.isComplete !== true)
      throw new JpegDeclined("The file is cut off");
    return this.#finish(lastScan.end);
  }

  /** @param end where the picture ends: behind EOI, if it is there */
  #finish(end: number): JpegFile {
    if (this.#frame?.progressive === true && this.#frame.coverage.isSmoothed)
      throw new JpegDeclined("Not all of the picture is there");
    return this.#toFile(this.#bytes.subarray(end));
  }

  /** @param behind what stands behind the picture */
  #toFile(behind: Uint8Array = new Uint8Array()): JpegFile {
    const frame = this.#frame;
    if (frame === undefined || this.#scans.length === 0) throw new JpegDeclined("No picture");
    const { width, height, hMax, vMax, mcusPerLine, mcuRows } = frame;
    // A component without a scan is 0 throughout, and so any steps will do.
    const components = frame.components.map(
      ({ steps = NO_STEPS, tableId: _, scanId: __, ...component }): Component => ({ ...component, steps }),
    );
    const metadata = this.#metadata.finish(components.length, behind);
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
