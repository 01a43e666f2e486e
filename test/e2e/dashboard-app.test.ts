import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// The dashboard as an app: its manifest and icons, the files that other apps share with it, the tab's title and the bar's colour.

let stack: Stack;
let browser: Browser;
let folder: string;
let photo: string;
let otherApp: Server;
let pro: { readonly email: string; readonly password: string; readonly apiKey: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-app-"));
  photo = join(folder, "Sea & sand.jpg");
  [stack, browser] = await Promise.all([Stack.start(), openBrowser(), makePhoto(photo)]);
  const accounts = await stack.demoAccounts();
  pro = { ...accounts.pro, password: accounts.password };
  // The browser makes the same request from a form as from the system's share sheet.
  otherApp = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(`<form method="post" enctype="multipart/form-data" action="${stack.baseUrl}/dashboard/app/share">
      <input type="file" name="files" multiple><button>Share</button></form>`);
  }).listen(0, "127.0.0.1");
});

afterAll(async () => {
  await browser?.close();
  otherApp?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const INSTALLED = `
  const { matchMedia } = window;
  window.matchMedia = (query) => query === "(display-mode: standalone)" ? { matches: true } : matchMedia.call(window, query);`;

const HAS_WORKER = `navigator.serviceWorker.getRegistrations()
  .then((all) => all.some(({ active, scope }) => active && scope.endsWith("/app/")))`;

const OFFER = `{
  const event = new Event("beforeinstallprompt", { cancelable: true });
  event.prompt = () => { document.documentElement.dataset.prompted = "yes"; };
  !dispatchEvent(event);
}`;

/** The colours of the browser's bar and of the page, as pixels. */
const COLOURS = `{
  const metas = [...document.querySelectorAll("meta[name=theme-color]")];
  const used = metas.find(({ media }) => media === "" || matchMedia(media).matches);
  const probe = document.createElement("canvas").getContext("2d");
  const toPixel = (color) => {
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  ({ bar: toPixel(used.content), ground: toPixel(getComputedStyle(document.documentElement).backgroundColor) });
}`;

/** Opens the library as the installed app does. */
async function openInstalled() {
  const opened = await openPage(browser);
  await opened.page.addInitScript(INSTALLED);
  await openDashboard(opened.page, stack.baseUrl, pro);
  await expect.poll(() => opened.page.evaluate(HAS_WORKER)).toBe(true);
  return opened;
}

async function shareFrom(page: Page, files: string | { name: string; mimeType: string; buffer: Buffer }[]) {
  await page.goto(`http://127.0.0.1:${(otherApp.address() as AddressInfo).port}/`);
  await page.locator("input").setInputFiles(files);
  await page.getByRole("button", { name: "Share" }).click();
}

async function listNames(folderId = "all"): Promise<string[]> {
  const answer = await fetch(`${stack.baseUrl}/images?folderId=${folderId}`, {
    headers: { Authorization: `Bearer ${pro.apiKey}` },
  });
  const { images } = (await answer.json()) as { images: { originalFilename: string }[] };
  return images.map(({ originalFilename }) => originalFilename);
}

describe("The installed dashboard", () => {
  it("The manifest names icons of the sizes that they have, and Chromium finds no error in it", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro);
    const session = await page.context().newCDPSession(page);
    const { url, errors, data } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const manifest = JSON.parse(data ?? "") as { icons: { src: string; sizes: string }[]; start_url: string };
    expect((await fetch(url)).headers.get("Content-Type")).toMatch(/^application\/manifest\+json/);
    for (const { src, sizes } of manifest.icons) {
      const icon = await fetch(new URL(src, url));
      expect(icon.status, src).toBe(200);
      if (sizes === "any") continue;
      const { width, height } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
    const apple = await page.locator("link[rel=apple-touch-icon]").getAttribute("href");
    expect((await fetch(stack.baseUrl + apple)).status).toBe(200);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A shared photo is uploaded into the chosen folder after a confirmation, and a share that is discarded is not", async () => {
    const headers = { Authorization: `Bearer ${pro.apiKey}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "From my phone" });
    const made = await fetch(`${stack.baseUrl}/folders`, { method: "POST", headers, body });
    const { _id: folderId } = (await made.json()) as { _id: string };
    const { page, problems } = await openInstalled();
    await shareFrom(page, photo);
    const dialog = page.getByRole("dialog", { name: "Upload 1 shared file?" });
    await dialog.getByText("Sea & sand.jpg").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "app-shared-files");
    expect(await listNames()).toEqual([]);
    await dialog.getByLabel("Folder").selectOption({ label: "From my phone" });
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Upload" }).press("Enter");
    await expect.poll(() => listNames()).toEqual(["Sea & sand.jpg"]);
    expect(new URL(page.url()).search).toBe("");
    expect(await listNames(folderId)).toEqual(["Sea & sand.jpg"]);

    await shareFrom(page, photo);
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(`${stack.baseUrl}/dashboard/library?shared=files`);
    await page.getByRole("dialog", { name: "No shared files" }).waitFor();
    expect(await listNames()).toHaveLength(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Shared files wait until the user has logged in", async () => {
    const { page } = await openInstalled();
    await page.context().clearCookies();
    const files = [1, 2].map((n) => ({ name: `${n}.gif`, mimeType: "image/gif", buffer: Buffer.from("GIF89a") }));
    await shareFrom(page, files);
    await page.waitForURL(/\/login/);
    await submitLogIn(page, pro);
    await page.getByRole("dialog", { name: "Upload 2 shared files?" }).waitFor();
    await page.context().close();
  });

  it("The dashboard shows that no file has arrived if there is no worker", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro);
    await shareFrom(page, photo);
    const dialog = page.getByRole("dialog", { name: "No shared files" });
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await dialog.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("The palette installs the dashboard if the browser offers it", async () => {
    const { page } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.evaluate(OFFER)).toBe(true);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("Install");
    await page.getByRole("option", { name: "Install as an app" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("html").getAttribute("data-prompted")).toBe("yes");
    await page.context().close();
  });
});

describe("The browser's own parts", () => {
  it("The tab has the name of the open file, and the page's title after it is closed", async () => {
    const { page } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro);
    await expect.poll(() => page.title()).toBe("All files · Media host");
    await page
      .getByRole("gridcell")
      .or(page.getByRole("option", { name: /Sea & sand/ }))
      .first()
      .waitFor();
    const upload = await fetch(`${stack.baseUrl}/images/upload?filename=Dunes.jpg`, {
      method: "POST",
      headers: { Authorization: `Bearer ${pro.apiKey}` },
      body: await readFile(photo),
    });
    const { _id } = (await upload.json()) as { _id: string };
    await page.goto(`${stack.baseUrl}/dashboard/library/${_id}`);
    await expect.poll(() => page.title()).toBe("Dunes.jpg · Media host");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.title()).toBe("All files · Media host");
    await page.context().close();
  });

  it("The bar of the browser has the ground of the chosen theme, also after a reload", async () => {
    const { page } = await openPage(browser, { colorScheme: "light" });
    await openDashboard(page, stack.baseUrl, pro);
    const shown = () => page.evaluate<{ bar: number[]; ground: number[] }>(COLOURS);
    const expectEqual = async () => {
      const { bar, ground } = await shown();
      expect(Math.max(...bar.map((value, at) => Math.abs(value - (ground[at] ?? 0)))), `${bar} ${ground}`).toBeLessThan(
        3,
      );
    };
    await expectEqual();
    await page.emulateMedia({ colorScheme: "dark" });
    await expectEqual();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("Light theme");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("light");
    await expectEqual();
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(async () => (await shown()).bar[0]).toBeGreaterThan(200);
    await expectEqual();
    await page.context().close();
  });
});
