import { type HuffmanDecoder, makeHuffmanDecoder } from "./huffman-decoder.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { SegmentReader } from "./segment-reader.ts";

/** The tables that apply at the beginning of a scan. Any table may be redefined between two scans (T.81, B.2.4). */
export class TablesInForce {
  readonly #reader: SegmentReader;
  readonly #steps: (Uint16Array | undefined)[] = [];
  /** Offsets of the Huffman tables. A table is prepared only when a scan needs it, because a file may define millions. */
  readonly #dcStarts: (number | undefined)[] = [];
  readonly #acStarts: (number | undefined)[] = [];
  readonly #decoders = new Map<number, HuffmanDecoder>();
  readonly #standard = new StandardHuffmanTables();

  constructor(reader: SegmentReader) {
    this.#reader = reader;
  }

  /** Quantisation steps in zigzag order; undefined if they were not defined. */
  steps(id: number): Uint16Array | undefined {
    return this.#steps[id];
  }

  /** DQT (B.2.4.1). @throws JpegDeclined if it is damaged */
  readQuantisation(from: number, end: number): void {
    for (let at = from; at < end; ) {
      const precision = this.#reader.uint8(at) >> 4;
      const id = this.#reader.uint8(at) & 15;
      at += 1;
      if (precision > 1 || id > 3 || at + 64 * (precision + 1) > end)
        throw new JpegDeclined("A quantisation table is damaged");
      const steps = new Uint16Array(64);
      for (let k = 0; k < 64; k++, at += precision + 1) {
        // A step of 0 makes its coefficients 0.
        steps[k] = precision === 0 ? this.#reader.uint8(at) : this.#reader.uint16(at);
      }
      this.#steps[id] = steps;
    }
  }

  /** DHT (B.2.4.2). @throws JpegDeclined if it is damaged */
  readHuffman(from: number, end: number): void {
    for (let at = from; at < end; ) {
      const tableClass = this.#reader.uint8(at) >> 4;
      const id = this.#reader.uint8(at) & 15;
      const start = at + 1;
      let total = 0;
      for (at = start; at < start + 16; at++) total += this.#reader.uint8(at);
      at += total;
      if (tableClass > 1 || id > 3 || total > 256 || at > end) throw new JpegDeclined("A Huffman table is damaged");
      if (tableClass === 0) this.#dcStarts[id] = start;
      else this.#acStarts[id] = start;
    }
  }

  /** @throws JpegDeclined if the scan's table was not defined and there is no standard table */
  dc(id: number, progressive: boolean): HuffmanDecoder {
    return this.#decoderAt(this.#dcStarts[id]) ?? orDecline(progressive ? undefined : this.#standard.dc(id));
  }

  /** @throws JpegDeclined like `dc` */
  ac(id: number, progressive: boolean): HuffmanDecoder {
    return this.#decoderAt(this.#acStarts[id]) ?? orDecline(progressive ? undefined : this.#standard.ac(id));
  }

  #decoderAt(start: number | undefined): HuffmanDecoder | undefined {
    if (start === undefined) return undefined;
    const known = this.#decoders.get(start);
    if (known !== undefined) return known;
    const counts = this.#reader.bytes.subarray(start, start + 16);
    const symbols = this.#reader.bytes.subarray(start + 16, start + 16 + counts.reduce((sum, count) => sum + count, 0));
    const decoder = makeHuffmanDecoder(counts, symbols);
    this.#decoders.set(start, decoder);
    return decoder;
  }
}

function orDecline(table: HuffmanDecoder | undefined): HuffmanDecoder {
  if (table === undefined) throw new JpegDeclined("A scan lacks a table");
  return table;
}

/** T.81, K.3, for luminance (0) and chrominance (1): the number of codes of each length, and their symbols. */
const DC: readonly HexTable[] = [
  ["00010501010101010100000000000000", "000102030405060708090a0b"],
  ["00030101010101010101010000000000", "000102030405060708090a0b"],
];
const AC: readonly HexTable[] = [
  [
    "0002010303020403050504040000017d",
    "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a343536373839" +
      "3a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7" +
      "a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa",
  ],
  [
    "00020102040403040705040400010277",
    "000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738" +
      "393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5" +
      "a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa",
  ],
];

type HexTable = readonly [counts: string, symbols: string];

/** The tables of files that define none, such as frames of Motion JPEG. libjpeg, and so every browser, uses them. */
class StandardHuffmanTables {
  readonly #made = new Map<HexTable, HuffmanDecoder>();

  dc(id: number): HuffmanDecoder | undefined {
    return this.#make(DC[id]);
  }

  ac(id: number): HuffmanDecoder | undefined {
    return this.#make(AC[id]);
  }

  #make(table: HexTable | undefined): HuffmanDecoder | undefined {
    if (table === undefined) return undefined;
    const made = this.#made.get(table) ?? makeHuffmanDecoder(bytesOf(table[0]), bytesOf(table[1]));
    this.#made.set(table, made);
    return made;
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}
