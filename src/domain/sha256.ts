/** The fractional parts of the cube roots of the first 64 primes, and of the square roots of the first eight (FIPS 180-4, 4.2.2 and 5.3.3). */
const K = fractions(64, Math.cbrt);
const INITIAL = fractions(8, Math.sqrt);

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

/** The schedule of one block. It is shared, because hashing never waits. */
const schedule = new Int32Array(64);

/** The state between two pieces of a file, as JSON. */
interface State {
  readonly words: readonly number[];
  readonly length: number;
  /** The bytes after the last whole block, in base64. */
  readonly rest: string;
}

/**
 * A SHA-256 whose state can be stored, so that a file that arrives over many requests is hashed once, as it arrives. `node:crypto` keeps its
 * state to itself; it is six times as fast, and hashes everything else.
 */
export class StorableSha256 {
  readonly #words: Int32Array;
  readonly #rest = new Uint8Array(BLOCK_BYTES);
  #length: number;

  /** @param stored the state of an earlier hash (`text`) */
  constructor(stored?: string) {
    const { words, length, rest } = stored === undefined ? EMPTY : (JSON.parse(stored) as State);
    this.#words = Int32Array.from(words);
    this.#length = length;
    this.#rest.set(Buffer.from(rest, "base64"));
  }

  update(bytes: Uint8Array): void {
    const held = this.#length % BLOCK_BYTES;
    this.#length += bytes.length;
    const missing = held === 0 ? 0 : Math.min(BLOCK_BYTES - held, bytes.length);
    this.#rest.set(bytes.subarray(0, missing), held);
    if (held + missing === BLOCK_BYTES) compress(this.#words, this.#rest);
    if (held > 0 && held + missing < BLOCK_BYTES) return;
    const whole = missing + Math.floor((bytes.length - missing) / BLOCK_BYTES) * BLOCK_BYTES;
    compress(this.#words, bytes.subarray(missing, whole));
    this.#rest.set(bytes.subarray(whole));
  }

  copy(): StorableSha256 {
    return new StorableSha256(this.text);
  }

  /** The state, for the constructor. */
  get text(): string {
    const rest = Buffer.from(this.#rest.subarray(0, this.#length % BLOCK_BYTES)).toString("base64");
    return JSON.stringify({ words: [...this.#words], length: this.#length, rest } satisfies State);
  }

  /** The hash of the bytes so far, hexadecimal. More bytes may follow. */
  hex(): string {
    const padded = this.copy();
    const held = this.#length % BLOCK_BYTES;
    const blocks = held + 1 + LENGTH_BYTES > BLOCK_BYTES ? 2 : 1;
    const padding = new Uint8Array(blocks * BLOCK_BYTES - held);
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - LENGTH_BYTES, BigInt(this.#length) * 8n);
    padded.update(padding);
    return Array.from(padded.#words, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

const EMPTY: State = { words: [...INITIAL], length: 0, rest: "" };

/**
 * Hashes whole blocks (FIPS 180-4, 6.2.2). Four rounds a step, written out, need a quarter of the time of a loop over rounds: the working
 * variables change their roles instead of their values.
 */
function compress(words: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    fillSchedule(view, at);
    let a = at32(words, 0);
    let b = at32(words, 1);
    let c = at32(words, 2);
    let d = at32(words, 3);
    let e = at32(words, 4);
    let f = at32(words, 5);
    let g = at32(words, 6);
    let h = at32(words, 7);
    for (let round = 0; round < 64; round += 4) {
      let t1 =
        (h +
          (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) +
          (g ^ (e & (f ^ g))) +
          at32(K, round) +
          at32(schedule, round)) |
        0;
      d = (d + t1) | 0;
      h =
        (t1 +
          (((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) +
          ((a & b) | (c & (a | b)))) |
        0;
      t1 =
        (g +
          (((d >>> 6) | (d << 26)) ^ ((d >>> 11) | (d << 21)) ^ ((d >>> 25) | (d << 7))) +
          (f ^ (d & (e ^ f))) +
          at32(K, round + 1) +
          at32(schedule, round + 1)) |
        0;
      c = (c + t1) | 0;
      g =
        (t1 +
          (((h >>> 2) | (h << 30)) ^ ((h >>> 13) | (h << 19)) ^ ((h >>> 22) | (h << 10))) +
          ((h & a) | (b & (h | a)))) |
        0;
      t1 =
        (f +
          (((c >>> 6) | (c << 26)) ^ ((c >>> 11) | (c << 21)) ^ ((c >>> 25) | (c << 7))) +
          (e ^ (c & (d ^ e))) +
          at32(K, round + 2) +
          at32(schedule, round + 2)) |
        0;
      b = (b + t1) | 0;
      f =
        (t1 +
          (((g >>> 2) | (g << 30)) ^ ((g >>> 13) | (g << 19)) ^ ((g >>> 22) | (g << 10))) +
          ((g & h) | (a & (g | h)))) |
        0;
      t1 =
        (e +
          (((b >>> 6) | (b << 26)) ^ ((b >>> 11) | (b << 21)) ^ ((b >>> 25) | (b << 7))) +
          (d ^ (b & (c ^ d))) +
          at32(K, round + 3) +
          at32(schedule, round + 3)) |
        0;
      a = (a + t1) | 0;
      e =
        (t1 +
          (((f >>> 2) | (f << 30)) ^ ((f >>> 13) | (f << 19)) ^ ((f >>> 22) | (f << 10))) +
          ((f & g) | (h & (f | g)))) |
        0;
      const former = [a, b, c, d] as const;
      a = e;
      b = f;
      c = g;
      d = h;
      e = former[0];
      f = former[1];
      g = former[2];
      h = former[3];
    }
    words[0] = at32(words, 0) + a;
    words[1] = at32(words, 1) + b;
    words[2] = at32(words, 2) + c;
    words[3] = at32(words, 3) + d;
    words[4] = at32(words, 4) + e;
    words[5] = at32(words, 5) + f;
    words[6] = at32(words, 6) + g;
    words[7] = at32(words, 7) + h;
  }
}

function fillSchedule(view: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = view.getInt32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const x = at32(schedule, t - 15);
    const y = at32(schedule, t - 2);
    const small0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const small1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    schedule[t] = at32(schedule, t - 16) + small0 + at32(schedule, t - 7) + small1;
  }
}

const rotate = (x: number, by: number) => (x >>> by) | (x << (32 - by));
const at32 = (words: Int32Array, index: number) => words[index] as number;

function fractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}
