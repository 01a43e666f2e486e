import { copyFile, mkdir, readdir, rename, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { isFresh } from "./is-fresh.ts";

const SOURCE = "src/dashboard/share-page";
const OUT = ".assets/share-page";
const FONT = "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2";

export const SHARE_PAGE_SCRIPT = join(OUT, "page.js");

/** Builds the script and copies the font of shares' pages (src/api/share-page), unless they are newer than the sources. */
export async function buildSharePage(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const folders = [SOURCE, "src/dashboard/file", "src/domain"];
  const sources = (await Promise.all(folders.map(list))).flat();
  const others = ["package-lock.json", fileURLToPath(import.meta.url)];
  if (await isFresh(SHARE_PAGE_SCRIPT, [...sources, ...others])) return;
  const startedAt = new Date();
  await mkdir(dirname(SHARE_PAGE_SCRIPT), { recursive: true });
  await copyFile(resolve(FONT), join(OUT, "instrument-sans.woff2"));
  const fresh = `${SHARE_PAGE_SCRIPT}.${process.pid}`;
  await build({
    entryPoints: [join(SOURCE, "index.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    outfile: fresh,
    logLevel: "error",
  });
  // A source that changes in the meantime stays newer than the output.
  await utimes(fresh, startedAt, startedAt);
  await rename(fresh, SHARE_PAGE_SCRIPT);
}

async function list(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}
