import createDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import type { Pixels } from "../webp/webp-engine.ts";
import { withModule } from "../with-module.ts";

/**
 * Decodes a JPEG with libjpeg, as @jsquash/jpeg has it. Each has an instance of its own, as one that has failed may be in any state.
 * Orientation is not heeded.
 * @param module `mozjpeg_dec.wasm`
 * @returns undefined where libjpeg gives up
 */
export async function decodeJpeg(
  module: WebAssembly.Module,
  file: Uint8Array<ArrayBuffer>,
): Promise<Pixels | undefined> {
  const quiet = { print: () => undefined, printErr: () => undefined };
  const decoder = await createDecoder({ ...withModule(module), ...quiet });
  try {
    return decoder.decode(file, false) ?? undefined;
  } catch {
    // An error of libjpeg's ends its program.
    return undefined;
  }
}
