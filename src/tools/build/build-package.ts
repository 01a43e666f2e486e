import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { run } from "../local/run.ts";
import { isFresh } from "./is-fresh.ts";
import { printTypes } from "./print-types.ts";

const CLIENT = "src/client";

export interface Package {
  readonly name: string;
  readonly description: string;
  /** The folder of its sources and its README; with modules also of the `tsconfig.json` of their types. */
  readonly source: string;
  /** The folder that npm packs. */
  readonly out: string;
  readonly oldestNode: string;
  /** Sources that users import, without extension. `index` has the name of the package. */
  readonly modules: readonly string[];
  /** More of them that share no chunk with others, so that each is a single file. */
  readonly alone?: readonly string[];
  /** The source of a program, and its name. */
  readonly command?: string;
  /** Whether a bundler must keep an import of a module of which nothing is used. */
  readonly sideEffects?: boolean;
}

const MANIFEST = "package.json";
const LICENSE = "LICENSE";
const README = "README.md";
/** `require` loads this folder; its own `package.json` makes its modules and their types CommonJS. */
const COMMONJS = "cjs";
const TYPES = "types";
/** Every package bundles parts of these. */
const SHARED = ["src/client", "src/contract", "src/domain"];
const TOOLS = ["typescript/package.json", "zod/package.json", "esbuild/package.json"];

/**
 * Makes a package without dependencies, unless neither its sources nor the tools changed: its modules as ES modules and CommonJS with types that stand
 * alone, its program, its README, the project's license and version.
 * @throws Error with the output of a compiler that fails
 */
export async function buildPackage(spec: Package): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const sources = (await Promise.all([spec.source, import.meta.dirname, ...SHARED].map(list))).flat();
  const others = [join(spec.source, README), MANIFEST, LICENSE, ...TOOLS.map((name) => resolve(name))];
  if (await isFresh(join(spec.out, MANIFEST), [...sources, ...others])) return;
  const startedAt = new Date();
  // A test that runs in the meantime finds the old package. A file that is not made any more goes with it.
  await mkdir(".wrangler", { recursive: true });
  const fresh = await mkdtemp(join(".wrangler", `package-${spec.name}-`));
  // Another user may install the folder.
  await chmod(fresh, 0o755);
  if (spec.modules.length > 0) await buildModules(spec, fresh);
  if (spec.command !== undefined)
    await buildProgram(join(spec.source, `${spec.command}.ts`), fresh, program(spec.command));
  await copyFile(join(spec.source, README), join(fresh, README));
  await copyFile(LICENSE, join(fresh, LICENSE));
  await writeFile(join(fresh, MANIFEST), `${JSON.stringify(await toManifest(spec), null, 2)}\n`);
  await utimes(join(fresh, MANIFEST), startedAt, startedAt);
  await rm(spec.out, { recursive: true, force: true });
  await rename(fresh, spec.out).catch(async (error: NodeJS.ErrnoException) => {
    // Another test has built the same package since.
    if (error.code !== "ENOTEMPTY") throw error;
    await rm(fresh, { recursive: true });
  });
}

async function buildModules({ source, modules, alone = [] }: Package, out: string): Promise<void> {
  const common = {
    bundle: true,
    minify: true,
    target: "es2022",
    logLevel: "error" as const,
    external: ["node:*"],
  } satisfies BuildOptions;
  // Modules share a chunk that few callers need, and load it when it is needed. A single module is a single file.
  const splitting = modules.length > 1;
  const commonjs = join(out, COMMONJS);
  for (const names of [modules, ...alone.map((name) => [name])]) {
    const entryPoints = names.map((name) => join(source, `${name}.ts`));
    await build({ ...common, entryPoints, format: "esm", outdir: out, splitting, chunkNames: "[name]" });
    await build({ ...common, entryPoints, format: "cjs", outdir: commonjs, platform: "node" });
  }
  await writeTypes(source, join(out, TYPES));
  await cp(join(out, TYPES), join(commonjs, TYPES), { recursive: true });
  await writeFile(join(commonjs, MANIFEST), '{ "type": "commonjs" }\n');
}

/** The program is not minified, so that a user can read it. A part that only one command needs is a chunk, which that command loads. */
async function buildProgram(entry: string, outdir: string, name: string): Promise<void> {
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outdir,
    logLevel: "error",
    splitting: true,
    chunkNames: "[name]-[hash]",
    banner: { js: "#!/usr/bin/env node" },
  });
  await chmod(join(outdir, name), 0o755);
}

async function toManifest(spec: Package): Promise<object> {
  const { version, license } = JSON.parse(await readFile(MANIFEST, "utf8")) as Record<string, string>;
  const { name, description, sideEffects, command } = spec;
  const modules = [...spec.modules, ...(spec.alone ?? [])];
  const folder = spec.source.replace(/^.*\//, "");
  const types = (module: string) => `./${TYPES}/${folder}/${module}.d.ts`;
  const typesOfRequire = (module: string) => `./${COMMONJS}/${TYPES}/${folder}/${module}.d.ts`;
  const exported = modules.map((module) => [
    module === "index" ? "." : `./${module}`,
    {
      import: { types: types(module), default: `./${module}.js` },
      require: { types: typesOfRequire(module), default: `./${COMMONJS}/${module}.js` },
    },
  ]);
  const others = modules.filter((module) => module !== "index");
  return {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects,
    engines: { node: `>=${spec.oldestNode}` },
    files: ["*.js", ...(modules.length > 0 ? [COMMONJS, TYPES] : [])],
    exports: { ...Object.fromEntries(exported), [`./${MANIFEST}`]: `./${MANIFEST}` },
    ...(command === undefined ? {} : { bin: { [command]: program(command) } }),
    // For tools that do not support `exports`.
    ...(modules.length === 0 ? {} : { main: `./${COMMONJS}/index.js`, types: typesOfRequire("index") }),
    ...(others.length === 0
      ? {}
      : { typesVersions: { "*": Object.fromEntries(others.map((module) => [module, [typesOfRequire(module)]])) } }),
  };
}

function program(command: string): string {
  return `${command}.js`;
}

async function list(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
}

/**
 * Writes the declarations of a folder, and of the client that it uses, each in a folder of its own. Types that are inferred from contracts are written out.
 * @param source the folder, with its `tsconfig.json`
 * @throws Error with the compiler's output
 */
async function writeTypes(source: string, out: string): Promise<void> {
  const compiler = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const declared = `${out}-declared`;
  await run(process.execPath, [join(compiler, "bin/tsc"), "-p", source, "--outDir", declared]);
  // The contract's own declarations are generated, too, and are not needed.
  for (const folder of new Set([basename(source), basename(CLIENT)])) {
    await mkdir(join(out, folder), { recursive: true });
    for (const name of await readdir(join(declared, folder))) {
      const text =
        folder === basename(CLIENT) && name === "types.d.ts"
          ? await printTypes(await readFile(join(CLIENT, "types.ts"), "utf8"))
          : await readFile(join(declared, folder, name), "utf8");
      await writeFile(join(out, folder, name), text.replace(/("\.\.?\/[\w/-]+)\.ts"/g, `$1.js"`));
    }
  }
  await rm(declared, { recursive: true });
}
