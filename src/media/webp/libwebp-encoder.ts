import type { EncodeOptions } from "@jsquash/webp/codec/enc/webp_enc.js";
import type { MemoryBound } from "./memory-bound.ts";

/** The members of libwebp's `WebPConfig` (encode.h) in their order, four bytes each. */
const CONFIG: readonly (keyof EncodeOptions)[] = [
  "lossless",
  "quality",
  "method",
  "image_hint",
  "target_size",
  "target_PSNR",
  "segments",
  "sns_strength",
  "filter_strength",
  "filter_sharpness",
  "filter_type",
  "autofilter",
  "alpha_compression",
  "alpha_filtering",
  "alpha_quality",
  "pass",
  "show_compressed",
  "preprocessing",
  "partitions",
  "partition_limit",
  "emulate_jpeg_size",
  "thread_level",
  "low_memory",
  "near_lossless",
  "exact",
  "use_delta_palette",
  "use_sharp_yuv",
];
const FLOATS: readonly (keyof EncodeOptions)[] = ["quality", "target_PSNR"];

/** Memory of a call: the result's handle, the pixels as a `std::string`, and the configuration with two members that the module sets. */
const STRING_AT = 8;
const CONFIG_AT = STRING_AT + 12;
const CALL_BYTES = CONFIG_AT + 4 * (CONFIG.length + 2);
/** This bit of a string's capacity means that its bytes are elsewhere. */
const LONG_STRING = 0x8000_0000;

/** The types of `encode`'s result and parameters. The module registers another function, which has fewer. */
const ENCODE_TYPES = 5;
/** Stands for any JavaScript value. The smallest handles are constants. */
const HANDLE = 8;
const MAX_MEMORY_BYTES = 2 ** 31;
const PAGE_BYTES = 64 * 1024;

/** The exports of @jsquash/webp 1.5's `webp_enc_simd.wasm`, whose names are shortened. */
interface Exports {
  readonly x: WebAssembly.Memory;
  /** Runs the constructors, which register the module's types and functions. */
  y(): void;
  /** malloc and free of C. */
  z(bytes: number): number;
  A(at: number): void;
  readonly D: WebAssembly.Table;
}

type Encode = (result: number, pixels: number, width: number, height: number, config: number) => void;

/**
 * libwebp's encoder. It calls the module's function `encode` directly: the package's own JavaScript writes the pixels byte by byte into a
 * string, which is then copied. That takes 5 % of the time of a compression, and four bytes a pixel.
 */
export class LibwebpEncoder {
  readonly #exports: Exports;
  #view = new Uint8Array();
  #encodeAt = 0;
  #result: Uint8Array<ArrayBuffer> | null = null;

  /** @param module the compiled `webp_enc_simd.wasm` @param bound of the instance's memory */
  constructor(module: WebAssembly.Module, bound: MemoryBound) {
    const calls: Record<string, WebAssembly.ImportValue> = {
      f: (_name: number, types: number, _types: number, _signature: number, _invoker: number, place: number) => {
        if (types === ENCODE_TYPES) this.#encodeAt = place;
      },
      g: fail,
      k: fail,
      p: (bytes: number) => this.#grow(bytes >>> 0),
      r: (to: number, from: number, bytes: number) => this.#memory.copyWithin(to, from, from + bytes),
      // The result, a view of memory: its size and place.
      v: (_constructor: number, _count: number, _types: number, view: number) => {
        const [size = 0, at = 0] = new Uint32Array(this.#memory.buffer, view, 2);
        this.#result = this.#memory.slice(at, at + size);
        return HANDLE;
      },
      w: () => HANDLE,
    };
    // The other imports register types and count references.
    const imports = WebAssembly.Module.imports(module).map(({ name }) => [name, calls[name] ?? (() => undefined)]);
    const instance = new WebAssembly.Instance(module, bound.guard({ a: Object.fromEntries(imports) }));
    bound.attach(instance);
    this.#exports = instance.exports as unknown as Exports;
    this.#exports.y();
  }

  /** Encodes RGBA. @returns null if libwebp refuses the picture or gets no memory @throws Error if the module fails */
  encode(
    pixels: Uint8Array | Uint8ClampedArray,
    { width, height }: { readonly width: number; readonly height: number },
    options: EncodeOptions,
  ): Uint8Array<ArrayBuffer> | null {
    const { z: malloc, A: free, D: table } = this.#exports;
    const call = malloc(CALL_BYTES);
    const pixelsAt = malloc(pixels.length);
    this.#result = null;
    if (call !== 0 && pixelsAt !== 0) {
      this.#memory.set(pixels, pixelsAt);
      const view = new DataView(this.#memory.buffer, call, CALL_BYTES);
      for (const [i, word] of [pixelsAt, pixels.length, LONG_STRING + pixels.length].entries())
        view.setUint32(STRING_AT + 4 * i, word, true);
      for (const [i, name] of CONFIG.entries()) {
        if (FLOATS.includes(name)) view.setFloat32(CONFIG_AT + 4 * i, options[name], true);
        else view.setInt32(CONFIG_AT + 4 * i, options[name], true);
      }
      const encode = table.get(this.#encodeAt) as Encode;
      encode(call, call + STRING_AT, width, height, call + CONFIG_AT);
    }
    free(pixelsAt);
    free(call);
    const result = this.#result;
    this.#result = null;
    return result;
  }

  /** Valid until the memory grows. */
  get #memory(): Uint8Array<ArrayBuffer> {
    // A view of memory that has grown since is empty.
    if (this.#view.length === 0) this.#view = new Uint8Array(this.#exports.x.buffer as ArrayBuffer);
    return this.#view;
  }

  /** Grows as Emscripten does: by a fifth, a tenth or a twentieth more than needed. @returns whether the memory has grown */
  #grow(bytes: number): boolean {
    const { x: memory } = this.#exports;
    const held = memory.buffer.byteLength;
    if (bytes > MAX_MEMORY_BYTES) return false;
    for (const share of [5, 10, 20]) {
      const wanted = Math.min(MAX_MEMORY_BYTES, Math.max(bytes, held + held / share));
      try {
        memory.grow(Math.ceil((wanted - held) / PAGE_BYTES));
        return true;
      } catch {
        // Tries a smaller size.
      }
    }
    return false;
  }
}

function fail(): never {
  throw new Error("The WebP encoder failed");
}
