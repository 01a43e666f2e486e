import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { weighDashboard } from "./build/dashboard-sizes.ts";
import { SHARE_PAGE_SCRIPT } from "./build/share-page.ts";
import { BUNDLES } from "./build/workers.ts";

/** `npm run bundle-size`: checks the sizes of the Workers, the client and the dashboard. A view must start a bundle of a few KB. */

const MAX_CDN_KB = 25;
const MAX_CLIENT_KB = 6;
const MAX_IMAGES_KB = 2;
const MAX_PART_KB = 1;
const MAX_ELEMENT_KB = 10;
/** All of the script of a share's page. */
const MAX_SHARE_PAGE_KB = 60;
/** Limits of a dashboard page: scripts and styles of the first load, and each lazy script. */
const MAX_PAGE_KB = 120;
const MAX_STYLE_KB = 15;
const MAX_CHUNK_KB = 40;
const CLIENTS = [
  ["client", ".client/index.js", MAX_CLIENT_KB],
  ["client, images", ".client/images.js", MAX_IMAGES_KB],
  ["client, events", ".client/events.js", MAX_PART_KB],
  ["client, admin", ".client/admin.js", MAX_PART_KB],
  ["media-upload", ".element/index.js", MAX_ELEMENT_KB],
  ["page of a share", SHARE_PAGE_SCRIPT, MAX_SHARE_PAGE_KB],
] as const;
/** Names of WebAssembly modules: only the Codec Worker has image codecs. */
const CODEC = /(?<!sha256-engine)\.wasm$/;

const sizes = new Map<string, number>();
for (const [name, folder] of [
  ["API Worker", "api"],
  ["CDN Worker", "cdn"],
  ["Codec Worker", "codecs"],
] as const) {
  for (const file of await readdir(join(BUNDLES, folder))) {
    const contents = await readFile(join(BUNDLES, folder, file));
    const kb = gzipSync(file.endsWith(".js") ? await minify(contents.toString()) : contents).length / 1024;
    sizes.set(name, (sizes.get(name) ?? 0) + kb);
    console.log(`${name}, ${file}: ${kb.toFixed(1)} KB gzip`);
    if (CODEC.test(file) && name !== "Codec Worker") {
      console.error(`error: the ${name} has a codec`);
      process.exit(1);
    }
  }
}
if ((sizes.get("CDN Worker") ?? 0) > MAX_CDN_KB) {
  console.error(`error: the CDN Worker is over ${MAX_CDN_KB} KB`);
  process.exit(1);
}
for (const [name, path, maxKb] of CLIENTS) {
  const client = await readFile(path, "utf8");
  const clientKb = gzipSync(client).length / 1024;
  console.log(`${name}: ${clientKb.toFixed(1)} KB gzip`);
  if (clientKb > maxKb) {
    console.error(`error: the ${name} is over ${maxKb} KB`);
    process.exit(1);
  }
  if (/(^|[;}])import\b|\brequire\(/.test(client)) {
    console.error(`error: the ${name} depends on another module`);
    process.exit(1);
  }
}

const { pages, chunks } = await weighDashboard();
const tooLarge: string[] = [];
for (const [name, { scriptKb, styleKb }] of pages) {
  console.log(`dashboard, ${name}: ${scriptKb.toFixed(1)} KB gzip, styles ${styleKb.toFixed(1)} KB`);
  if (scriptKb > MAX_PAGE_KB || styleKb > MAX_STYLE_KB)
    tooLarge.push(`${name} is over ${MAX_PAGE_KB} KB, or its styles over ${MAX_STYLE_KB} KB`);
}
for (const [file, kb] of chunks) {
  console.log(`dashboard, ${file}: ${kb.toFixed(1)} KB gzip`);
  if (kb > MAX_CHUNK_KB) tooLarge.push(`${file} is over ${MAX_CHUNK_KB} KB`);
}
if (tooLarge.length > 0) {
  for (const line of tooLarge) console.error(`error: the dashboard's ${line}`);
  process.exit(1);
}

async function minify(code: string): Promise<string> {
  return (await transform(code, { minify: true, format: "esm", target: "es2024" })).code;
}
