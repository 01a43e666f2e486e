import { readdir, rename, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../local/run.ts";
import { isFresh } from "./is-fresh.ts";

/** No runtime: an engine lays its memory out itself, and never ends by an assertion. */
const OPTIONS = ["--runtime", "stub", "-O3", "--converge", "--noAssert", "--use", "abort=", "--enable", "simd"];

/**
 * Compiles inner loops written in AssemblyScript to WebAssembly, unless neither they nor the compiler changed since.
 * @param source the file that exports them
 * @throws Error with what the compiler has to say
 */
export async function buildEngine(source: string, target: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const folder = dirname(source);
  const sources = (await readdir(folder)).filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
  const tools = [resolve("assemblyscript/package.json"), fileURLToPath(import.meta.url)];
  if (await isFresh(target, [...sources, ...tools])) return;
  const startedAt = new Date();
  const fresh = `${target}.${process.pid}`;
  const compiler = resolve("assemblyscript/bin/asc.js");
  await run(process.execPath, [compiler, source, "--outFile", fresh, ...OPTIONS]);
  // What is changed while the compiler runs is newer than what it made.
  await utimes(fresh, startedAt, startedAt);
  // A Worker that starts meanwhile finds the old one or the new one, never half of it.
  await rename(fresh, target);
}
