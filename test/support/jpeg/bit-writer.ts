/** The test's own Huffman tables: any symbol can be coded, in 5 (DC) or 8 to 9 bits (AC). */
export interface TestTable {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

/** @param flipped assigns the codes to the symbols in reverse order */
export function testTable(kind: "dc" | "ac", flipped: boolean): TestTable {
  const counts = new Array<number>(16).fill(0);
  if (kind === "dc") counts[4] = 16;
  else [counts[7], counts[8]] = [254, 2];
  const symbols = Array.from({ length: kind === "dc" ? 16 : 256 }, (_, i) => i);
  return { counts, symbols: flipped ? symbols.reverse() : symbols };
}

/** Entropy-coded data by T.81 F.1.2.3, bit by bit. */
export class TestBitWriter {
  readonly #bytes: number[] = [];
  #byte = 0;
  #bitCount = 0;

  bits(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) {
      this.#byte = (this.#byte << 1) | ((value >> i) & 1);
      this.#bitCount += 1;
      if (this.#bitCount === 8) this.#flushByte();
    }
  }

  symbol({ symbols }: TestTable, symbol: number): void {
    const code = symbols.indexOf(symbol);
    if (symbols.length === 16) this.bits(code, 5);
    else if (code < 254) this.bits(code, 8);
    else this.bits((254 << 1) + code - 254, 9);
  }

  /** A number of this many bits; negative numbers follow T.81 F.1.2.1. */
  signed(value: number, size: number): void {
    if (size > 0) this.bits(value < 0 ? value + (1 << size) - 1 : value, size);
  }

  restart(index: number): void {
    this.#align();
    this.#bytes.push(0xff, 0xd0 + (index & 7));
  }

  finish(): Buffer {
    this.#align();
    return Buffer.from(this.#bytes);
  }

  #align(): void {
    while (this.#bitCount > 0) this.bits(1, 1);
  }

  #flushByte(): void {
    this.#bytes.push(this.#byte);
    if (this.#byte === 0xff) this.#bytes.push(0);
    this.#byte = 0;
    this.#bitCount = 0;
  }
}

export function bitLength(value: number): number {
  return 32 - Math.clz32(Math.abs(value));
}
