import { build } from "esbuild";

/** A Worker's entry and all it imports as one ES module, as wrangler would upload it. */
export async function bundleWorker(entry: string, options: { readonly minify: boolean }): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    minify: options.minify,
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
