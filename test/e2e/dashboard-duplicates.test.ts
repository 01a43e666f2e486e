import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient, type MediaObject } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { endSessionAt, openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { photo } from "../support/media/pictures.ts";
import { Stack } from "../support/stack/stack.ts";

// Files with the same bytes, in a browser against the whole stack. The API shows each action's result.

let stack: Stack;
let browser: Browser;
let page: Page;
let problems: readonly string[];
let host: Client;
let who: { readonly email: string; readonly password: string };
let folderId: string;

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const { pro, password } = await stack.demoAccounts();
  host = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  folderId = (await host.folders.create({ name: "Summer" }))._id;
  ({ page, problems } = await openPage(browser));
  who = { email: pro.email, password };
  await openDashboard(page, stack.baseUrl, who);
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

const picture = (seed: number) => photo(240, 180, seed).png().toBuffer();
const path = () => `${stack.baseUrl}/dashboard/duplicates`;
const groups = () => page.locator("#main section:has(h2)");
const group = (title: RegExp) => page.getByRole("region", { name: title });
const keepIn = (of: RegExp, name: string) =>
  group(of).getByRole("button", { name: `Keep this one: ${name}`, exact: false });
const toastText = (text: string) => page.getByText(text).first().waitFor();
const active = async () =>
  (await host.imagePage({ folderId: "all", limit: 100 })).images.map(({ prompt }) => prompt).sort();
const TWO = /^2 files/;
const THREE = /^3 files/;

describe("a library without duplicates", () => {
  it("The page says that there are none, and is opened from the sidebar and by the palette", async () => {
    await host.upload(new File([await picture(5)], "alone.png"));
    await page.getByRole("navigation", { name: "Library" }).getByRole("link", { name: "Duplicates" }).click();
    await page.getByRole("heading", { name: "No duplicates" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "duplicates-none");
    await page.goto(`${stack.baseUrl}/dashboard/usage`);
    await page.getByRole("heading", { name: "Free up space" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("duplicates");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No duplicates" }).waitFor();
  });
});

describe("groups", () => {
  const stored: MediaObject[] = [];

  beforeEach(async () => {
    await page.unrouteAll();
    const { images } = await host.imagePage({ folderId: "all", limit: 100 });
    if (images.length > 0) await host.trash(images.map(({ _id }) => _id));
    stored.length = 0;
    const put = async (seed: number, name: string, folder?: string) => {
      const { _id } = await host.upload(new File([await picture(seed)], name), { folderId: folder });
      stored.push(await host.image(_id));
    };
    await put(1, "pier.png");
    await put(1, "pier copy.png", folderId);
    await put(1, "pier again.png");
    await put(2, "roof.png");
    await put(2, "roof copy.png", folderId);
    await put(3, "alone.png");
    await page.goto(path());
    await groups().nth(1).waitFor();
  });

  it("Keys alone keep one file and move the others to the trash, and Undo brings them back", async () => {
    expect(await groups().count()).toBe(2);
    const text = await group(THREE).textContent();
    for (const part of ["pier.png", "pier copy.png", "pier again.png", "Summer", "Root"]) expect(text).toContain(part);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "duplicates");
    await keepIn(THREE, "pier copy.png").press("Enter");
    await toastText("2 files moved to the trash");
    await expect.poll(() => groups().count()).toBe(1);
    expect(await active()).toEqual(["alone.png", "pier copy.png", "roof copy.png", "roof.png"]);
    // The next group has the focus, so that Tab continues with its files.
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("SECTION");
    await page.getByRole("button", { name: "Undo" }).first().press("Enter");
    await expect.poll(() => groups().count()).toBe(2);
    expect(await active()).toHaveLength(6);
  });

  it("A file is opened over the page, and closing returns to its tile", async () => {
    await group(TWO).getByRole("link", { name: "Open roof copy.png" }).press("Enter");
    await page.waitForURL(`**/duplicates/${stored[4]?._id}`);
    await page.getByRole("dialog", { name: "roof copy.png" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(path());
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe("Open roof copy.png");
  });

  it("The groups are inside the window on a phone", async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("Groups that could not be loaded are loaded again", async () => {
    await page.route("**/duplicates*", (route) =>
      route.request().resourceType() === "fetch" ? route.abort() : route.fallback(),
    );
    await page.goto(path());
    await page.getByText("The duplicates could not be loaded").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.unroute("**/duplicates*");
    await page.getByRole("button", { name: "Retry" }).click();
    await groups().nth(1).waitFor();
  });

  it("A request that is lost moves nothing, and Retry moves the files", async () => {
    await page.route("**/images/bulk-trash", (route) => route.abort());
    await keepIn(TWO, "roof.png").click();
    await toastText("1 file could not be moved to the trash");
    expect(await groups().count()).toBe(2);
    expect(await active()).toHaveLength(6);
    await page.unroute("**/images/bulk-trash");
    await page.getByRole("button", { name: "Retry" }).first().click();
    await expect.poll(() => groups().count()).toBe(1);
    expect(await active()).not.toContain("roof copy.png");
  });

  it("A request that reaches the rate is sent again after the service's `Retry-After`", async () => {
    const trash = { method: "POST", path: "**/images/bulk-trash" };
    const sent = await failFirst(page, trash, (route) => refuseByRate(route, 1));
    await keepIn(TWO, "roof copy.png").click();
    await toastText("1 file moved to the trash");
    expect(sent).toHaveLength(2);
    expect(await active()).not.toContain("roof.png");
  });

  it("A session that is over is renewed, and the files are moved once", async () => {
    await endSessionAt(page, "POST");
    await keepIn(THREE, "pier.png").click();
    await page.getByLabel("Password").waitFor();
    await submitLogIn(page, who);
    await toastText("2 files moved to the trash");
    expect(await active()).toEqual(["alone.png", "pier.png", "roof copy.png", "roof.png"]);
  });

  it("A file that was trashed elsewhere is not kept, so the last copy stays", async () => {
    await host.trash([stored[3]?._id ?? ""]);
    await keepIn(TWO, "roof.png").click();
    await toastText("This file was changed elsewhere");
    await expect.poll(() => groups().count()).toBe(1);
    expect(await active()).toContain("roof copy.png");
  });

  it("A group whose files another tab moved leaves the page", async () => {
    const other = await page.context().newPage();
    await other.goto(path());
    await other.getByRole("button", { name: "Keep this one: roof.png", exact: false }).click();
    await other.getByText("1 file moved to the trash").waitFor();
    await other.close();
    await page.bringToFront();
    await expect.poll(() => groups().count()).toBe(1);
    expect(problems.filter((problem) => !/ERR_FAILED|429/.test(problem))).toEqual([]);
  });
});
