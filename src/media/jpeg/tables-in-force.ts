import { type HuffmanDecoder, makeHuffmanDecoder } from "./huffman-decoder.ts";
import { JpegDeclined } from "./jpeg-declined.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { StandardHuffmanTables } from "./standard-huffman-tables.ts";

/** The tables that a scan finds where it begins: any of them may be defined anew between two scans (T.81, B.2.4). */
export class TablesInForce {
  readonly #reader: SegmentReader;
  readonly #steps: (Uint16Array | undefined)[] = [];
  /** Where the Huffman tables begin. They are made ready only for a scan: a file may define millions. */
  readonly #dcStarts: (number | undefined)[] = [];
  readonly #acStarts: (number | undefined)[] = [];
  readonly #decoders = new Map<number, HuffmanDecoder>();
  readonly #standard = new StandardHuffmanTables();

  constructor(reader: SegmentReader) {
    this.#reader = reader;
  }

  /** Quantisation steps in zigzag order; undefined where they were not defined. */
  steps(id: number): Uint16Array | undefined {
    return this.#steps[id];
  }

  /** DQT (B.2.4.1). @throws JpegDeclined where it is damaged */
  readQuantisation(from: number, end: number): void {
    for (let at = from; at < end; ) {
      const precision = this.#reader.uint8(at) >> 4;
      const id = this.#reader.uint8(at) & 15;
      at += 1;
      if (precision > 1 || id > 3 || at + 64 * (precision + 1) > end)
        throw new JpegDeclined("A quantisation table is damaged");
      const steps = new Uint16Array(64);
      for (let k = 0; k < 64; k++, at += precision + 1) {
        // A step of 0 makes its coefficients 0, whatever the scans say of them.
        steps[k] = precision === 0 ? this.#reader.uint8(at) : this.#reader.uint16(at);
      }
      this.#steps[id] = steps;
    }
  }

  /** DHT (B.2.4.2). @throws JpegDeclined where it is damaged */
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

  /** @throws JpegDeclined where the scan's table was not defined, and there is no standard one either */
  dc(id: number, progressive: boolean): HuffmanDecoder {
    return this.#decoderAt(this.#dcStarts[id]) ?? orDecline(progressive ? undefined : this.#standard.dc(id));
  }

  /** @throws as `dc` does */
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
