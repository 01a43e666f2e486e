import type { Pixels } from "../webp/webp-engine.ts";

/** The exports of `squoosh_png_bg.wasm` that are used here. */
interface PngExports {
  readonly memory: WebAssembly.Memory;
  __wbindgen_malloc(bytes: number, alignment: number): number;
  __wbindgen_free(at: number, bytes: number, alignment: number): void;
  decode(at: number, bytes: number): number;
}

/**
 * Decodes a PNG with @jsquash/png's WebAssembly. The package's wrapper has one permanent instance, which a damaged file would leave in the
 * middle of its work. Here each file has its own instance.
 * @param module `squoosh_png_bg.wasm`
 * @returns undefined if the file is damaged
 */
export function decodePng(module: WebAssembly.Module, file: Uint8Array<ArrayBuffer>): Pixels | undefined {
  let pixels: Pixels | undefined;
  const takePixels = (at: number, length: number, width: number, height: number): number => {
    pixels = { data: new Uint8Array(exports.memory.buffer, at, length).slice(), width, height };
    exports.__wbindgen_free(at, length, 1);
    return 0;
  };
  const fail = () => {
    throw new Error("Damaged");
  };
  // The generated names end with a hash that changes with the compiler.
  const imports = WebAssembly.Module.imports(module).map(({ name }) => {
    if (name.startsWith("__wbg_newwithownedu8clampedarray")) return [name, takePixels];
    return [name, name === "__wbindgen_object_drop_ref" ? () => undefined : fail];
  });
  const instance = new WebAssembly.Instance(module, { wbg: Object.fromEntries(imports) });
  const exports = instance.exports as unknown as PngExports;
  try {
    const at = exports.__wbindgen_malloc(file.length, 1);
    new Uint8Array(exports.memory.buffer).set(file, at);
    exports.decode(at, file.length);
    return pixels;
  } catch {
    return undefined;
  }
}
