/** The first bytes of a file, possibly all. */
export interface ByteSource {
  readonly length: number;
  /** The bytes from a position, as far as they are there. */
  read(at: number, length: number): Uint8Array;
}
