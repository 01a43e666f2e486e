/** A GIF's contents, block by block (GIF89a); encoders choose for themselves. */
export interface GifFrame {
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
  /** An index into the colours. */
  readonly pixel: (x: number, y: number) => number;
  /** The frame's own table of 2, 4, 8 ... 256 colours. */
  readonly colours?: readonly Colour[];
  readonly transparent?: number;
  readonly interlaced?: boolean;
}

export type Colour = readonly [red: number, green: number, blue: number];

export interface GifPicture {
  readonly width: number;
  readonly height: number;
  /** The global table. */
  readonly colours?: readonly Colour[];
  readonly background?: number;
  readonly frames: readonly GifFrame[];
  readonly comment?: string;
  /** Whole blocks before the first frame. */
  readonly blocks?: readonly Uint8Array[];
}

const TRAILER = 0x3b;

/** A GIF in exactly this form. Its data is not compressed, so that compression saves bytes. */
export function writeGif({ width, height, colours, background = 0, frames, comment, blocks = [] }: GifPicture): Buffer {
  const size = Buffer.from([...uint16(width), ...uint16(height), tableFlags(colours), background, 0]);
  return Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    size,
    table(colours),
    ...(comment === undefined ? [] : [extension(0xfe, Buffer.from(comment, "latin1"))]),
    ...blocks,
    ...frames.map(writeFrame),
    Buffer.from([TRAILER]),
  ]);
}

/** An extension of any label (GIF89a, appendix A). */
export function extension(label: number, data: Uint8Array, opening?: Uint8Array): Buffer {
  const head = opening === undefined ? [] : [opening.length, ...opening];
  return Buffer.concat([Buffer.from([0x21, label, ...head]), subBlocks(Buffer.from(data))]);
}

function writeFrame(frame: GifFrame): Buffer {
  const { left = 0, top = 0, width, height, colours, transparent, interlaced = false } = frame;
  const control = [0x21, 0xf9, 4, transparent === undefined ? 0 : 1, 0, 0, transparent ?? 0, 0];
  const flags = tableFlags(colours) & 0x87;
  const place = [...uint16(left), ...uint16(top), ...uint16(width), ...uint16(height), flags | (interlaced ? 0x40 : 0)];
  return Buffer.concat([
    Buffer.from([...control, 0x2c, ...place]),
    table(colours),
    Buffer.from([8]),
    subBlocks(unpackedCodes(indices(frame))),
  ]);
}

/** GIF89a, appendix E: the start of each pass of the interlaced rows, and its step. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

function indices({ width, height, pixel, interlaced }: GifFrame): number[] {
  const rows: number[] = [];
  for (const [from, step] of interlaced ? PASSES : [[0, 1] as const]) {
    for (let y = from; y < height; y += step) rows.push(y);
  }
  return rows.flatMap((y) => Array.from({ length: width }, (_, x) => pixel(x, y)));
}

/** GIF89a, appendix F: codes of 9 bits; the table is cleared before a code grows longer. */
function unpackedCodes(values: readonly number[]): Buffer {
  const CLEAR = 256;
  const END = 257;
  const codes = values.flatMap((value, i) => (i % 250 === 0 ? [CLEAR, value] : [value]));
  const bytes = Buffer.alloc(Math.ceil(((codes.length + 1) * 9) / 8));
  for (const [i, code] of [...codes, END].entries()) {
    const bit = i * 9;
    const shifted = code << (bit & 7);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (shifted & 255);
    bytes[(bit >> 3) + 1] = (bytes[(bit >> 3) + 1] ?? 0) | (shifted >> 8);
  }
  return bytes;
}

function subBlocks(data: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}

function tableFlags(colours: readonly Colour[] | undefined): number {
  return colours === undefined ? 0 : 0xf0 | (Math.log2(colours.length) - 1);
}

function table(colours: readonly Colour[] | undefined): Buffer {
  return Buffer.from((colours ?? []).flat());
}

function uint16(value: number): number[] {
  return [value & 255, value >> 8];
}
