import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { bundleWorker } from "./local/bundle-worker.ts";

/** `npm run bundle-size`: what a cold start loads, and what a page loads that uploads. A view must start a bundle of a few KB. */

const MAX_CDN_KB = 25;
const MAX_CLIENT_KB = 6;
const CLIENT = ".client/index.js";
/** Names of WebAssembly modules: image codecs are the Codec Worker's alone. */
const WASM = /\.wasm$/;

const sizes = new Map<string, number>();
for (const [name, entry] of [
  ["API Worker", "src/worker.ts"],
  ["CDN Worker", "src/cdn/worker.ts"],
  ["Codec Worker", "src/codecs/worker.ts"],
] as const) {
  for (const { path, contents } of await bundleWorker(entry, { minify: true })) {
    const kb = gzipSync(contents).length / 1024;
    sizes.set(name, (sizes.get(name) ?? 0) + kb);
    console.log(`${name}, ${path}: ${kb.toFixed(1)} KB gzip`);
    if (WASM.test(path) && name !== "Codec Worker") {
      console.error(`error: the ${name} has a codec`);
      process.exit(1);
    }
  }
}
if ((sizes.get("CDN Worker") ?? 0) > MAX_CDN_KB) {
  console.error(`error: the CDN Worker is over ${MAX_CDN_KB} KB`);
  process.exit(1);
}
const client = await readFile(CLIENT, "utf8");
const clientKb = gzipSync(client).length / 1024;
console.log(`client: ${clientKb.toFixed(1)} KB gzip`);
if (clientKb > MAX_CLIENT_KB) {
  console.error(`error: the client is over ${MAX_CLIENT_KB} KB`);
  process.exit(1);
}
if (/(^|[;}])import\b|\brequire\(/.test(client)) {
  console.error("error: the client depends on another module");
  process.exit(1);
}
