import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildPackage } from "../../src/tools/build/build-package.ts";
import { PACKAGES } from "../../src/tools/build/packages.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { TusServer } from "../support/client/tus-server.ts";

// The client's package in a browser, in a page of another origin, over connections that break.

const MIB = 1024 * 1024;

let browser: Browser;
let server: TusServer;
let pages: TusServer;
let page: Page;

beforeAll(async () => {
  await buildPackage(PACKAGES.client);
  browser = await openBrowser();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  server = await TusServer.start();
  pages = await TusServer.start();
  pages.files.set("/", { type: "text/html", content: "<!doctype html><title>page</title>" });
  for (const name of ["index.js", "open-stream.js"]) {
    pages.files.set(`/${name}`, { type: "text/javascript", content: await readFile(`.client/${name}`, "utf8") });
  }
  page = await (await browser.newContext()).newPage();
  await page.goto(pages.url);
});
afterEach(async () => {
  await page?.context().close();
  await server?.[Symbol.asyncDispose]();
  await pages?.[Symbol.asyncDispose]();
});

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Uploads bytes made from a number in the page. @returns its result or error, and the reported progress */
function upload(sizeBytes: number, options = "{}") {
  return page.evaluate(`(async () => {
    const { createClient } = await import("/index.js");
    const bytes = new Uint8Array(${sizeBytes}).map((_, at) => (at * 7919) >> 3);
    const told = [];
    const host = createClient({ baseUrl: "${server.url}", key: "key" });
    window.controller = new AbortController();
    const result = await host
      .upload(new File([bytes], "a.mp4", { lastModified: 1 }), {
        storage: localStorage, signal: window.controller.signal,
        onProgress: ({ sentBytes }) => told.push(sentBytes), ...${options},
      })
      .catch((error) => ({ error: error.message, statusCode: error.statusCode }));
    return { result, told, left: localStorage.length };
  })()`) as Promise<{ result: { url?: string; statusCode?: number }; told: number[]; left: number }>;
}

const bytesOf = (sizeBytes: number) => new Uint8Array(sizeBytes).map((_, at) => (at * 7919) >> 3);
const stored = () => [...server.uploads.values()].map(({ bytes }) => sha(bytes));

describe("client in a browser", () => {
  it("The client reports a form's progress, and stores it once after a lost answer or a refusal", async () => {
    server.fate = (_, count) => (count === 1 ? "lose" : count === 2 ? { status: 429, retryAfter: 1 } : "answer");
    const { result, told } = await upload(5 * MIB);
    expect(result.url).toBe(`${server.url}/form`);
    expect(told.at(-1)).toBe(5 * MIB);
    expect(server.forms.size).toBe(1);
    const [, second, third] = server.asked.filter(({ method }) => method === "POST");
    expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(980);
  });

  it("The client resumes a large file after broken connections, and reports progress within a piece", async () => {
    server.fate = ({ method }) =>
      method !== "PATCH" ? "answer" : server.count("PATCH") < 3 ? { cutAtByte: 3 * MIB + 1 } : "answer";
    const { result, told, left } = await upload(24 * MIB);
    expect(result.url).toContain("/images/upload/1");
    expect(stored()).toEqual([sha(bytesOf(24 * MIB))]);
    expect(told.length).toBeGreaterThan(3);
    expect(left).toBe(0);
  });

  it("The client sends a stream in pieces and resumes it after broken connections", async () => {
    server.fate = ({ method }) => (method === "PATCH" && server.count("PATCH") < 3 ? { cutAtByte: 3 * MIB } : "answer");
    const told = await page.evaluate(`(async () => {
      const { createClient } = await import("/index.js");
      const stream = new Blob([new Uint8Array(${18 * MIB}).map((_, at) => (at * 7919) >> 3)]).stream();
      const told = [];
      const onProgress = ({ sentBytes, totalBytes }) => told.push([sentBytes, totalBytes]);
      await createClient({ baseUrl: "${server.url}" }).upload(stream, { name: "a.mp4", onProgress });
      return told;
    })()`);
    expect(stored()).toEqual([sha(bytesOf(18 * MIB))]);
    expect((told as number[][]).at(-1)).toEqual([18 * MIB, 18 * MIB]);
  });

  it("The client resumes after the page was reloaded", async () => {
    server.fate = ({ method }) =>
      method === "PATCH" ? { cutAtByte: MIB } : method === "HEAD" ? { status: 503, retryAfter: 60 } : "answer";
    void upload(24 * MIB).catch(() => undefined);
    await expect.poll(() => server.count("HEAD"), { timeout: 20_000 }).toBeGreaterThan(0);
    await page.reload();
    server.fate = () => "answer";
    const { result, left } = await upload(24 * MIB);
    expect(result.url).toContain("/images/upload/1");
    expect(server.count("POST")).toBe(1);
    expect(stored()).toEqual([sha(bytesOf(24 * MIB))]);
    expect(left).toBe(0);
  });

  it("The client waits while there is no network, and this costs none of its tries", async () => {
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    const uploading = page.evaluate("import('/index.js')").then(async () => {
      await page.context().setOffline(true);
      const work = upload(1000, "{ }");
      setTimeout(() => void page.context().setOffline(false), 5000);
      return work;
    });
    expect((await uploading).result.url).toBe(`${server.url}/form`);
  });

  it("The client stops when the upload is aborted", async () => {
    server.fate = () => ({ status: 503, retryAfter: 60 });
    const uploading = upload(1000);
    await expect.poll(() => server.asked.length).toBeGreaterThan(0);
    await page.evaluate("window.controller.abort(new Error('enough'))");
    expect(await uploading).toMatchObject({ result: { error: "enough" } });
  });
});
