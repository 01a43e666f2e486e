import { chmod, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { isFresh } from "./is-fresh.ts";
import { PACKAGE_SOURCES, writePackage } from "./write-package.ts";

const OUT = ".cli";
const PROGRAM = "media-host.js";
const README = "src/cli/README.md";

const PACKAGE = {
  name: "edge-media-host-cli",
  description: "Uploads to the media host from the command line.",
  type: "module",
  engines: { node: ">=20.4" },
  files: [PROGRAM],
  bin: { "media-host": `./${PROGRAM}` },
};

/** Makes the command line for users a package in `.cli`: one file that Node runs, without dependencies. */
export async function buildCli(): Promise<void> {
  const own = [import.meta.filename, README, ...PACKAGE_SOURCES];
  const sources = (await Promise.all(["src/cli", "src/client", "src/domain"].map(list))).flat();
  // The file that is written last.
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
  await writePackage(OUT, README, PACKAGE);
}

async function list(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}
