import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Unstable_RawConfig } from "wrangler";
import { bundleWorker } from "../local/bundle-worker.ts";

/** Files of the Container's image (`.dockerignore`). */
const IMAGE_SOURCES = ["container", "src/domain", "src/media"];
const NOT_COPIED = "node_modules";

/**
 * A hash of a Worker's upload: bundled code without comments, configuration, assets, files of the Container's image, and the version of
 * wrangler.
 * @param configPath path of the tracked file, to which paths in `config` are relative
 * @param container whether the Container is deployed with it
 */
export async function hashWorker(configPath: string, config: Unstable_RawConfig, container: boolean): Promise<string> {
  const hash = createHash("sha256");
  const folder = dirname(configPath);
  const add = (name: string, contents: string | Uint8Array) => {
    // The lengths are hashed, too, so that no two lists of files give the same text.
    hash.update(`${name}\n${contents.length}\n`).update(contents);
  };
  add("wrangler", wranglerVersion());
  add("config", JSON.stringify(config));
  if (config.main !== undefined) {
    const modules = await bundleWorker(join(folder, config.main), { minify: true });
    // The bundler names WebAssembly modules in the order in which it finds them, which varies.
    for (const { path, contents } of modules.sort((a, b) => (a.path < b.path ? -1 : 1))) add(path, contents);
  }
  if (config.assets?.directory !== undefined) await addFolder(join(folder, config.assets.directory), add);
  if (container && (config.containers ?? []).length > 0) {
    for (const source of IMAGE_SOURCES) await addFolder(source, add);
  }
  return hash.digest("hex");
}

async function addFolder(folder: string, add: (name: string, contents: Uint8Array) => void): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.split(/[\\/]/).includes(NOT_COPIED))
    .sort();
  for (const path of paths) add(path, await readFile(path));
}

function wranglerVersion(): string {
  return (createRequire(import.meta.url)("wrangler/package.json") as { version: string }).version;
}
