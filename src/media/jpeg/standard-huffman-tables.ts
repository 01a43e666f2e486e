import { type HuffmanDecoder, makeHuffmanDecoder } from "./huffman-decoder.ts";

/** T.81, K.3: for luminance (0) and chrominance (1), how many codes there are of each length, and their symbols. */
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

/** The tables of files that define none, as frames of Motion JPEG do: libjpeg, and so every browser, takes these. */
export class StandardHuffmanTables {
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
