import type { ScrubMode } from "../../domain/metadata-mode.ts";
import type { PartBytes } from "./part-bytes.ts";

/** The longest header that a format reads at once. */
export const MAX_HEADER_BYTES = 256;
/** A larger block of metadata is overwritten instead of edited. */
export const MAX_EDITED_BYTES = 1024 * 1024;

/** A file's position between two of its parts. It is JSON: a resumable upload stores it with each part. */
export interface Position {
  /** The position of the next structure. It may be beyond the bytes that have arrived. */
  at: number;
  /** The next parts' bytes up to this position are overwritten. */
  fillEnd: number;
  /** The new value of these bytes. */
  fillValue: number;
  /** Nothing more is changed, because the file is damaged or only data follows. */
  isDone: boolean;
}

/** Reads structures at a position and overwrites them. */
export class Cursor {
  readonly part: PartBytes;
  readonly mode: ScrubMode;
  readonly #position: Position;

  constructor(part: PartBytes, mode: ScrubMode, position: Position) {
    this.part = part;
    this.mode = mode;
    this.#position = position;
    part.fill(part.start, position.fillEnd, position.fillValue);
  }

  get at(): number {
    return this.#position.at;
  }

  set at(at: number) {
    this.#position.at = at;
  }

  get isDone(): boolean {
    return this.#position.isDone;
  }

  /** Ends the work: all later bytes stay as they are. */
  stop(): void {
    this.#position.isDone = true;
  }

  /** Whether this many bytes at the position have arrived. @param bytes at most `MAX_HEADER_BYTES` */
  has(bytes: number): boolean {
    return this.at + bytes <= this.part.end;
  }

  byte(offset: number): number {
    return this.part.byte(this.at + offset);
  }

  uint16(offset: number): number {
    return (this.byte(offset) << 8) | this.byte(offset + 1);
  }

  uint32(offset: number): number {
    return this.uint16(offset) * 0x10000 + this.uint16(offset + 2);
  }

  uint32LE(offset: number): number {
    return (
      this.byte(offset) +
      this.byte(offset + 1) * 0x100 +
      this.byte(offset + 2) * 0x10000 +
      this.byte(offset + 3) * 0x1000000
    );
  }

  /** Latin-1 characters. */
  text(offset: number, length: number): string {
    let text = "";
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.byte(offset + i));
    return text;
  }

  /** Writes Latin-1 characters; bytes of an earlier part stay. */
  writeText(offset: number, text: string): void {
    this.part.write(
      this.at + offset,
      Uint8Array.from(text, (char) => char.charCodeAt(0)),
    );
  }

  /** Overwrites bytes up to a position that may be in a later part. */
  wipe(from: number, end: number, value = 0): void {
    this.part.fill(from, end, value);
    if (end <= this.part.end) return;
    this.#position.fillEnd = end;
    this.#position.fillValue = value;
  }

  /**
   * Changes a block of metadata. If not all of it is in this part, it is overwritten, except for bytes of an earlier part.
   * @param maxBytes a larger block is overwritten, too
   */
  edit(from: number, end: number, maxBytes: number, change: (bytes: Uint8Array) => void, blank = 0): void {
    if (from >= this.part.start && end <= this.part.end && end - from <= maxBytes) {
      if (end > from) this.part.edit(from, end - from, change);
    } else this.wipe(from, end, blank);
  }
}
