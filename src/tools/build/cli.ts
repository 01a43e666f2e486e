import { chmod, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { isFresh } from "./is-fresh.ts";

const OUT = ".cli";
const PROGRAM = "media-host.js";

const PACKAGE = {
  name: "edge-media-host-cli",
  version: "0.1.0",
  description: "Uploads to the media host from the command line.",
  type: "module",
  license: "MIT",
  engines: { node: ">=20.4" },
  bin: { "media-host": `./${PROGRAM}` },
};

/** Makes the command line for people a package in `.cli`: one file that Node runs, without dependencies. */
export async function buildCli(): Promise<void> {
  const own = ["./cli.ts"].map((name) => join(import.meta.dirname, name));
  const sources = (await Promise.all(["src/cli", "src/client", "src/domain"].map(list))).flat();
  // The last file that is written.
  const last = join(OUT, "package.json");
  const esbuild = createRequire(import.meta.url).resolve("esbuild/package.json");
  if (await isFresh(last, [...sources, ...own, esbuild])) return;
  const outfile = join(OUT, PROGRAM);
  await build({
    entryPoints: ["src/cli/media-host.ts"],
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", outfile },
    banner: { js: "#!/usr/bin/env node" },
    logLevel: "error",
  });
  await chmod(outfile, 0o755);
  await writeFile(last, `${JSON.stringify(PACKAGE, null, 2)}\n`);
}

async function list(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}
