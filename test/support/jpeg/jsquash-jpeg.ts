import { readFile } from "node:fs/promises";
import createDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import type { Pixels } from "../../../src/media/webp/webp-engine.ts";
import { withModule } from "../../../src/media/with-module.ts";

/** Workers have no such function, so their types lack it. */
const { compile } = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
const module = await compile(await readFile("node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"));

export interface DecodedJpeg {
  readonly pixels: Pixels | undefined;
  /** libjpeg's warnings of damage. */
  readonly warnings: readonly string[];
}

/** Decodes with libjpeg as `@jsquash/jpeg` has it in WebAssembly. */
export async function decodeWithJsquash(jpeg: Uint8Array<ArrayBuffer>): Promise<DecodedJpeg> {
  const warnings: string[] = [];
  const printErr = (text: string) => warnings.push(text);
  const decoder = await createDecoder({ ...withModule(module), printErr });
  try {
    return { pixels: decoder.decode(jpeg, false) ?? undefined, warnings };
  } catch {
    // An error of libjpeg ends its program.
    return { pixels: undefined, warnings };
  }
}
