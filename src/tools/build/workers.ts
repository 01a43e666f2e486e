import { mkdir, readdir, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorker } from "../local/bundle-worker.ts";
import { isFresh } from "./is-fresh.ts";

/** The folder of the bundled Workers, each in a folder of its own: `.bundle/api/worker.js` and its WebAssembly. */
export const BUNDLES = ".bundle";
/** Files that a Worker may import, besides the packages of package-lock.json. */
const SOURCES = ["src", "migrations"];
const IMPORTED = /\.(ts|sql|wasm)$/;
/** The folder in which wrangler writes temporary files, also below `src`. */
const TEMPORARY = /(^|\/)\.wrangler\//;

const ENTRIES = [
  ["api", "src/tools/local/drained-api.ts"],
  ["cdn", "src/cdn/worker.ts"],
  ["codecs", "src/codecs/worker.ts"],
] as const;
/** The file that is written last. */
const BUILT = join(BUNDLES, "codecs", "worker.js");

/** Bundles the three Workers for local stacks, unless the bundles are newer than all sources. `npm run dev` serves the sources instead. */
export async function buildWorkers(): Promise<void> {
  const sources = (await Promise.all(SOURCES.map(listFiles))).flat();
  if (await isFresh(BUILT, [...sources, "package-lock.json", fileURLToPath(import.meta.url)])) return;
  const startedAt = new Date();
  for (const [name, entry] of ENTRIES) {
    const out = join(BUNDLES, name);
    for (const folder of [out, ".wrangler"]) await mkdir(folder, { recursive: true });
    const modules = await bundleWorker(entry, { minify: false });
    for (const { path, contents } of modules.reverse()) {
      const fresh = join(".wrangler", `${name}-${process.pid}-${path}`);
      await writeFile(fresh, contents);
      // A source that changes in the meantime stays newer than the output.
      await utimes(fresh, startedAt, startedAt);
      await rename(fresh, join(out, path));
    }
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((path) => IMPORTED.test(path) && !TEMPORARY.test(path)).map((path) => join(folder, path));
}
