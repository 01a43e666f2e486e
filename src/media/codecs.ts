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
  return (await import("./jpeg/engine/jpeg-engine.wasm")).default;
}

/** Our own: the inner loops of `png/`. */
export async function loadPngEngine(): Promise<WebAssembly.Module> {
  return (await import("./png/engine/png-engine.wasm")).default;
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
