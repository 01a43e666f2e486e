import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// Uploads from pages that are not ours: a page on the disk, and a plain HTML form.

let stack: Stack;
let accounts: DemoAccounts;
let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  stack = await Stack.start();
  accounts = await stack.demoAccounts();
  folder = await mkdtemp(join(tmpdir(), "media-host-browser-"));
  browser = await openBrowser();
});
afterAll(async () => {
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

describe("page of GET /tools/html", () => {
  it("The saved page of GET /tools/html uploads from the disk, and shows the URLs or the error", async () => {
    const path = join(folder, "upload.html");
    await writeFile(path, await tool("html"));
    const files = ["a.png", "b.png"].map((name, at) => ({
      name,
      mimeType: "image/png",
      buffer: Buffer.from(png(70 + at, 2)),
    }));
    await page.goto(pathToFileURL(path).href);
    await page.getByLabel("Images and videos").setInputFiles(files);
    await page.getByLabel("Tags").fill("page, form");
    await page.getByRole("button", { name: "Upload" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toContain("http");
    const urls = (await page.getByRole("status").textContent())?.trim().split("\n") ?? [];
    expect(urls).toHaveLength(2);
    for (const [at, { buffer }] of files.entries()) expect(sha(await read(urls[at] ?? ""))).toBe(sha(buffer));

    await page
      .getByLabel("Images and videos")
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
    await page.getByRole("button", { name: "Upload" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Only images and videos are allowed");
  });
});

describe("plain HTML forms", () => {
  it("A plain HTML form uploads for a user who is logged in at the service's own address", async () => {
    const { email } = accounts.free;
    await page.goto(`${stack.baseUrl}/favicon.svg`);
    const status = await page.evaluate(
      ([body]) =>
        fetch("/auth/login", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: body ?? "",
        }).then((answer) => answer.status),
      [JSON.stringify({ email, password: accounts.password })],
    );
    expect(status).toBe(200);
    await page.route(`${stack.baseUrl}/form`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: '<!doctype html><form action="/images/upload" method="post" enctype="multipart/form-data"><input type="file" name="file"><button>Send</button></form>',
      }),
    );
    await page.goto(`${stack.baseUrl}/form`);
    const picture = Buffer.from(png(80, 2));
    await page.locator("input").setInputFiles({ name: 'a "b" ü.png', mimeType: "image/png", buffer: picture });
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/images/upload")),
      page.locator("button").click(),
    ]);
    expect(answer.status()).toBe(201);
    const { url, originalFilename } = JSON.parse((await page.locator("body").textContent()) ?? "{}");
    expect(originalFilename).toBe('a "b" ü.png');
    expect(sha(await read(url))).toBe(sha(picture));
  });
});
