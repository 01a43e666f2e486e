import { copyFile, readdir, rename, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildAssets } from "./build/assets.ts";
import { buildDashboard } from "./build/dashboard.ts";
import { isFresh } from "./build/is-fresh.ts";
import { buildPackages } from "./build/packages.ts";
import { buildSharePage } from "./build/share-page.ts";
import { buildWorkers } from "./build/workers.ts";
import { run } from "./local/run.ts";

/** Each engine has a name of its own, because a Worker's modules are in one folder. */
const ENGINES = ["jpeg", "png", "resample", "sha256"].map((name) => ({
  folder: `src/media/${name}/engine`,
  target: `src/media/${name}/engine/${name}-engine.wasm`,
}));
const ENGINE_COMPILER = "src/tools/build/compile-engines.ts";

/**
 * Compiles the engines whose sources or compiler changed.
 * @throws Error with the compiler's output
 */
async function buildEngines(): Promise<void> {
  const tools = [createRequire(import.meta.url).resolve("assemblyscript/package.json"), ENGINE_COMPILER];
  const stale: typeof ENGINES = [];
  for (const { folder, target } of ENGINES) {
    const sources = (await readdir(folder)).filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
    if (!(await isFresh(target, [...sources, ...tools]))) stale.push({ folder, target });
  }
  if (stale.length === 0) return;
  const startedAt = new Date();
  const fresh = (target: string) => `${target}.${process.pid}`;
  const files = stale.flatMap(({ folder, target }) => [join(folder, "index.ts"), fresh(target)]);
  await run(process.execPath, [ENGINE_COMPILER, ...files]);
  for (const { target } of stale) {
    // A source that changes while the compiler runs stays newer than the output.
    await utimes(fresh(target), startedAt, startedAt);
    // A Worker that starts in the meantime finds the old file or the new file, never a part of it.
    await rename(fresh(target), target);
  }
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
  buildEngines().then(buildWorkers),
]);
