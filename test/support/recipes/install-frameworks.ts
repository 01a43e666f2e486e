import { copyFile, mkdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { npm } from "../packages/pack-all.ts";

const SOURCE = resolve(import.meta.dirname, "frameworks");
const CACHE = resolve("node_modules/.cache/recipe-frameworks");
const MANIFEST = "package.json";
const LOCK = "package-lock.json";
/** The lock file of a complete installation. */
const INSTALLED = "installed.json";

/**
 * Installs Next.js, Astro, SvelteKit, Nuxt Image and ipx from their own lock file, unless a run before has done it.
 * @returns their `node_modules`
 */
export async function installFrameworks(): Promise<string> {
  const [lock, installed] = await Promise.all([
    readFile(join(SOURCE, LOCK), "utf8"),
    readFile(join(CACHE, INSTALLED), "utf8").catch(() => undefined),
  ]);
  if (lock !== installed) {
    await rm(CACHE, { recursive: true, force: true });
    await mkdir(CACHE, { recursive: true });
    for (const name of [MANIFEST, LOCK]) await copyFile(join(SOURCE, name), join(CACHE, name));
    await npm(["ci", "--prefer-offline"], CACHE);
    await copyFile(join(CACHE, LOCK), join(CACHE, INSTALLED));
  }
  return join(CACHE, "node_modules");
}
