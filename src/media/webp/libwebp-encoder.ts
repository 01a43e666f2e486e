import type { EncodeOptions } from "@jsquash/webp/codec/enc/webp_enc.js";
import type { MemoryBound } from "./memory-bound.ts";

/**
 * The members of libwebp's `WebPConfig` in their order, four bytes each, that @jsquash/webp's module reads (encode.h). The encoder itself sets
 * the last one, `qmax`.
 */
const CONFIG = [
  ...["lossless", "quality", "method", "image_hint", "target_size", "target_PSNR", "segments", "sns_strength"],
  ...["filter_strength", "filter_sharpness", "filter_type", "autofilter", "alpha_compression", "alpha_filtering"],
  ...["alpha_quality", "pass", "show_compressed", "preprocessing", "partitions", "partition_limit"],
  ...["emulate_jpeg_size", "thread_level", "low_memory", "near_lossless", "exact", "use_delta_palette"],
  ...["use_sharp_yuv", "qmin", "qmax"],
] as const;
const FLOATS: readonly string[] = ["quality", "target_PSNR"];
/** The call's memory: the result's handle, a `std::string` of three words (libc++'s alternate layout) and the configuration. */
const STRING_AT = 8;
const CONFIG_AT = STRING_AT + 12;
const CALL_BYTES = CONFIG_AT + 4 * CONFIG.length;
/** The flag, in a string's capacity, of a string whose bytes are elsewhere. */
const LONG_STRING = 0x8000_0000;
/** The result, four numbers and two more: the parameters of C++'s `encode`, as the module registers it. */
const ENCODE_PARAMETERS = 5;
/** A handle of a JavaScript value; the smallest ones are for constants. */
const HANDLE = 8;

/** The exports of `webp_enc_simd.wasm` of @jsquash/webp 1.5. */
interface Exports {
  readonly x: WebAssembly.Memory;
  /** Runs constructors, which register functions and types. */
  y(): void;
  malloc(bytes: number): number;
  free(at: number): void;
  readonly D: WebAssembly.Table;
}

/** Encodes RGBA pixels; null if libwebp refuses them or gets no memory. */
export type LibwebpEncoder = (
  pixels: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  options: EncodeOptions,
) => Uint8Array<ArrayBuffer> | null;
