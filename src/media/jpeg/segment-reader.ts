import { JpegDeclined } from "./jpeg-declined.ts";

/** Reads a file's bytes by offset and declines reads beyond its end. */
export class SegmentReader {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** @throws JpegDeclined beyond the end */
  uint8(at: number): number {
    const byte = this.bytes[at];
    if (byte === undefined) throw new JpegDeclined("The file is cut off");
    return byte;
  }

  /** @throws JpegDeclined beyond the end */
  uint16(at: number): number {
    return (this.uint8(at) << 8) | this.uint8(at + 1);
  }
}
