import { createHash, randomFillSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { mp4, png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// Uppy in a page of another origin, with the module that the service offers.

let stack: Stack;
let accounts: DemoAccounts;
let browser: Browser;
let page: Page;
let folder: string;
let pages: Server;
let script = "";

beforeAll(async () => {
  stack = await Stack.start();
  accounts = await stack.demoAccounts();
  folder = await mkdtemp(join(tmpdir(), "media-host-browser-"));
  browser = await openBrowser();
  pages = createServer((request, response) => {
    const isScript = request.url === "/uppy.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : "<!doctype html><title>page</title><input type=file multiple>");
  }).listen(0, "127.0.0.1");
});
afterAll(async () => {
  pages?.close();
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
});
afterEach(() => page?.context().close());

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const read = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
const tool = async (name: string) =>
  (await (await fetch(`${stack.baseUrl}/tools/${name}`)).text()).replace("YOUR_KEY", accounts.pro.apiKey);

describe("Uppy", () => {
  it("Uppy uploads small and large files by the module of GET /tools/uppy, from another origin", async () => {
    const source = `${await tool("uppy")}\nglobalThis.uppy = uppy;`;
    const built = await build({
      stdin: { contents: source, resolveDir: resolve(".") },
      bundle: true,
      format: "esm",
      write: false,
      logLevel: "error",
      platform: "browser",
    });
    script = built.outputFiles[0]?.text ?? "";
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    const files = [
      ["photo €.png", Buffer.from(png(61, 2))],
      ["film.mp4", Buffer.concat([mp4(100), randomFillSync(Buffer.alloc(45 * 1024 * 1024))])],
    ] as const;
    for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
    await page.setInputFiles(
      "input",
      files.map(([name]) => join(folder, name)),
    );
    const urls = (await page.evaluate(`(async () => {
      await import("/uppy.js");
      const found = {};
      const done = new Promise((resolve, reject) => {
        uppy.on("upload-success", (file, { body }) => { found[file.name] = JSON.parse(body.xhr.responseText); });
        uppy.on("complete", ({ successful }) => Object.keys(found).length === 2 && resolve(found));
        uppy.on("upload-error", (file, error) => reject(error));
      });
      for (const file of document.querySelector("input").files) {
        uppy.addFile({ name: file.name, type: file.type, data: file, meta: { tags: "uppy" } });
      }
      return done;
    })()`)) as Record<string, { url: string; originalFilename: string; tags: string[] }>;
    for (const [name, bytes] of files) {
      expect(urls[name]).toMatchObject({ originalFilename: name, tags: ["uppy"] });
      expect(sha(await read(urls[name]?.url ?? ""))).toBe(sha(bytes));
    }
  });
});
