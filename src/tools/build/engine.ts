import { rename } from "node:fs/promises";
import { createRequire } from "node:module";
import { run } from "../local/run.ts";

/** No runtime: an engine lays its memory out itself, and never ends by an assertion. */
const OPTIONS = ["--runtime", "stub", "-O3", "--converge", "--noAssert", "--use", "abort=", "--enable", "simd"];

/**
 * Compiles inner loops written in AssemblyScript to WebAssembly.
 * @param source the file that exports them
 * @throws Error with what the compiler has to say
 */
export async function buildEngine(source: string, target: string): Promise<void> {
  const fresh = `${target}.${process.pid}`;
  const compiler = createRequire(import.meta.url).resolve("assemblyscript/bin/asc.js");
  await run(process.execPath, [compiler, source, "--outFile", fresh, ...OPTIONS]);
  // A Worker that starts meanwhile finds the old one or the new one, never half of it.
  await rename(fresh, target);
}
