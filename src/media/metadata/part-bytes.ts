import { byteFinder } from "../bytes.ts";

/** The bytes that `find` passes to its callback. */
const LOOK_BYTES = 8;
/** Up to this many bytes are copied one by one, which is faster. */
const FEW_BYTES = 16;

/** The search that `indexOf` has opened last: for a byte in one of the pieces. */
interface Search {
  readonly index: number;
  readonly value: number;
  readonly find: (from: number, end: number) => number;
}

/** The next bytes of a file, in pieces, and a few bytes before them. Positions count from the file's beginning. */
export class PartBytes {
  /** The position after the last byte. */
  readonly end: number;
  /** The position of the part's first byte. Earlier bytes were stored and do not change. */
  readonly start: number;
  readonly #pieces: readonly Uint8Array[];
  readonly #starts: number[] = [];
  readonly #carried: Uint8Array;
  #last = 0;
  #search: Search | undefined;
  #searchedBytes = 0;
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

  /** The number of bytes that searches have read. */
  get searchedBytes(): number {
    return this.#searchedBytes;
  }

  /** One byte; 0 outside of the part and of the bytes before it. */
  byte(at: number): number {
    if (at < this.start) return this.#carried[this.#carried.length - (this.start - at)] ?? 0;
    const index = this.#find(at);
    return this.#pieces[index]?.[at - (this.#starts[index] ?? 0)] ?? 0;
  }

  /** A copy of bytes; 0 outside of the part and of the bytes before it. */
  read(at: number, length: number): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(length);
    let done = 0;
    const single = length <= FEW_BYTES ? length : Math.max(0, this.start - at);
    for (; done < length && done < single; done++) copy[done] = this.byte(at + done);
    this.#each(at + done, at + length, (piece, position) => copy.set(piece, position - at));
    return copy;
  }

  /** Writes the bytes that are in the part; bytes before and after it stay. */
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

  /** Fills the bytes that are in the part; bytes before and after it stay. */
  fill(at: number, end: number, value: number): void {
    if (end <= at) return;
    this.#each(at, end, (piece) => {
      this.#hasChanged ||= piece.some((byte) => byte !== value);
      piece.fill(value);
    });
  }

  /** Changes a range of the part. The callback gets a copy, because the range may cross pieces. */
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
      const stop = Math.min(piece.length, end - start);
      const found = start + this.#finder(index, piece, value)(at - start, stop);
      this.#searchedBytes += found - at;
      at = found;
      if (at < start + stop) return at;
    }
    return end;
  }

  #finder(index: number, piece: Uint8Array, value: number): Search["find"] {
    if (this.#search?.index !== index || this.#search.value !== value) {
      this.#search = { index, value, find: byteFinder(piece, value) };
    }
    return this.#search.find;
  }

  /**
   * @param matches looks at up to eight bytes
   * @returns the first position whose bytes match; if there is none, the first of the last eight bytes
   */
  find(from: number, matches: (bytes: Uint8Array, at: number) => boolean): number {
    const last = Math.max(from, this.end - LOOK_BYTES);
    const found = this.#findBefore(last, from, matches);
    this.#searchedBytes += found - from;
    return found;
  }

  #findBefore(last: number, from: number, matches: (bytes: Uint8Array, at: number) => boolean): number {
    let at = from;
    for (; at < this.start && at < last; at++) if (matches(this.read(at, LOOK_BYTES), 0)) return at;
    for (let index = this.#find(at); at < last; index++) {
      const piece = this.#pieces[index] ?? new Uint8Array();
      const start = this.#starts[index] ?? 0;
      // Bytes of the next piece are needed near the end of this one.
      const inner = piece.length - LOOK_BYTES;
      for (const end = Math.min(last, start + piece.length); at < end; at++) {
        const offset = at - start;
        if (offset < inner ? matches(piece, offset) : matches(this.read(at, LOOK_BYTES), 0)) return at;
      }
    }
    return last;
  }

  /** Calls back with the part of a range in each piece. */
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

  /** The index of the piece with a position. It begins with the last one, because reads mostly stay in one piece. */
  #find(at: number): number {
    const { length } = this.#pieces;
    if (at < (this.#starts[this.#last] ?? 0)) this.#last = 0;
    while (this.#last + 1 < length && (this.#starts[this.#last + 1] ?? 0) <= at) this.#last += 1;
    return this.#last;
  }
}
