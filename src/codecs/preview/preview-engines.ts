import jpegDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm";
import * as pngDecoder from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm";
import jpegEngine from "../../media/jpeg/engine/jpeg-engine.wasm";
import pngEngine from "../../media/png/engine/png-engine.wasm";
import scaler from "../../media/preview/engine/preview-engine.wasm";

/** What previews are made with, compiled; libwebp is in `webp-engine.ts`. */
export const PREVIEW_ENGINES = {
  ...{ jpegDecoder, jpegEngine, pngEngine, scaler },
  // Its package describes what an instance exports, and not the module.
  pngDecoder: (pngDecoder as unknown as { readonly default: WebAssembly.Module }).default,
};
