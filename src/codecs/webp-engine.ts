import decoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import encoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import { makeLibwebpEngine } from "../media/webp/libwebp-engine.ts";

/** libwebp, for pictures that hold the thread for a moment only; larger ones are the Container's. */
export const webpEngine = makeLibwebpEngine({ decoder, encoder }, { lossy: 250_000, lossless: 20_000 });
