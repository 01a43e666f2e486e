/** The fractional parts of the cube roots of the first 64 primes, and of the square roots of the first eight (FIPS 180-4, 4.2.2 and 5.3.3). */
const CONSTANTS = fractions(64, Math.cbrt);
const INITIAL = fractions(8, Math.sqrt);

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;
/** The blocks that the engine gets at a time. */
const ENGINE_BYTES = 64 * 1024;

/** Exports of `engine/index.ts`. Addresses are in the engine's memory. */
interface EngineExports {
  readonly memory: WebAssembly.Memory;
  stateAt(): number;
  constantsAt(): number;
  blocksAt(): number;
  compress(count: number): void;
}

/** Hashes whole blocks. All hashes share one engine, because hashing never waits. */
export class Sha256Engine {
  readonly #compress: EngineExports["compress"];
  readonly #state: Int32Array;
  readonly #blocks: Uint8Array;

  /** @param module `sha256-engine.wasm` */
  constructor(module: WebAssembly.Module) {
    const { memory, ...engine } = new WebAssembly.Instance(module).exports as unknown as EngineExports;
    new Int32Array(memory.buffer, engine.constantsAt(), CONSTANTS.length).set(CONSTANTS);
    this.#state = new Int32Array(memory.buffer, engine.stateAt(), INITIAL.length);
    this.#blocks = new Uint8Array(memory.buffer, engine.blocksAt(), ENGINE_BYTES);
    this.#compress = engine.compress;
  }

  compress(words: Int32Array, bytes: Uint8Array): void {
    this.#state.set(words);
    for (let at = 0; at < bytes.length; at += ENGINE_BYTES) {
      const blocks = bytes.subarray(at, at + ENGINE_BYTES);
      this.#blocks.set(blocks);
      this.#compress(blocks.length / BLOCK_BYTES);
    }
    words.set(this.#state);
  }
}

/** The state between two pieces of a file, as JSON. */
interface State {
  readonly words: readonly number[];
  readonly length: number;
  /** The bytes after the last whole block, in base64. */
  readonly rest: string;
}

/**
 * A SHA-256 whose state can be stored, so that a file that arrives over many requests is hashed once, as it arrives. `node:crypto` keeps its
 * state to itself; it is four times as fast, and hashes everything else.
 */
export class StorableSha256 {
  readonly #engine: Sha256Engine;
  readonly #words: Int32Array;
  readonly #rest = new Uint8Array(BLOCK_BYTES);
  #length: number;

  /** @param stored the state of an earlier hash (`text`) */
  constructor(engine: Sha256Engine, stored?: string) {
    this.#engine = engine;
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
    if (held + missing === BLOCK_BYTES) this.#engine.compress(this.#words, this.#rest);
    if (held > 0 && held + missing < BLOCK_BYTES) return;
    const whole = missing + Math.floor((bytes.length - missing) / BLOCK_BYTES) * BLOCK_BYTES;
    this.#engine.compress(this.#words, bytes.subarray(missing, whole));
    this.#rest.set(bytes.subarray(whole));
  }

  copy(): StorableSha256 {
    return new StorableSha256(this.#engine, this.text);
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

function fractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0);
}
