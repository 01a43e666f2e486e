import createDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import type { Pixels } from "../webp/webp-engine.ts";
import { withModule } from "../with-module.ts";

/**
 * Decodes a JPEG with libjpeg (@jsquash/jpeg). Each picture gets its own instance, because a failed one may be in any state. The
 * orientation is ignored.
 * @param module `mozjpeg_dec.wasm`
 * @returns undefined if libjpeg gives up
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
    // A libjpeg error ends its program.
    return undefined;
  }
}
