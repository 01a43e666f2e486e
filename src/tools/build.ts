import { copyFile, readdir, rename, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildAssets } from "./build/assets.ts";
import { buildDashboard } from "./build/dashboard.ts";
import { isFresh } from "./build/is-fresh.ts";
import { buildPackages } from "./build/packages.ts";
import { buildSharePage } from "./build/share-page.ts";
import { buildWorkers } from "./build/workers.ts";
import { run } from "./local/run.ts";

/** The engine has no runtime: it manages its own memory, and never ends by an assertion. */
const OPTIONS = ["--runtime", "stub", "-O3", "--converge", "--noAssert", "--use", "abort=", "--enable", "simd"];

/**
 * Compiles AssemblyScript to WebAssembly, unless neither the sources nor the compiler changed.
 * @param source the file with the exports
 * @throws Error with the compiler's output
 */
async function buildEngine(source: string, target: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const folder = dirname(source);
  const sources = (await readdir(folder)).filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
  const tools = [resolve("assemblyscript/package.json"), fileURLToPath(import.meta.url)];
  if (await isFresh(target, [...sources, ...tools])) return;
  const startedAt = new Date();
  const fresh = `${target}.${process.pid}`;
  const compiler = resolve("assemblyscript/bin/asc.js");
  await run(process.execPath, [compiler, source, "--outFile", fresh, ...OPTIONS]);
  // A source that changes while the compiler runs stays newer than the output.
  await utimes(fresh, startedAt, startedAt);
  // A Worker that starts in the meantime finds the old file or the new file, never a part of it.
  await rename(fresh, target);
}

/**
 * Copies the element for uploads, which pages of shares load, unless the copy is newer. Each running `wrangler dev` restarts its Workers when a file in
 * `.assets` is written, and their requests in progress fail.
 */
async function copyElement(): Promise<void> {
  const [element, target] = [".element/index.js", ".assets/media-upload.js"];
  if (await isFresh(target, [element])) return;
  const fresh = `.wrangler/element-${process.pid}.js`;
  await copyFile(element, fresh);
  await rename(fresh, target);
}

/** `npm run build`: builds the generated files that the Workers need. */
await Promise.all([
  Promise.all([buildAssets().then(() => Promise.all([buildDashboard(), buildSharePage()])), buildPackages()]).then(
    copyElement,
  ),
  // Each engine has a name of its own, because a Worker's modules are in one folder.
  Promise.all([
    buildEngine("src/media/jpeg/engine/index.ts", "src/media/jpeg/engine/jpeg-engine.wasm"),
    buildEngine("src/media/png/engine/index.ts", "src/media/png/engine/png-engine.wasm"),
    buildEngine("src/media/resample/engine/index.ts", "src/media/resample/engine/resample-engine.wasm"),
    buildEngine("src/media/sha256/engine/index.ts", "src/media/sha256/engine/sha256-engine.wasm"),
  ]).then(buildWorkers),
]);
