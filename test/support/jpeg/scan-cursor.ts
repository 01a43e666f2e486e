import { type HuffmanDecoder, LOOKUP_BITS } from "../../../src/media/jpeg/huffman-decoder.ts";
import { JpegDeclined } from "../../../src/media/jpeg/jpeg-declined.ts";
import type { Component, JpegFile, Scan } from "../../../src/media/jpeg/jpeg-file.ts";
import { RST0 } from "../../../src/media/jpeg/markers.ts";

/** Two of them differ by 15 bits at most, the limit of a Huffman table (libjpeg takes no more). */
const MAX_DC = 16_383;

/** The coefficients of one row of MCUs: for each component its blocks, line by line, 64 in zigzag order each. */
export type CoefficientRow = readonly Int16Array[];

/**
 * Decodes one scan, a row of MCUs at a time (T.81, F.2.2 and G.2). Every scan of a file has its own cursor, so that a progressive picture
 * needs one row of coefficients in memory and not all of them.
 */
export class ScanCursor {
  readonly #bytes: Uint8Array;
  readonly #scan: Scan;
  readonly #file: JpegFile;
  readonly #end: number;
  readonly #predictions: Int32Array;
  #at: number;
  /** Bits that were read and not used yet, the next one at the top of `#bitCount`. */
  #bits = 0;
  #bitCount = 0;
  /** Bits of `#bitCount` that stand for data after the end. */
  #padding = 0;
  #eobRun = 0;
  #mcusToRestart: number;
  #nextRestart = 0;

  constructor(bytes: Uint8Array, file: JpegFile, scan: Scan) {
    this.#bytes = bytes;
    this.#file = file;
    this.#scan = scan;
    this.#at = scan.start;
    this.#end = scan.end;
    this.#predictions = new Int32Array(file.components.length);
    this.#mcusToRestart = scan.restartInterval;
  }

  /** @throws JpegDeclined for corrupt data */
  decodeRow(row: CoefficientRow, mcuRow: number): void {
    const [only, ...others] = this.#scan.components;
    if (only !== undefined && others.length === 0) this.#decodeAlone(row, mcuRow, only.index);
    else this.#decodeInterleaved(row);
    if (this.#padding > this.#bitCount) throw new JpegDeclined("The data of a scan is cut off");
  }

  /** A.2.2: a lone component's MCU is one block, and only blocks that hold samples exist. */
  #decodeAlone(row: CoefficientRow, mcuRow: number, index: number): void {
    const component = this.#file.components[index] as Component;
    const target = row[index] as Int16Array;
    const lines = Math.min(component.v, component.blockLines - mcuRow * component.v);
    for (let line = 0; line < lines; line++) {
      let at = line * component.paddedBlocksPerLine * 64;
      for (let block = 0; block < component.blocksPerLine; block++, at += 64) {
        this.#restartIfDue();
        this.#decodeBlock(target, at, 0);
      }
    }
  }

  /** A.2.3 */
  #decodeInterleaved(row: CoefficientRow): void {
    const { components } = this.#scan;
    for (let mcu = 0; mcu < this.#file.mcusPerLine; mcu++) {
      this.#restartIfDue();
      for (let place = 0; place < components.length; place++) {
        const index = components[place]?.index ?? 0;
        const { h, v, paddedBlocksPerLine } = this.#file.components[index] as Component;
        const target = row[index] as Int16Array;
        for (let line = 0; line < v; line++) {
          let at = (line * paddedBlocksPerLine + mcu * h) * 64;
          for (let block = 0; block < h; block++, at += 64) this.#decodeBlock(target, at, place);
        }
      }
    }
  }

  #decodeBlock(target: Int16Array, at: number, place: number): void {
    const { ss, ah, al, progressive, components } = this.#scan;
    const { dc, ac } = components[place] as Scan["components"][number];
    if (!progressive) {
      this.#decodeDc(target, at, place, dc as HuffmanDecoder, 0);
      this.#decodeSequentialAc(target, at, ac as HuffmanDecoder);
    } else if (ss === 0) {
      if (ah === 0) this.#decodeDc(target, at, place, dc as HuffmanDecoder, al);
      else if (this.#readBits(1) === 1) target[at] = (target[at] ?? 0) | (1 << al);
    } else if (ah === 0) {
      this.#decodeAcFirst(target, at, ac as HuffmanDecoder);
    } else {
      this.#decodeAcRefinement(target, at, ac as HuffmanDecoder);
    }
  }

  /** F.2.2.1, G.1.2.1 */
  #decodeDc(target: Int16Array, at: number, place: number, table: HuffmanDecoder, al: number): void {
    const size = this.#readSymbol(table);
    if (size > 15) throw new JpegDeclined("A DC difference is too large");
    if (size > 0) this.#predictions[place] = (this.#predictions[place] ?? 0) + this.#readSigned(size);
    const value = (this.#predictions[place] ?? 0) << al;
    if (value < -MAX_DC || value > MAX_DC) throw new JpegDeclined("A DC coefficient is too large");
    target[at] = value;
  }

  /** F.2.2.2 */
  #decodeSequentialAc(target: Int16Array, at: number, table: HuffmanDecoder): void {
    for (let k = 1; k < 64; k++) {
      const symbol = this.#readSymbol(table);
      const size = symbol & 15;
      if (size === 0) {
        if (symbol !== 0xf0) return;
        k += 15;
        continue;
      }
      k += symbol >> 4;
      if (k > 63) throw new JpegDeclined("A run leaves its block");
      target[at + k] = this.#readSigned(size);
    }
  }

  /** G.1.2.2 */
  #decodeAcFirst(target: Int16Array, at: number, table: HuffmanDecoder): void {
    if (this.#eobRun > 0) {
      this.#eobRun -= 1;
      return;
    }
    const { ss, se, al } = this.#scan;
    for (let k = ss; k <= se; k++) {
      const symbol = this.#readSymbol(table);
      const run = symbol >> 4;
      const size = symbol & 15;
      if (size > 0) {
        k += run;
        if (k > se) throw new JpegDeclined("A run leaves its band");
        if (size + al > 15) throw new JpegDeclined("A coefficient is too large");
        target[at + k] = this.#readSigned(size) << al;
      } else if (run === 15) {
        k += 15;
      } else {
        this.#eobRun = (1 << run) - 1 + (run > 0 ? this.#readBits(run) : 0);
        return;
      }
    }
  }

  /** G.1.2.3, figure G.7 */
  #decodeAcRefinement(target: Int16Array, at: number, table: HuffmanDecoder): void {
    const { ss, se, al } = this.#scan;
    const bit = 1 << al;
    let k = ss;
    if (this.#eobRun === 0) {
      for (; k <= se; k++) {
        const symbol = this.#readSymbol(table);
        let run = symbol >> 4;
        let value = 0;
        const size = symbol & 15;
        if (size === 1) {
          value = this.#readBits(1) === 1 ? bit : -bit;
        } else if (size !== 0) {
          throw new JpegDeclined("A refinement adds more than a bit");
        } else if (run < 15) {
          this.#eobRun = (1 << run) + (run > 0 ? this.#readBits(run) : 0);
          break;
        }
        for (; k <= se; k++) {
          if (target[at + k] !== 0) {
            this.#refine(target, at + k, bit);
          } else {
            if (run === 0) break;
            run -= 1;
          }
        }
        if (value !== 0) {
          if (k > se) throw new JpegDeclined("A run leaves its band");
          target[at + k] = value;
        }
      }
    }
    if (this.#eobRun === 0) return;
    for (; k <= se; k++) if (target[at + k] !== 0) this.#refine(target, at + k, bit);
    this.#eobRun -= 1;
  }

  #refine(target: Int16Array, at: number, bit: number): void {
    if (this.#readBits(1) === 0) return;
    const value = target[at] ?? 0;
    if ((value & bit) === 0) target[at] = value < 0 ? value - bit : value + bit;
  }

  /** F.2.2.3 */
  #readSymbol(table: HuffmanDecoder): number {
    if (this.#bitCount < 16) this.#fill();
    const entry = table.lookup[(this.#bits >>> (this.#bitCount - LOOKUP_BITS)) & ((1 << LOOKUP_BITS) - 1)] ?? 0;
    if (entry !== 0) {
      this.#bitCount -= entry >> 8;
      return entry & 255;
    }
    const next = (this.#bits >>> (this.#bitCount - 16)) & 0xffff;
    for (let length = LOOKUP_BITS + 1; length <= 16; length++) {
      if (next >= (table.limits[length] ?? 0)) continue;
      this.#bitCount -= length;
      return table.symbols[(next >> (16 - length)) + (table.offsets[length] ?? 0)] ?? 0;
    }
    throw new JpegDeclined("No such Huffman code");
  }

  /** F.2.2.1, EXTEND, for 1 to 15 bits. */
  #readSigned(size: number): number {
    const value = this.#readBits(size);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  #readBits(count: number): number {
    if (this.#bitCount < count) this.#fill();
    this.#bitCount -= count;
    return (this.#bits >>> this.#bitCount) & ((1 << count) - 1);
  }

  /** Reads at least 25 bits. Zeros follow the end, and their number is noted. */
  #fill(): void {
    const bytes = this.#bytes;
    while (this.#bitCount <= 24) {
      let byte = 0;
      if (this.#at < this.#end) {
        byte = bytes[this.#at] ?? 0;
        if (byte !== 0xff) {
          this.#at += 1;
        } else if (bytes[this.#at + 1] === 0) {
          this.#at += 2;
        } else {
          byte = 0;
          this.#padding += 8;
        }
      } else {
        this.#padding += 8;
      }
      this.#bits = (this.#bits << 8) | byte;
      this.#bitCount += 8;
    }
  }

  /** E.2.4 */
  #restartIfDue(): void {
    if (this.#scan.restartInterval === 0) return;
    if (this.#mcusToRestart > 0) {
      this.#mcusToRestart -= 1;
      return;
    }
    if (this.#padding > this.#bitCount) throw new JpegDeclined("The data of a restart interval is cut off");
    this.#skipToMarker();
    this.#predictions.fill(0);
    this.#eobRun = 0;
    this.#mcusToRestart = this.#scan.restartInterval - 1;
  }

  #skipToMarker(): void {
    // Unread whole bytes, read before the marker was found.
    if (this.#bitCount - this.#padding >= 8) throw new JpegDeclined("Data before a restart marker was not read");
    let at = this.#at;
    while (this.#bytes[at] === 0xff && this.#bytes[at + 1] === 0xff) at += 1;
    if (at + 2 > this.#end || this.#bytes[at] !== 0xff || this.#bytes[at + 1] !== RST0 + this.#nextRestart) {
      throw new JpegDeclined("A restart marker is missing");
    }
    this.#at = at + 2;
    this.#nextRestart = (this.#nextRestart + 1) & 7;
    this.#bits = 0;
    this.#bitCount = 0;
    this.#padding = 0;
  }
}
