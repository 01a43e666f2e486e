import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { run } from "../local/run.ts";
import { printTypes } from "./print-types.ts";

const CLIENT = "src/client";

/**
 * Writes the declarations of a folder, and of the client that it uses, each in a folder of its own. Types that are inferred from contracts are written out.
 * @param source the folder, with its `tsconfig.json`
 * @throws Error with the compiler's output
 */
export async function writeTypes(source: string, out: string): Promise<void> {
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
