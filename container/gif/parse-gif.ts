import { CannotCompress } from "../cannot-compress.ts";

const IMAGE_SEPARATOR = 0x2c;
const EXTENSION_INTRODUCER = 0x21;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;

/** A GIF of one frame (GIF89a specification, sections 18 to 22). */
export interface StillGif {
  /** The logical screen. */
  width: number;
  height: number;
  frame: {
    left: number;
    top: number;
    width: number;
    height: number;
    interlaced: boolean;
    /** RGB triplets. */
    palette: Buffer;
    transparentIndex: number | undefined;
    minimumCodeSize: number;
    /** The LZW code stream, out of its sub-blocks. */
    codes: Buffer;
  };
}

/** @throws CannotCompress for an animation, a file that ends early, or a frame without colours or outside the screen */
export function parseGif(file: Buffer): StillGif {
  const reader = new Reader(file);
  const signature = reader.take(6).toString("latin1");
  if (signature !== "GIF87a" && signature !== "GIF89a") throw new CannotCompress("not a GIF");
  const width = reader.u16();
  const height = reader.u16();
  const globalPalette = reader.palette(reader.u8(), 2);
  let frame: StillGif["frame"] | undefined;
  let transparentIndex: number | undefined;
  for (let block = reader.u8(); block !== TRAILER; block = reader.u8()) {
    if (block === EXTENSION_INTRODUCER) {
      const label = reader.u8();
      if (label === GRAPHIC_CONTROL) transparentIndex = reader.transparentIndex();
      else reader.subBlocks();
    } else if (block === IMAGE_SEPARATOR) {
      if (frame !== undefined) throw new CannotCompress("animated");
      frame = readFrame(reader, globalPalette, transparentIndex);
    } else throw new CannotCompress("damaged GIF");
    // Many encoders leave the trailer out; what came before it is whole.
    if (reader.isAtEnd && frame !== undefined) break;
  }
  if (frame === undefined) throw new CannotCompress("no image in the GIF");
  if (frame.palette.length === 0) throw new CannotCompress("no palette");
  const fits = frame.left + frame.width <= width && frame.top + frame.height <= height;
  if (!fits || frame.width === 0 || frame.height === 0) throw new CannotCompress("the frame is not within the screen");
  return { width, height, frame };
}

function readFrame(reader: Reader, globalPalette: Buffer, transparentIndex: number | undefined): StillGif["frame"] {
  const [left, top, width, height] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  const flags = reader.u8();
  const localPalette = reader.palette(flags, 0);
  return {
    left,
    top,
    width,
    height,
    interlaced: (flags & 0x40) !== 0,
    palette: localPalette.length > 0 ? localPalette : globalPalette,
    transparentIndex,
    minimumCodeSize: reader.u8(),
    codes: reader.subBlocks(),
  };
}

class Reader {
  readonly #file: Buffer;
  #at = 0;

  constructor(file: Buffer) {
    this.#file = file;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#file.length;
  }

  take(bytes: number): Buffer {
    const end = this.#at + bytes;
    if (end > this.#file.length) throw new CannotCompress("the file ends early");
    const taken = this.#file.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  u8(): number {
    return this.take(1).readUInt8(0);
  }

  u16(): number {
    return this.take(2).readUInt16LE(0);
  }

  /** The colour table that the flags announce, after `skipBytes` more bytes of the descriptor. */
  palette(flags: number, skipBytes: number): Buffer {
    this.take(skipBytes);
    return (flags & 0x80) === 0 ? Buffer.alloc(0) : this.take(3 << ((flags & 7) + 1));
  }

  /** Of a graphic control (GIF89a, 23). Of one in another form each viewer makes its own. */
  transparentIndex(): number | undefined {
    const [bytes, flags = 0, , , index, end] = this.take(6);
    if (bytes !== 4 || end !== 0) throw new CannotCompress("damaged GIF");
    return (flags & 1) === 0 ? undefined : index;
  }

  subBlocks(): Buffer {
    const blocks: Buffer[] = [];
    for (let size = this.u8(); size > 0; size = this.u8()) blocks.push(this.take(size));
    return Buffer.concat(blocks);
  }
}
