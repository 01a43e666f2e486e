import createDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import { defaultOptions } from "@jsquash/webp/meta.js";
import { withModule } from "../with-module.ts";
import { LibwebpEncoder } from "./libwebp-encoder.ts";
import { MemoryBound } from "./memory-bound.ts";
import type { Pixels, WebpEngine } from "./webp-engine.ts";

/** The quality of a lossless WebP is its effort. */
const LOSSLESS_EFFORT = 75;

/** The initial memory of an instance holds many times this number of pixels. */
export const MAX_KEPT_PIXELS = 250_000;

interface Instance<Module> {
  readonly module: Module;
  readonly memory: MemoryBound;
}

type Encoder = Instance<LibwebpEncoder>;
type Decoder = Instance<Awaited<ReturnType<typeof createDecoder>>>;

/** The compiled modules of @jsquash/webp: `webp_dec.wasm` and `webp_enc_simd.wasm`. */
export interface LibwebpModules {
  readonly decoder: WebAssembly.Module;
  readonly encoder: WebAssembly.Module;
}

/**
 * libwebp in WebAssembly. The Codec Worker and the Container use it with the same options, so both compress a file to the same result. Each
 * image gets a new instance, because an instance's memory never shrinks and a trap may leave it in any state. The encoder for small images
 * is used again, because making it takes as long as using it. So is the decoder, until the garbage collector needs its memory.
 */
export function makeLibwebpEngine(
  { decoder, encoder }: LibwebpModules,
  maxPixels: WebpEngine["maxPixels"],
): WebpEngine {
  let kept: Encoder | undefined;
  const openEncoder = (): Encoder => {
    const memory = new MemoryBound();
    return { module: new LibwebpEncoder(encoder, memory), memory };
  };
  let idleDecoder: WeakRef<Decoder> | undefined;
  const openDecoder = async (): Promise<Decoder> => {
    const memory = new MemoryBound();
    return { module: await createDecoder(withModule(decoder, memory)), memory };
  };
  return {
    maxPixels,

    async decode(file, maxMemoryBytes = Number.POSITIVE_INFINITY) {
      const instance = idleDecoder?.deref() ?? (await openDecoder());
      idleDecoder = undefined;
      const image = instance.memory.call(maxMemoryBytes, () => instance.module.decode(file)) as Pixels | null;
      if (image === null) return undefined;
      if (image.width * image.height <= MAX_KEPT_PIXELS) idleDecoder = new WeakRef(instance);
      return image;
    },

    async encode(
      { data, width, height },
      { quality, lossless, effort = defaultOptions.method, savesMemory = false, maxMemoryBytes },
    ) {
      const options = lossless
        ? { ...defaultOptions, lossless: 1, exact: 1, quality: LOSSLESS_EFFORT }
        : { ...defaultOptions, quality, method: effort, low_memory: savesMemory ? 1 : 0 };
      const instance = kept ?? openEncoder();
      kept = undefined;
      const file = instance.memory.call(maxMemoryBytes ?? Number.POSITIVE_INFINITY, () =>
        instance.module.encode(data, { width, height }, options),
      );
      if (width * height <= MAX_KEPT_PIXELS) kept = instance;
      if (file === null) throw new Error("The WebP encoder failed");
      return file;
    },
  };
}
