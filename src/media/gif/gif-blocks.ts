const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

export interface GifFrame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** In its colour table, or the global one. */
  readonly colours: number;
  /** Where the compressed data begins, with the byte that tells the length of its codes. */
  readonly dataAt: number;
  /** Bytes of compressed data. */
  readonly dataBytes: number;
}

export interface GifBlocks {
  /** As many as were asked for at most. */
  readonly frames: readonly GifFrame[];
  /** Whether the trailer was reached. */
  readonly complete: boolean;
}

/** Walks the blocks of a GIF without decoding any (GIF89a, appendix A), until `maxFrames` were seen. */
export function readGifBlocks(file: Uint8Array, maxFrames: number): GifBlocks {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const frames: GifFrame[] = [];
  const globalTableBytes = colourTableBytes(file[10] ?? 0);
  let at = HEADER_BYTES + globalTableBytes;
  while (frames.length < maxFrames) {
    const block = file[at];
    if (block === EXTENSION) {
      const end = skipSubBlocks(file, at + 2);
      if (end === undefined) break;
      at = end.next;
    } else if (block === IMAGE && at + DESCRIPTOR_BYTES < file.length) {
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((place) => view.getUint16(at + place, true));
      const tableBytes = colourTableBytes(file[at + 9] ?? 0);
      const dataAt = at + DESCRIPTOR_BYTES + tableBytes;
      const end = skipSubBlocks(file, dataAt + 1);
      const dataBytes = end?.bytes ?? Math.max(0, file.length - dataAt - 2);
      frames.push({ left, top, width, height, colours: (tableBytes || globalTableBytes) / 3, dataAt, dataBytes });
      if (end === undefined) break;
      at = end.next;
    } else {
      return { frames, complete: block === TRAILER };
    }
  }
  return { frames, complete: false };
}

function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function skipSubBlocks(file: Uint8Array, at: number): { next: number; bytes: number } | undefined {
  let bytes = 0;
  for (let length = file[at]; length !== undefined; length = file[at]) {
    at += 1 + length;
    bytes += length;
    if (length === 0) return { next: at, bytes };
  }
  return undefined;
}
