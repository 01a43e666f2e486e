import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { run } from "../local/run.ts";
import { printTypes } from "./client-types.ts";
import { isFresh } from "./is-fresh.ts";
import { PACKAGE_SOURCES, writePackage } from "./write-package.ts";

const { resolve } = createRequire(import.meta.url);
const SOURCE = "src/client";
const OUT = ".client";
const TYPES = join(OUT, "types");
/** `require` loads this folder; its own `package.json` makes its modules and their types CommonJS. */
const COMMONJS = join(OUT, "cjs");
const README = join(SOURCE, "README.md");

const entry = (name: string) => ({
  import: { types: `./types/${name}.d.ts`, default: `./${name}.js` },
  require: { types: `./cjs/types/${name}.d.ts`, default: `./cjs/${name}.js` },
});

const PACKAGE = {
  name: "edge-media-host-client",
  description: "The typed client of the media host, for browsers, Node and Workers.",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.3" },
  files: ["*.js", "cjs", "types"],
  exports: {
    ".": entry("index"),
    "./node": entry("node"),
    "./images": entry("images"),
    "./package.json": "./package.json",
  },
  // For tools that do not support `exports`.
  main: "./cjs/index.js",
  types: "./cjs/types/index.d.ts",
  typesVersions: { "*": { node: ["./cjs/types/node.d.ts"], images: ["./cjs/types/images.d.ts"] } },
};

/** Makes the client a package in `.client`: modules without dependencies, and types that stand alone. */
export async function buildClient(): Promise<void> {
  const sources = (await Promise.all([SOURCE, "src/contract", "src/domain", "src/domain/variants"].map(list))).flat();
  const tools = ["typescript/package.json", "zod/package.json"].map((name) => resolve(name));
  const own = ["./client.ts", "./client-types.ts"].map((name) => join(import.meta.dirname, name));
  own.push(README, ...PACKAGE_SOURCES);
  // The file that is written last.
  const last = join(OUT, "package.json");
  if (await isFresh(last, [...sources, ...tools, ...own])) return;
  const common = {
    entryPoints: ["index.ts", "node.ts", "images.ts"].map((name) => join(SOURCE, name)),
    ...{ bundle: true, minify: true, target: "es2022", logLevel: "error" as const },
    // Contracts have types for it, and nothing else.
    external: ["node:*"],
  } satisfies BuildOptions;
  // A module that few callers need is loaded when it is needed.
  await build({ ...common, format: "esm", outdir: OUT, splitting: true, chunkNames: "[name]" });
  await build({ ...common, format: "cjs", outdir: COMMONJS, platform: "node" });
  // The contract's own declarations are generated, too, and are not needed.
  const declared = join(OUT, "declared");
  await run(process.execPath, [
    join(dirname(resolve("typescript/package.json")), "bin/tsc"),
    "-p",
    SOURCE,
    "--outDir",
    declared,
  ]);
  await mkdir(TYPES, { recursive: true });
  for (const path of await list(join(declared, "client"))) {
    const name = basename(path);
    const text =
      name === "types.d.ts"
        ? await printTypes(await readFile(join(SOURCE, "types.ts"), "utf8"))
        : await readFile(path, "utf8");
    await writeFile(join(TYPES, name), text.replace(/("\.\/[\w-]+)\.ts"/g, `$1.js"`));
  }
  await rm(declared, { recursive: true });
  await cp(TYPES, join(COMMONJS, "types"), { recursive: true });
  await writeFile(join(COMMONJS, "package.json"), '{ "type": "commonjs" }\n');
  await writePackage(OUT, README, PACKAGE);
}

async function list(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}
