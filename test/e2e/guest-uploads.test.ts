import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// Guests upload by a share's page in Chromium, with and without scripts (SHARE-8).

let stack: Stack;
let browser: Browser;
let url: string;
let shareId: string;

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const share = { folderId: "root", title: "Our party", allowUpload: { types: ["image/*"] } };
  const answer = await send("POST", "/shares", share);
  ({ url, _id: shareId } = (await answer.json()) as { url: string; _id: string });
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

/** Sends a request as the share's owner. */
async function send(method: string, path: string, body: object): Promise<Response> {
  const { pro } = await stack.demoAccounts();
  const headers = { Authorization: `Bearer ${pro.apiKey}`, "Content-Type": "application/json" };
  return fetch(stack.baseUrl + path, { method, headers, body: JSON.stringify(body) });
}

const picture = (name: string, width: number) => ({ name, mimeType: "image/png", buffer: Buffer.from(png(width, 2)) });

async function visit(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const refused: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) refused.push(message.text());
    });
    await page.goto(url);
    await work(page);
    expect(refused).toEqual([]);
  } finally {
    await context.close();
  }
}

const names = (page: Page) => page.locator(".name").allTextContents();

describe("A page that takes uploads", () => {
  it("The element uploads a guest's files under the page's policy, and the page has them", async () => {
    await visit({}, async (page) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /^Choose/ }).click();
      await (await chooser).setFiles([picture("anna.png", 50), picture("ben.png", 60)]);
      const statuses = () => page.locator("media-upload [part=status]").allTextContents();
      await expect.poll(statuses).toEqual(["Uploaded", "Uploaded"]);
      expect(await findBarriers(page)).toEqual([]);
      await page.reload();
      expect((await names(page)).toSorted()).toEqual(expect.arrayContaining(["anna.png", "ben.png"]));
    });
  });

  it("A browser without scripts uploads by a form", async () => {
    await visit({ javaScriptEnabled: false }, async (page) => {
      await page.locator(".guests input[type=file]").setInputFiles([picture("cleo.png", 70)]);
      await page.getByRole("button", { name: "Upload" }).click();
      await page.waitForURL(url);
      expect(await names(page)).toContain("cleo.png");
      const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") };
      await page.locator(".guests input[type=file]").setInputFiles([text]);
      await page.getByRole("button", { name: "Upload" }).click();
      await page.waitForURL(`${url}/files`);
      expect(await page.locator("h1").textContent()).toBe("Not every file was stored");
    });
  });

  it("A guest reads that no more files are taken when the limit is reached", async () => {
    expect((await send("PATCH", `/shares/${shareId}`, { allowUpload: { maxFiles: 1 } })).status).toBe(200);
    await visit({}, async (page) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /^Choose/ }).click();
      await (await chooser).setFiles([picture("emil.png", 81), picture("fred.png", 82)]);
      await page.getByText("No more files can be uploaded here", { exact: true }).first().waitFor();
    });
  });

  it("A guest whose page is open when uploads end reads that they have ended", async () => {
    await visit({}, async (page) => {
      await page.getByRole("button", { name: /^Choose/ }).waitFor();
      expect((await send("PATCH", `/shares/${shareId}`, { allowUpload: false })).status).toBe(200);
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /^Choose/ }).click();
      await (await chooser).setFiles([picture("dora.png", 80)]);
      await page.getByText("Uploads here have ended", { exact: true }).waitFor();
    });
  });
});
