import { rename } from "node:fs/promises";
import { createRequire } from "node:module";
import { run } from "../local/run.ts";

const SOURCE = "src/media/jpeg/engine/index.ts";
const OUT = "src/media/jpeg/engine/engine.wasm";
/** No runtime: the engine lays its memory out itself, and never ends by an assertion. */
const OPTIONS = ["--runtime", "stub", "-O3", "--converge", "--noAssert", "--use", "abort=", "--enable", "simd"];

/** Compiles the loops of the JPEG recompressor to WebAssembly. @throws Error with what the compiler has to say */
export async function buildJpegEngine(): Promise<void> {
  const fresh = `${OUT}.${process.pid}`;
  const compiler = createRequire(import.meta.url).resolve("assemblyscript/bin/asc.js");
  await run(process.execPath, [compiler, SOURCE, "--outFile", fresh, ...OPTIONS]);
  // A Worker that starts meanwhile finds the old one or the new one, never half of it.
  await rename(fresh, OUT);
}
