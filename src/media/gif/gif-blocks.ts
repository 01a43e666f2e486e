const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const GRAPHIC_CONTROL_BYTES = 4;
/** End of the extension after its introducer, label and only sub-block (GIF89a, 23). */
const GRAPHIC_CONTROL_END = 8;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

export interface GifFrame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly isInterlaced: boolean;
  /** Red, green and blue of each colour, from the frame's own table or the global one; empty without either. */
  readonly colourTable: Uint8Array;
  /** The colour that viewers do not paint. */
  readonly transparent: number | undefined;
  /** Offset of the compressed data, which begins with the length of its codes. */
  readonly dataAt: number;
  /** Bytes of compressed data. */
  readonly dataBytes: number;
}

export interface GifBlocks {
  /** At most `maxFrames`. */
  readonly frames: readonly GifFrame[];
  /** Whether the trailer was reached. */
  readonly complete: boolean;
  /** Whether every graphic control has its one valid form. Viewers treat other forms differently; Chromium ignores them. */
  readonly hasSoundControls: boolean;
}

/**
 * Walks the blocks of a GIF without decoding (GIF89a, appendix A), until it has found `maxFrames`. Extensions are skipped by the lengths of
 * their sub-blocks.
 */
export function readGifBlocks(file: Uint8Array, maxFrames: number): GifBlocks {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const frames: GifFrame[] = [];
  const globalTable = colourTable(file, HEADER_BYTES, file[10] ?? 0);
  let transparent: number | undefined;
  let hasSoundControls = true;
  let at = HEADER_BYTES + globalTable.bytes;
  while (frames.length < maxFrames) {
    const block = file[at];
    if (block === EXTENSION) {
      const end = skipSubBlocks(file, at + 2);
      if (end === undefined) break;
      if (file[at + 1] === GRAPHIC_CONTROL) {
        // The last control before a picture counts, like in browsers, even if a plain text extension is between them: browsers show no text.
        transparent = ((file[at + 3] ?? 0) & 1) === 0 ? undefined : file[at + 6];
        hasSoundControls &&= end.bytes === GRAPHIC_CONTROL_BYTES && end.next === at + GRAPHIC_CONTROL_END;
      }
      at = end.next;
    } else if (block === IMAGE && at + DESCRIPTOR_BYTES < file.length) {
      const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((place) => view.getUint16(at + place, true));
      const flags = file[at + 9] ?? 0;
      const localTable = colourTable(file, at + DESCRIPTOR_BYTES, flags);
      const dataAt = at + DESCRIPTOR_BYTES + localTable.bytes;
      const end = skipSubBlocks(file, dataAt + 1);
      frames.push({
        left,
        top,
        width,
        height,
        transparent,
        dataAt,
        isInterlaced: (flags & 0x40) !== 0,
        colourTable: localTable.bytes > 0 ? localTable.colours : globalTable.colours,
        dataBytes: end?.bytes ?? Math.max(0, file.length - dataAt - 2),
      });
      if (end === undefined) break;
      at = end.next;
      // A control applies to one picture (GIF89a, 23).
      transparent = undefined;
    } else {
      return { frames, complete: block === TRAILER, hasSoundControls };
    }
  }
  return { frames, complete: false, hasSoundControls };
}

function colourTable(file: Uint8Array, at: number, flags: number): { bytes: number; colours: Uint8Array } {
  const bytes = (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
  return { bytes, colours: file.subarray(at, at + bytes) };
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
