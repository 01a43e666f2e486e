import { rm } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openFile } from "../../src/client/node.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage, type WatchedPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { makeMediaFiles } from "../support/media/media-files.ts";
import { Stack } from "../support/stack/stack.ts";

// Shares that are made, changed and ended in the dashboard (SHARE-1).

let stack: Stack;
let browser: Browser;
let opened: WatchedPage;
let page: Page;
let client: Client;
let folder: string;

beforeAll(async () => {
  const [started, chromium, media] = await Promise.all([Stack.start(), openBrowser(), makeMediaFiles()]);
  [stack, browser, folder] = [started, chromium, media.folder];
  const { pro, password } = await stack.demoAccounts();
  client = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  const { _id: folderId } = await client.folders.create({ name: "Holidays" });
  for (const { path } of media.files.slice(0, 3)) await client.upload(await openFile(path), { folderId });
  opened = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  page = opened.page;
  await openDashboard(page, stack.baseUrl, { email: pro.email, password }, "/shares");
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const rows = () => page.getByRole("list", { name: "Shares" }).getByRole("listitem");
const visit = (url: string) => fetch(url, { redirect: "manual" });

async function goToShares(): Promise<void> {
  await page.getByRole("navigation", { name: "Library" }).getByRole("link", { name: "Shares" }).click();
  await page.getByRole("heading", { name: "Shares", exact: true }).waitFor();
}

describe("shares in the dashboard", () => {
  it("The page Shares explains how to share files while nothing is shared", async () => {
    await page.getByRole("heading", { name: "Nothing shared yet" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "shares-empty");
    await page.getByRole("link", { name: "Open the library" }).click();
    await page.waitForURL("**/library");
  });

  it("The menu of a folder shares it, with a password and uploads by guests, and shows the link", async () => {
    await page.getByRole("treeitem", { name: /^Holidays/ }).hover();
    await page.getByRole("button", { name: "Actions for Holidays" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    const form = dialog("Share Holidays");
    await form.getByLabel("Title").fill("Our <b>summer</b>");
    await form.getByLabel("Ends").selectOption({ label: "In 30 days" });
    await form.getByLabel("May upload into this folder").check();
    await form.getByLabel("Need a password").check();
    await form.getByLabel("Password", { exact: true }).fill("sesame");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "share-form");
    await form.getByRole("button", { name: "Share" }).click();

    const made = dialog("Holidays shared");
    const url = (await made.getByLabel("Link", { exact: true }).textContent()) ?? "";
    await made.getByRole("img", { name: "The link as a QR code" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "share-made");
    const asked = await visit(url);
    expect(await asked.text()).toContain("Enter the password");
    await made.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(url);
    await made.getByRole("link", { name: "Shares" }).click();
    const row = rows().first();
    await row.getByText("Our <b>summer</b>").waitFor();
    expect(await row.textContent()).toMatch(/Folder Holidays.*Password · Guests may upload · Ends on/);
  });

  it("S shares the selected files of the library", async () => {
    await page.getByRole("link", { name: "Media host" }).click();
    await page.locator('[data-position="1"]').waitFor();
    await page.locator('[data-position="0"]').click({ modifiers: ["Control"] });
    await page.locator('[data-position="1"]').click({ modifiers: ["Control"] });
    await page.keyboard.press("s");
    const form = dialog("Share 2 files");
    expect(await form.getByLabel("May upload into this folder").count()).toBe(0);
    await form.getByRole("button", { name: "Share" }).click();
    const url = (await dialog("2 files shared").getByLabel("Link", { exact: true }).textContent()) ?? "";
    const answer = await visit(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("2 files");
    await dialog("2 files shared").getByRole("button", { name: "Done" }).click();
    await goToShares();
    await rows().nth(1).waitFor();
    // The visit above.
    expect(await rows().first().textContent()).toMatch(/2 files · Shared on .* · Opened once/);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "shares");
  });

  it("A share's title and password can be changed, and its link stays", async () => {
    const row = rows().filter({ hasText: "2 files" });
    const url = (await row.getByRole("link").getAttribute("href")) ?? "";
    await row.getByRole("button", { name: /^Edit/ }).click();
    const form = dialog(/^Edit/);
    await form.getByLabel("Title").fill("Two pictures");
    await form.getByLabel("Need a password").check();
    await form.getByRole("button", { name: "Save" }).click();
    // The password is required, so the dialog stays.
    await form.getByText("Password is required").waitFor();
    await form.getByLabel("Password", { exact: true }).fill("open");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await rows().filter({ hasText: "Two pictures" }).waitFor();
    expect(await (await visit(url)).text()).toContain("Enter the password");

    await rows().filter({ hasText: "Two pictures" }).getByRole("button", { name: /^Edit/ }).click();
    await form.getByLabel("Need a password").uncheck();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    expect(await (await visit(url)).text()).toContain("Two pictures");
  });

  it("A share that is ended without a network is gone as soon as the network is back", async () => {
    const row = rows().filter({ hasText: "Two pictures" });
    const url = (await row.getByRole("link").getAttribute("href")) ?? "";
    await page.context().setOffline(true);
    await row.getByRole("button", { name: /^End/ }).click();
    await dialog(/^End/).getByRole("button", { name: "End share" }).click();
    await dialog(/^End/).getByRole("button", { name: "End share" }).and(page.locator("[aria-busy]")).waitFor();
    expect((await visit(url)).status).toBe(200);
    await page.context().setOffline(false);
    await dialog(/^End/).waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    expect((await visit(url)).status).toBe(404);
  });

  it("Sharing files causes no error in the browser", () => {
    // A request without a network fails on purpose.
    expect(opened.problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem))).toEqual([]);
  });
});
