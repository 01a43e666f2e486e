import { ffFinder } from "../jpeg/marker-walk.ts";

const LOOK_BYTES = 8;
/** So few bytes are faster one by one. */
const FEW_BYTES = 16;

/** The next bytes of a file, in pieces, and a few bytes before them. Positions count from the file's beginning. */
export class PartBytes {
  /** The position after the last byte. */
  readonly end: number;
  /** The position of the first byte that may still be changed. */
  readonly start: number;
  readonly #pieces: readonly Uint8Array[];
  readonly #starts: number[] = [];
  readonly #carried: Uint8Array;
  #last = 0;
  /** The piece that `findFf` was in, and its search. */
  #ff: { readonly index: number; readonly find: (from: number) => number } | undefined;
  #hasChanged = false;

  /**
   * @param start the position of the pieces' first byte
   * @param carried the bytes before it; they are read only
   */
  constructor(pieces: readonly Uint8Array[], start: number, carried: Uint8Array) {
    this.#pieces = pieces;
    this.#carried = carried;
    this.start = start;
    let at = start;
    for (const piece of pieces) {
      this.#starts.push(at);
      at += piece.length;
    }
    this.end = at;
  }

  /** Whether any byte was changed. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** 0 outside the known bytes. */
  byte(at: number): number {
    if (at < this.start) return this.#carried[this.#carried.length - (this.start - at)] ?? 0;
    const index = this.#find(at);
    return this.#pieces[index]?.[at - (this.#starts[index] ?? 0)] ?? 0;
  }

  /** A copy of known bytes. */
  read(at: number, length: number): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(length);
    let done = 0;
    const single = length <= FEW_BYTES ? length : Math.max(0, this.start - at);
    for (; done < length && done < single; done++) copy[done] = this.byte(at + done);
    this.#each(at + done, at + length, (piece, position) => copy.set(piece, position - at));
    return copy;
  }

  /** Writes the bytes that may still be changed. */
  write(at: number, bytes: Uint8Array): void {
    if (bytes.length <= FEW_BYTES) {
      for (let i = 0; i < bytes.length; i++) this.#setByte(at + i, bytes[i] ?? 0);
      return;
    }
    this.#each(at, at + bytes.length, (piece, position) => {
      const next = bytes.subarray(position - at, position - at + piece.length);
      this.#hasChanged ||= piece.some((byte, i) => byte !== next[i]);
      piece.set(next);
    });
  }

  #setByte(at: number, value: number): void {
    if (at < this.start || at >= this.end) return;
    const index = this.#find(at);
    const piece = this.#pieces[index];
    const offset = at - (this.#starts[index] ?? 0);
    if (piece === undefined || piece[offset] === value) return;
    piece[offset] = value;
    this.#hasChanged = true;
  }

  /** Fills the bytes that may still be changed. */
  fill(at: number, end: number, value: number): void {
    if (end <= at) return;
    this.#each(at, end, (piece) => {
      this.#hasChanged ||= piece.some((byte) => byte !== value);
      piece.fill(value);
    });
  }

  /** Changes a range, all of which may be changed. It is copied, because it may cross pieces. */
  edit(at: number, length: number, change: (bytes: Uint8Array) => void): void {
    const copy = this.read(at, length);
    change(copy);
    this.write(at, copy);
  }

  /** @returns the position of a byte's first occurrence before `end`; `end` if there is none */
  indexOf(value: number, from: number, end = this.end): number {
    let at = from;
    for (; at < this.start && at < end; at++) if (this.byte(at) === value) return at;
    for (let index = this.#find(at); at < end; index++) {
      const piece = this.#pieces[index];
      const start = this.#starts[index] ?? 0;
      if (piece === undefined) return end;
      const found = piece.indexOf(value, at - start);
      if (found >= 0) return Math.min(end, start + found);
      at = start + piece.length;
    }
    return end;
  }

  /** The position of the next FF; the end if there is none. A file may be full of FF, so `indexOf` is too slow for them. */
  findFf(from: number): number {
    let at = from;
    for (; at < this.start; at++) if (this.byte(at) === 0xff) return at;
    for (let index = this.#find(at); at < this.end; index++) {
      const piece = this.#pieces[index];
      const start = this.#starts[index] ?? 0;
      if (piece === undefined) break;
      if (this.#ff?.index !== index) this.#ff = { index, find: ffFinder(piece) };
      at = start + this.#ff.find(at - start);
      if (at < start + piece.length) return at;
    }
    return this.end;
  }

  /**
   * @param matches looks at up to eight bytes
   * @returns the first position whose bytes match; if there is none, one of the last eight bytes, or the end
   */
  find(from: number, matches: (bytes: Uint8Array, at: number) => boolean): number {
    const last = Math.max(from, this.end - LOOK_BYTES);
    let found = last;
    this.#each(from, last, (piece, position) => {
      // Bytes of the next piece are needed near the end of this one.
      const inner = piece.length - LOOK_BYTES;
      for (let i = 0; i < piece.length && found === last; i++) {
        if (i < inner ? matches(piece, i) : matches(this.read(position + i, LOOK_BYTES), 0)) found = position + i;
      }
    });
    return found;
  }

  /** Calls back with each piece's share of a range. */
  #each(from: number, to: number, use: (bytes: Uint8Array, position: number) => void): void {
    let at = Math.max(from, this.start);
    const end = Math.min(to, this.end);
    for (let index = this.#find(at); at < end; index++) {
      const piece = this.#pieces[index];
      if (piece === undefined) return;
      const begin = at - (this.#starts[index] ?? 0);
      const share = piece.subarray(begin, Math.min(piece.length, begin + end - at));
      if (share.length > 0) use(share, at);
      at += share.length;
    }
  }

  /** The piece that has a position; reads mostly stay in one piece. */
  #find(at: number): number {
    const { length } = this.#pieces;
    if (at < (this.#starts[this.#last] ?? 0)) this.#last = 0;
    while (this.#last + 1 < length && (this.#starts[this.#last + 1] ?? 0) <= at) this.#last += 1;
    return this.#last;
  }
}
