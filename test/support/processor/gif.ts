const CODES_PER_TABLE = 250;

export interface GifFrame {
  left?: number;
  top?: number;
  width: number;
  height: number;
  interlaced?: boolean;
  transparentIndex?: number;
  /** RGB triplets, a power of two of them. The global palette applies by default. */
  palette?: Buffer;
  /** The colour index of a place. */
  pixel: (x: number, y: number) => number;
}

export interface GifPicture {
  width: number;
  height: number;
  palette?: Buffer;
  frames: readonly GifFrame[];
  trailer?: boolean;
}

const u16 = (value: number) => [value & 255, value >> 8];
/** The flags of a colour table of this size (GIF89a, 18 and 20). */
const tableFlags = (palette?: Buffer) => (palette === undefined ? 0 : 0x80 | (Math.log2(palette.length / 3) - 1));

/** A GIF of exactly this form, its pixels not compressed: encoders choose the form themselves. */
export function writeGif({ width, height, palette, frames, trailer = true }: GifPicture): Buffer {
  return Buffer.concat([
    Buffer.from("GIF89a"),
    Buffer.from([...u16(width), ...u16(height), tableFlags(palette), 0, 0]),
    palette ?? Buffer.alloc(0),
    ...frames.map(writeFrame),
    Buffer.from(trailer ? [0x3b] : []),
  ]);
}

function writeFrame(frame: GifFrame): Buffer {
  const { left = 0, top = 0, width, height, palette, transparentIndex } = frame;
  const control = [0x21, 0xf9, 4, transparentIndex === undefined ? 0 : 1, 0, 0, transparentIndex ?? 0, 0];
  const flags = tableFlags(palette) | (frame.interlaced ? 0x40 : 0);
  const position = [left, top, width, height].flatMap(u16);
  return Buffer.concat([
    Buffer.from([...control, 0x2c, ...position, flags]),
    palette ?? Buffer.alloc(0),
    Buffer.from([8]),
    subBlocks(pack(frame)),
  ]);
}

/** Literal codes of nine bits: the table is cleared before they would have to grow (GIF89a, appendix F). */
function pack({ width, height, interlaced, pixel }: GifFrame): Buffer {
  const bits: number[] = [];
  const put = (code: number) => {
    for (let bit = 0; bit < 9; bit++) bits.push((code >> bit) & 1);
  };
  let count = 0;
  for (const y of rowOrder(height, interlaced === true)) {
    for (let x = 0; x < width; x++) {
      if (count++ % CODES_PER_TABLE === 0) put(256);
      put(pixel(x, y));
    }
  }
  put(257);
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7));
  return bytes;
}

/** GIF89a, appendix E. */
function rowOrder(height: number, interlaced: boolean): number[] {
  const rows = Array.from({ length: height }, (_, y) => y);
  if (!interlaced) return rows;
  const pass = (first: number, step: number) => rows.filter((y) => y >= first && (y - first) % step === 0);
  return [...pass(0, 8), ...pass(4, 8), ...pass(2, 4), ...pass(1, 2)];
}

function subBlocks(data: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}
