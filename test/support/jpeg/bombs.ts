import { DHT, DQT, EOI, SOI, SOS } from "../../../src/media/jpeg/markers.ts";
import { makeSegment } from "./segments.ts";

export interface BombShape {
  readonly width: number;
  readonly height: number;
  /** AC scans; the first is DC. */
  readonly scans: readonly { readonly ss: number; readonly se: number; readonly ah: number; readonly al: number }[];
}

const BLOCKS_A_RUN = 16_384;

/**
 * A gray picture without any coefficient, as small as Huffman codes make it: one bit a block of DC, and 15 bits for every 16,384 blocks of
 * each other scan. Decoders have to walk through all blocks of all scans.
 */
export function emptyProgressive({ width, height, scans }: BombShape): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // Each table has one code, "0": a DC difference of 0, and a run of 16,384 blocks (14 more bits, all 0).
  const table = (id: number, symbol: number) => makeSegment(DHT, [id, 1, ...new Array<number>(15).fill(0), symbol]);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Buffer.concat([
    Uint8Array.of(0xff, SOI),
    makeSegment(DQT, [0, ...new Array<number>(64).fill(1)]),
    makeSegment(0xc2, [8, ...size, 1, 1, 0x11, 0]),
    table(0x00, 0x00),
    table(0x10, 0xe0),
    makeSegment(SOS, [1, 1, 0, 0, 0, 0]),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...scans.flatMap(({ ss, se, ah, al }) => [
      makeSegment(SOS, [1, 1, 0, ss, se, (ah << 4) | al]),
      Buffer.alloc(Math.ceil((Math.ceil(blocks / BLOCKS_A_RUN) * 15) / 8)),
    ]),
    Uint8Array.of(0xff, EOI),
  ]);
}

/** A gray picture whose coefficients are all -1: its data is all zeros, two bits each. */
export function fullSequential(width: number, height: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const table = (id: number, symbol: number) => makeSegment(DHT, [id, 1, ...new Array<number>(15).fill(0), symbol]);
  return Buffer.concat([
    Uint8Array.of(0xff, SOI),
    makeSegment(DQT, [0, ...new Array<number>(64).fill(255)]),
    makeSegment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]),
    table(0x00, 0x00),
    table(0x10, 0x01),
    makeSegment(SOS, [1, 1, 0, 0, 63, 0]),
    Buffer.alloc(Math.ceil((blocks * (1 + 63 * 2)) / 8)),
    Uint8Array.of(0xff, EOI),
  ]);
}

/** The file with a larger size in its frame header. */
export function withSize(jpeg: Uint8Array, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg);
  const frame = bytes.indexOf(Uint8Array.of(0xff, 0xc0));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}
