import decoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import encoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import { makeLibwebpEngine } from "../media/webp/libwebp-engine.ts";
import { MAX_PIXELS } from "./webp-memory.ts";

/** libwebp for pictures that block the thread for less than a second. */
export const webpEngine = makeLibwebpEngine({ decoder, encoder }, MAX_PIXELS);
