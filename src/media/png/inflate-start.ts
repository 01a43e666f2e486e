// biome-ignore-all lint/style/noNonNullAssertion: every index is within its table, and these loops run for each byte

/** What the beginning of packed data unpacks to. */
export interface InflatedStart {
  /** As many as were asked for, or as there are in front of what ended it. */
  readonly bytes: Uint8Array;
  /** `input`: the packed bytes ended before. `data`: there is no more, or what follows is damaged. */
  readonly endedBy: "wanted" | "input" | "data";
}

const MAX_CODE_BITS = 15;
const END_OF_BLOCK = 256;
/** RFC 1951, 3.2.5: the least length or distance of each symbol, and how many more bits tell the rest. */
const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258]; // biome-ignore format: a table
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]; // biome-ignore format: a table
const DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577]; // biome-ignore format: a table
/** RFC 1951, 3.2.7: in this order come the lengths of the codes of which the codes' lengths are written. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Ends the work: thrown and caught here alone. */
class Ended extends Error {
  readonly by: "input" | "data";

  constructor(by: "input" | "data") {
    super(by);
    this.by = by;
  }
}

/**
 * Unpacks the beginning of a zlib stream (RFC 1950, RFC 1951). zlib itself gives nothing of a stream that is damaged
 * further on, while browsers show what stands in front of the damage. Checksums are not looked at.
 * @param wanted bytes at most; the work and the memory are bounded by them and by the packed bytes
 */
export function inflateStart(packed: Uint8Array, wanted: number): InflatedStart {
  const inflater = new Inflater(packed, wanted);
  try {
    inflater.run();
    return { bytes: inflater.output, endedBy: "wanted" };
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    return { bytes: inflater.output, endedBy: error.by };
  }
}

/** Symbols in the order of their codes, and how many codes there are of each length. */
interface Codes {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

class Inflater {
  readonly #packed: Uint8Array;
  readonly #output: Uint8Array;
  #length = 0;
  #at = 0;
  #bits = 0;
  #bitCount = 0;

  constructor(packed: Uint8Array, wanted: number) {
    this.#packed = packed;
    this.#output = new Uint8Array(wanted);
  }

  get output(): Uint8Array {
    return this.#output.subarray(0, this.#length);
  }

  get #isFull(): boolean {
    return this.#length === this.#output.length;
  }

  run(): void {
    const header = (this.#read(8) << 8) | this.#read(8);
    const isDeflate = (header & 0x0f00) === 0x0800 && header >> 12 <= 7;
    const hasDictionary = (header & 0x20) !== 0;
    if (!isDeflate || hasDictionary || header % 31 !== 0) throw new Ended("data");
    for (let isLast = false; !this.#isFull; ) {
      if (isLast) throw new Ended("data");
      isLast = this.#read(1) === 1;
      this.#block(this.#read(2));
    }
  }

  #block(type: number): void {
    if (type === 0) this.#stored();
    else if (type === 1) this.#coded(FIXED_LITERALS, FIXED_DISTANCES);
    else if (type === 2) this.#coded(...this.#readCodes());
    else throw new Ended("data");
  }

  /** RFC 1951, 3.2.4. */
  #stored(): void {
    this.#bits = 0;
    this.#bitCount = 0;
    const [length, complement] = [this.#read(16), this.#read(16)];
    if (length !== (~complement & 0xffff)) throw new Ended("data");
    const bytes = this.#packed.subarray(this.#at, this.#at + Math.min(length, this.#output.length - this.#length));
    this.#output.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#at += bytes.length;
    if (!this.#isFull && bytes.length < length) throw new Ended("input");
  }

  #coded(literals: Codes, distances: Codes): void {
    while (!this.#isFull) {
      const symbol = this.#symbol(literals);
      if (symbol === END_OF_BLOCK) return;
      if (symbol < END_OF_BLOCK) this.#output[this.#length++] = symbol;
      else this.#repeat(symbol - END_OF_BLOCK - 1, distances);
    }
  }

  #repeat(lengthSymbol: number, distances: Codes): void {
    if (lengthSymbol >= LENGTHS.length) throw new Ended("data");
    const length = LENGTHS[lengthSymbol]! + this.#read(LENGTH_BITS[lengthSymbol]!);
    const symbol = this.#symbol(distances);
    if (symbol >= DISTANCES.length) throw new Ended("data");
    const distance = DISTANCES[symbol]! + this.#read(Math.max(0, (symbol >> 1) - 1));
    if (distance > this.#length) throw new Ended("data");
    const end = Math.min(this.#output.length, this.#length + length);
    // One by one: a repetition may reach into what it is being copied to.
    for (let at = this.#length; at < end; at++) this.#output[at] = this.#output[at - distance]!;
    this.#length = end;
  }

  /** RFC 1951, 3.2.7. */
  #readCodes(): [literals: Codes, distances: Codes] {
    const [literalCount, distanceCount, lengthCount] = [257 + this.#read(5), 1 + this.#read(5), 4 + this.#read(4)];
    const lengthsOfLengths = new Uint8Array(CODE_LENGTH_ORDER.length);
    for (const place of CODE_LENGTH_ORDER.slice(0, lengthCount)) lengthsOfLengths[place] = this.#read(3);
    const codes = makeCodes(lengthsOfLengths);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let at = 0; at < lengths.length; ) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      if (symbol === 16 && at === 0) throw new Ended("data");
      const repeated = symbol === 16 ? lengths[at - 1]! : 0;
      const times = symbol === 16 ? 3 + this.#read(2) : symbol === 17 ? 3 + this.#read(3) : 11 + this.#read(7);
      if (at + times > lengths.length) throw new Ended("data");
      lengths.fill(repeated, at, at + times);
      at += times;
    }
    if (lengths[END_OF_BLOCK] === 0) throw new Ended("data");
    return [makeCodes(lengths.subarray(0, literalCount)), makeCodes(lengths.subarray(literalCount))];
  }

  /** Bit by bit: codes of one length follow one another as numbers. */
  #symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let bits = 1; bits <= MAX_CODE_BITS; bits++) {
      code |= this.#read(1);
      const count = counts[bits]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Ended("data");
  }

  /** Low bits come first. */
  #read(count: number): number {
    while (this.#bitCount < count) {
      if (this.#at === this.#packed.length) throw new Ended("input");
      this.#bits |= this.#packed[this.#at++]! << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }
}

/** @throws Ended where more codes are said to be there than fit their lengths */
function makeCodes(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  let left = 1;
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++) {
    left = 2 * left - counts[bits]!;
    if (left < 0) throw new Ended("data");
  }
  const next = new Uint16Array(MAX_CODE_BITS + 2);
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++) next[bits + 1] = next[bits]! + counts[bits]!;
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) if (length > 0) symbols[next[length]!++] = symbol;
  return { counts, symbols };
}

/** RFC 1951, 3.2.6. */
const FIXED_LITERALS = makeCodes(
  Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
);
const FIXED_DISTANCES = makeCodes(new Uint8Array(30).fill(5));
