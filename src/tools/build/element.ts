import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { run } from "../local/run.ts";
import { printTypes } from "./client-types.ts";
import { isFresh } from "./is-fresh.ts";
import { PACKAGE_SOURCES, writePackage } from "./write-package.ts";

const { resolve } = createRequire(import.meta.url);
const SOURCE = "src/element";
const CLIENT = "src/client";
const OUT = ".element";
const TYPES = join(OUT, "types");
const README = join(SOURCE, "README.md");

const PACKAGE = {
  name: "edge-media-host-upload",
  description: "<media-upload>: an element that uploads images and videos to the media host.",
  type: "module",
  // Importing it defines the element.
  sideEffects: true,
  files: ["index.js", "types"],
  exports: { ".": { types: "./types/element/index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
  types: "./types/element/index.d.ts",
};

/** Makes `<media-upload>` a package in `.element`: one module without dependencies, and its types. */
export async function buildElement(): Promise<void> {
  const sources = (await Promise.all([SOURCE, CLIENT, "src/contract", "src/domain"].map(list))).flat();
  const own = [import.meta.filename, join(import.meta.dirname, "client-types.ts"), README, ...PACKAGE_SOURCES];
  // The file that is written last.
  if (await isFresh(join(OUT, "package.json"), [...sources, ...own])) return;
  await build({
    entryPoints: [join(SOURCE, "index.ts")],
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", logLevel: "error", outdir: OUT },
  });
  const declared = join(OUT, "declared");
  const compiler = join(dirname(resolve("typescript/package.json")), "bin/tsc");
  await run(process.execPath, [compiler, "-p", SOURCE, "--outDir", declared]);
  for (const folder of ["element", "client"]) {
    await mkdir(join(TYPES, folder), { recursive: true });
    for (const name of await readdir(join(declared, folder))) {
      const text =
        name === "types.d.ts"
          ? await printTypes(await readFile(join(CLIENT, "types.ts"), "utf8"))
          : await readFile(join(declared, folder, name), "utf8");
      await writeFile(join(TYPES, folder, name), text.replace(/("\.\.?\/[\w/-]+)\.ts"/g, `$1.js"`));
    }
  }
  await rm(declared, { recursive: true });
  await writePackage(OUT, README, PACKAGE);
}

async function list(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}
