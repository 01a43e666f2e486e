import { extension, type GifFrame, writeGif } from "../gif/write-gif.ts";
import type { OddFile } from "./odd-file.ts";

const COLOURS = [
  [250, 20, 20],
  [20, 250, 20],
] as const;
const frame: GifFrame = { width: 20, height: 10, pixel: (x, y) => (x + y) & 1 };
const gif = (change: Partial<GifFrame> = {}, screen: { width?: number; height?: number } = {}, more: GifFrame[] = []) =>
  writeGif({ width: 20, height: 10, ...screen, colours: COLOURS, frames: [{ ...frame, ...change }, ...more] });
const whole = gif();
/** The header and the global table are followed by the graphic control, the descriptor, the length of codes and the data. */
const DESCRIPTOR = 19 + 8;
const DATA = DESCRIPTOR + 10;

function withBytes(at: number, ...values: number[]): Buffer {
  const changed = Buffer.from(whole);
  changed.set(values, at);
  return changed;
}

const FILES: readonly (readonly [label: string, bytes: Buffer])[] = [
  ["nothing odd", whole],
  ["a frame wider than its screen", gif({ width: 30 })],
  ["a frame higher than its screen", gif({ height: 25 })],
  ["a frame that begins within and ends without its screen", gif({ left: 15, top: 5 })],
  ["a frame that is beside its screen", gif({ left: 40, top: 30 })],
  ["a frame smaller than its screen", gif({}, { width: 50, height: 40 })],
  ["a frame smaller than its screen, at its corner", gif({ left: 30, top: 30 }, { width: 50, height: 40 })],
  ["a second frame wider than its screen", gif({}, {}, [{ ...frame, width: 40 }])],
  ["two frames wider than its screen", gif({ width: 30 }, {}, [{ ...frame, width: 40 }])],
  ["a screen of 0 x 0", gif({}, { width: 0, height: 0 })],
  ["a screen of 0 x 10", gif({}, { width: 0 })],
  ["a screen of 0 x 0 and a frame at 5, 5", gif({ left: 5, top: 5 }, { width: 0, height: 0 })],
  ["a screen of 0 x 0 and an empty frame", gif({ width: 0, height: 0 }, { width: 0, height: 0 })],
  ["a frame without width", gif({ width: 0 })],
  ["a frame without height", gif({ height: 0 })],
  ["an empty frame, then one", gif({ width: 0, height: 0 }, {}, [frame])],
  ["no trailer", whole.subarray(0, -1)],
  ["an end in its data", whole.subarray(0, DATA + 60)],
  ["an end after 3 bytes of its data", whole.subarray(0, DATA + 5)],
  ["an end after its first block's length", whole.subarray(0, DATA + 2)],
  ["an end after its descriptor", whole.subarray(0, DATA)],
  ["an end in its descriptor", whole.subarray(0, DATA - 3)],
  ["a screen alone", Buffer.concat([whole.subarray(0, 19), Buffer.from([0x3b])])],
  ["codes of 0 bits", withBytes(DATA, 0)],
  ["codes of 1 bit", withBytes(DATA, 1)],
  ["codes of 9 bits", withBytes(DATA, 9)],
  ["codes of 11 bits", withBytes(DATA, 11)],
  ["codes of 12 bits", withBytes(DATA, 12)],
  ["data that is damaged", withBytes(DATA + 4, 255, 255, 255, 255)],
  ["data that is damaged later", withBytes(DATA + 60, 255, 255, 255, 255)],
  ["data of no bytes", Buffer.concat([whole.subarray(0, DATA + 1), Buffer.from([0, 0x3b])])],
  ["data that ends at once", Buffer.concat([whole.subarray(0, DATA), Buffer.from([2, 1, 0x2c, 0, 0x3b])])],
  ["a stray byte before its frame", Buffer.concat([whole.subarray(0, 19), Buffer.from([7]), whole.subarray(19)])],
  ["a stray 0 before its frame", Buffer.concat([whole.subarray(0, 19), Buffer.from([0]), whole.subarray(19)])],
  ["stray bytes before its trailer", Buffer.concat([whole.subarray(0, -1), Buffer.from([1, 2, 3, 0x3b])])],
  [
    "an unknown extension",
    Buffer.concat([whole.subarray(0, 19), extension(0x77, Buffer.alloc(300, 5)), whole.subarray(19)]),
  ],
  ["no colours at all", writeGif({ width: 20, height: 10, frames: [frame] })],
  ["one transparent colour and nothing else", gif({ transparent: 0, pixel: () => 0 })],
  ["version 88a", withBytes(4, 0x38)],
];

export const ODD_GIFS: readonly OddFile[] = FILES.map(([label, bytes]) => ({
  label: `a GIF with ${label}`,
  type: "image/gif",
  bytes: new Uint8Array(bytes),
}));
