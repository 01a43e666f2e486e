import { DHT, DQT, EOI, SOI, SOS } from "../../../src/media/jpeg/markers.ts";
import { makeSegment } from "./segments.ts";

export interface OneBlockScan {
  readonly ss: number;
  readonly se: number;
  readonly ah?: number;
  readonly al?: number;
  /** The symbol of the code "0" in the DC table, and in the AC table. */
  readonly dc?: number;
  readonly ac?: number;
  /** The scan's data: 0s and 1s. */
  readonly bits: string;
}

/** A gray JPEG of 8 x 8 pixels whose scans are written bit by bit, for data that no encoder writes. */
export function oneBlockJpeg(frameMarker: number, scans: readonly OneBlockScan[]): Buffer {
  const table = (id: number, symbol: number) => makeSegment(DHT, [id, 1, ...new Array<number>(15).fill(0), symbol]);
  return Buffer.concat([
    Uint8Array.of(0xff, SOI),
    makeSegment(DQT, [0, ...new Array<number>(64).fill(1)]),
    makeSegment(frameMarker, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    ...scans.flatMap(({ ss, se, ah = 0, al = 0, dc = 0, ac = 0, bits }) => [
      table(0x00, dc),
      table(0x10, ac),
      makeSegment(SOS, [1, 1, 0, ss, se, (ah << 4) | al]),
      packed(bits),
    ]),
    Uint8Array.of(0xff, EOI),
  ]);
}

/** Filled up with ones, and a 0 after each FF (T.81, F.1.2.3). */
function packed(bits: string): Buffer {
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, "1"), 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}
