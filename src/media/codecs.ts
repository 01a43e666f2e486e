import createWebpDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import createWebpEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import { defaultOptions } from "@jsquash/webp/meta.js";

/**
 * The WebAssembly codecs. Modules are compiled when first needed. Every image gets an instance of its own, as an
 * instance's memory never shrinks, and one that trapped may be in any state.
 */

export interface Pixels {
  /** RGBA, 8 bits each, not premultiplied. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** Our own: the inner loops of `jpeg/`. */
export async function loadJpegEngine(): Promise<WebAssembly.Module> {
  return (await import("./jpeg/engine/engine.wasm")).default;
}

/** Our own: the inner loops of `png/`. */
export async function loadPngEngine(): Promise<WebAssembly.Module> {
  return (await import("./png/engine/png-engine.wasm")).default;
}

/** @throws WebAssembly.RuntimeError where the codec fails */
export async function encodePng({ data, width, height }: Pixels, level: number): Promise<Uint8Array<ArrayBuffer>> {
  const oxipng = await createOxipng();
  return oxipng.call(data, (result, at) =>
    oxipng.exports.optimise_raw(result, at, data.length, width, height, level, 0, 0),
  );
}

/** Undefined where the file is damaged. */
export async function decodeWebp(file: Uint8Array<ArrayBuffer>): Promise<Pixels | undefined> {
  const { default: module } = await import("@jsquash/webp/codec/dec/webp_dec.wasm");
  const decoder = await createWebpDecoder(withModule(module));
  const image = decoder.decode(file);
  return image === null ? undefined : (image as Pixels);
}

/**
 * @param quality 0 to 100; of a lossless picture the pixels do not change, those that cannot be seen included
 * @throws Error where the codec fails
 */
export async function encodeWebp(
  { data, width, height }: Pixels,
  { quality, lossless }: { readonly quality: number; readonly lossless: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: module } = await import("@jsquash/webp/codec/enc/webp_enc_simd.wasm");
  const encoder = await createWebpEncoder(withModule(module));
  const options = lossless
    ? { ...defaultOptions, lossless: 1, exact: 1, quality: LOSSLESS_EFFORT }
    : { ...defaultOptions, quality };
  const file = encoder.encode(data, width, height, options);
  if (file === null) throw new Error("The WebP encoder failed");
  return file as Uint8Array<ArrayBuffer>;
}

/** Of a lossless WebP the quality says how hard to try. */
const LOSSLESS_EFFORT = 75;

/** Emscripten's loader would fetch the module; a Worker has it compiled already. */
function withModule(module: WebAssembly.Module) {
  return {
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  };
}

interface OxipngExports {
  readonly memory: WebAssembly.Memory;
  optimise_raw(
    ...args: [result: number, at: number, length: number, width: number, height: number, ...options: number[]]
  ): void;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  __wbindgen_malloc(bytes: number, alignment: number): number;
}

/** The package's own loader keeps one instance for ever; this one does what wasm-bindgen's glue does, with a new one. */
async function createOxipng() {
  // The package declares what an instance exports; a Worker imports the module.
  const imported: unknown = await import("@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm");
  const { default: module } = imported as { default: WebAssembly.Module };
  const textAt = (at: number, length: number) =>
    new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
  const throwError = (at: number, length: number) => {
    throw new Error(textAt(at, length));
  };
  const instance = new WebAssembly.Instance(module, { wbg: { __wbindgen_throw: throwError } });
  const exports = instance.exports as unknown as OxipngExports;
  return {
    exports,
    call(input: ArrayLike<number>, work: (result: number, at: number) => void): Uint8Array<ArrayBuffer> {
      const result = exports.__wbindgen_add_to_stack_pointer(-16);
      const at = exports.__wbindgen_malloc(input.length, 1) >>> 0;
      new Uint8Array(exports.memory.buffer).set(input, at);
      work(result, at);
      const [from = 0, length = 0] = new Uint32Array(exports.memory.buffer, result, 2);
      return new Uint8Array(exports.memory.buffer).slice(from, from + length);
    },
  };
}
