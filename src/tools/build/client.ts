import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { run } from "../local/run.ts";
import { printTypes } from "./client-types.ts";
import { isFresh } from "./is-fresh.ts";

const { resolve } = createRequire(import.meta.url);
const SOURCE = "src/client";
const OUT = ".client";
const TYPES = join(OUT, "types");

const PACKAGE = {
  name: "edge-media-host-client",
  version: "0.1.0",
  description: "The typed client of the media host, for browsers, Node and Workers.",
  type: "module",
  license: "MIT",
  sideEffects: false,
  engines: { node: ">=20.3" },
  exports: {
    ".": { types: "./types/index.d.ts", default: "./index.js" },
    "./node": { types: "./types/node.d.ts", default: "./node.js" },
  },
};

/** Makes the client a package in `.client`: one module without dependencies, and types that stand alone. */
export async function buildClient(): Promise<void> {
  const sources = (await Promise.all([SOURCE, "src/contract", "src/domain"].map(list))).flat();
  const tools = ["typescript/package.json", "zod/package.json"].map((name) => resolve(name));
  const own = ["./client.ts", "./client-types.ts"].map((name) => join(import.meta.dirname, name));
  // The last file that is written.
  const last = join(OUT, "package.json");
  if (await isFresh(last, [...sources, ...tools, ...own])) return;
  await build({
    entryPoints: [join(SOURCE, "index.ts"), join(SOURCE, "node.ts")],
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", outdir: OUT, sourcemap: true },
    // Contracts have types for it, and nothing else.
    external: ["node:*"],
    logLevel: "error",
  });
  // The contract's own declarations come with it, and are not wanted.
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
  await writeFile(last, `${JSON.stringify(PACKAGE, null, 2)}\n`);
}

async function list(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}
