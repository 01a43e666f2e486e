import { rm } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openFile } from "../../src/client/node.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { makeMediaFiles } from "../support/media/media-files.ts";
import { Stack } from "../support/stack/stack.ts";

// Views made from the dashboard are not counted (FILE-2).

const PATIENT = { timeout: 60_000 };
const HOUR_MS = 3_600_000;
/** In operations. */
const ONE_VIEW = 0.1;

let stack: Stack;
let browser: Browser;
let page: Page;
let client: Client;
let folder: string;

beforeAll(async () => {
  const [started, opened, media] = await Promise.all([Stack.start(), openBrowser(), makeMediaFiles()]);
  [stack, browser, folder] = [started, opened, media.folder];
  const { pro, password } = await stack.demoAccounts();
  client = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  // The newest is the first: the film.
  for (const { path } of media.files.toReversed().filter(({ path }) => !path.endsWith("clip.mp4"))) {
    await client.upload(await openFile(path));
  }
  await client.upload(await openFile(media.files.find(({ path }) => path.endsWith("clip.mp4"))?.path ?? ""));
  ({ page } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] }));
  await openDashboard(page, stack.baseUrl, { email: pro.email, password });
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const tile = (position: number) => page.locator(`[data-position="${position}"]`);
const bar = () => page.getByRole("toolbar", { name: "Selected files" });
const dialog = () => page.locator("[role=dialog]:has(h1)");
const views = async () => (await client.stats()).operations.classB;

async function download(act: () => Promise<void>): Promise<string> {
  const [found] = await Promise.all([page.waitForEvent("download"), act()]);
  expect(await found.failure()).toBeNull();
  return found.suggestedFilename();
}

async function open(path: string): Promise<void> {
  await page.goto(`${stack.baseUrl}/dashboard${path}`);
  await tile(0).waitFor();
  // The browser would show a save dialog that no user answers.
  await page.evaluate("delete window.showSaveFilePicker");
}

/** Every way to save, copy and see files of a view: by keys, the selection bar and the file itself. */
async function useFiles(path: string): Promise<void> {
  const [first] = (await client.imagePage({ folderId: "all", status: path === "/trash" ? "trash" : "active" })).images;
  await open(path);
  await tile(0).focus();
  expect(await download(() => page.keyboard.press("d"))).toBe(first?.prompt);
  await page.keyboard.press("c");
  await tile(0).click({ modifiers: ["Control"] });
  expect(await download(() => bar().getByRole("button", { name: "Download" }).click())).toBe(first?.prompt);
  await tile(1).click({ modifiers: ["Control"] });
  expect(await download(() => page.keyboard.press("d"))).toBe("2 files.zip");
  await bar().getByRole("button", { name: "Copy links" }).click();
  await bar().getByRole("button", { name: "Select none" }).click();

  await tile(0).focus();
  await page.keyboard.press("Enter");
  await dialog().waitFor();
  expect(await download(() => dialog().getByRole("button", { name: "Download" }).first().click())).toBe(first?.prompt);
  await dialog().getByRole("button", { name: "Copy link" }).click();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
}

describe("views", () => {
  it("A view is counted by a file's link, and by no action in the dashboard", async () => {
    const pending = async () =>
      (await client.imagePage({ folderId: "all" })).images.filter(({ thumbnail }) => thumbnail === "pending").length;
    await expect.poll(pending, PATIENT).toBe(0);
    await open("/library");
    await page.locator('[data-position="0"] img[data-state="shown"]').waitFor(PATIENT);
    for (const path of ["/library", "/library?view=table"]) await useFiles(path);

    // A film is played, and every file is stepped through.
    await open("/library?view=grid");
    await tile(0).click();
    await expect
      .poll(() => page.evaluate("document.querySelector('video')?.readyState ?? 0"), PATIENT)
      .toBeGreaterThan(0);
    await page.keyboard.press("Space");
    await expect.poll(() => page.evaluate("document.querySelector('video').currentTime"), PATIENT).toBeGreaterThan(0);
    const total = (await client.imagePage({ folderId: "all", limit: 1 })).pagination.total;
    for (let step = 1; step < total; step += 1) {
      await page.keyboard.press("ArrowRight");
      await dialog()
        .getByText(`${step + 1} of ${total}`)
        .waitFor();
      await page.waitForLoadState("networkidle");
    }
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });

    // A page that was left open for hours asks for new addresses.
    await open("/library");
    await page.clock.install();
    await page.clock.fastForward(2 * HOUR_MS);
    await page.evaluate("delete window.showSaveFilePicker");
    await tile(0).click({ modifiers: ["Control"] });
    await tile(1).click({ modifiers: ["Control"] });
    const asked = page.waitForRequest(/\/images\/[0-9a-z]{26}$/);
    expect(await download(() => bar().getByRole("button", { name: "Download" }).click())).toBe("2 files.zip");
    await asked;
    await page.clock.resume();

    await bar().getByRole("button", { name: "Trash" }).click();
    await page.getByText("2 files moved to the trash").first().waitFor();
    await useFiles("/trash");

    // Views are counted in order, a second later.
    const { images } = await client.imagePage({ folderId: "all", limit: 1 });
    await (await fetch(images[0]?.url ?? "")).arrayBuffer();
    await expect.poll(views, PATIENT).toBeGreaterThan(0);
    await page.waitForTimeout(3000);
    expect(await views()).toBeCloseTo(ONE_VIEW);
  }, 240_000);
});
