import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";

export type WorkerModule =
  | { readonly type: "ESModule"; readonly path: string; readonly contents: string }
  | { readonly type: "CompiledWasm"; readonly path: string; readonly contents: Uint8Array<ArrayBuffer> };

/** A Worker's entry and all it imports as one ES module, with its WebAssembly beside it, as wrangler would upload them. */
export async function bundleWorker(entry: string, options: { readonly minify: boolean }): Promise<WorkerModule[]> {
  const wasm = new Map<string, string>();
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    loader: { ".sql": "text" },
    plugins: [collectWasm(wasm)],
    minify: options.minify,
    write: false,
  });
  const modules = await Promise.all(
    Array.from(wasm, async ([path, file]): Promise<WorkerModule> => {
      return { type: "CompiledWasm", path, contents: new Uint8Array(await readFile(file)) };
    }),
  );
  return [{ type: "ESModule", path: "worker.js", contents: outputFiles[0]?.text ?? "" }, ...modules];
}

/** Leaves imports of WebAssembly to the runtime, and records the files. */
function collectWasm(found: Map<string, string>): Plugin {
  return {
    name: "wasm",
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
        const name = basename(path);
        found.set(name, createRequire(join(resolveDir, "_")).resolve(path));
        return { path: `./${name}`, external: true };
      });
    },
  };
}
