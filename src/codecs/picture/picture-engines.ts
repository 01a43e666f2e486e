import jpegDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm";
import * as pngDecoder from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm";
import jpegEngine from "../../media/jpeg/engine/jpeg-engine.wasm";
import pngEngine from "../../media/png/engine/png-engine.wasm";
import resampler from "../../media/resample/engine/resample-engine.wasm";

/** Compiled engines for pictures, except libwebp (`libwebp.ts`). */
export const PICTURE_ENGINES = {
  jpegDecoder,
  jpegEngine,
  pngEngine,
  resampler,
  // The package's types describe the instance's exports instead of the module.
  pngDecoder: (pngDecoder as unknown as { readonly default: WebAssembly.Module }).default,
};
