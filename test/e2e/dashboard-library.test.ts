import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { drag } from "../support/dashboard/drag.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// The library in a browser against the whole stack: what is done there is asked of the API afterwards. Keys alone, but for drags.

const FILES = 24;

let stack: Stack;
let browser: Browser;
let page: Page;
let problems: readonly string[];
let client: Client;

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const { pro, password } = await stack.demoAccounts();
  client = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  for (let number = 1; number <= FILES; number += 1) {
    await client.upload(new File([await picture(number)], `picture-${String(number).padStart(2, "0")}.png`));
  }
  ({ page, problems } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] }));
  await openDashboard(page, stack.baseUrl, { email: pro.email, password });
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});
beforeEach(async () => {
  await page.goto(`${stack.baseUrl}/dashboard/library`);
  await tile(0).waitFor();
});

const picture = (seed: number) =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: { r: seed * 10, g: 120, b: 255 - seed * 10 } } })
    .png()
    .toBuffer();
const tile = (position: number) => page.locator(`[data-position="${position}"]`);
const bar = () => page.getByRole("toolbar", { name: "Selected files" });
const told = (text: string) => page.getByText(text).first().waitFor();
const names = async (query: object) => {
  const { images } = await client.imagePage({ folderId: "all", limit: 100, ...query });
  return images.map(({ prompt }) => prompt);
};
/** Focuses a file and selects so many from it on. */
async function select(from: number, count: number) {
  await tile(from).focus();
  for (let more = 1; more < count; more += 1) await page.keyboard.press("Shift+ArrowRight");
  if (count === 1) await page.keyboard.press("x");
}

describe("the library", () => {
  it("shows the newest first, and its pictures", async () => {
    expect(await tile(0).textContent()).toContain(`picture-${FILES}.png`);
    await page
      .getByRole("status")
      .filter({ hasText: `${FILES} files` })
      .waitFor();
    await takeScreenshots(page, "library");
  });

  it("tags, marks and moves what is selected, and undoes it", async () => {
    await select(0, 3);
    expect(await bar().textContent()).toContain("3 selected");
    await page.keyboard.press("t");
    await page.getByLabel("Add tags").fill("press, hero");
    await page.keyboard.press("Enter");
    await told("3 files tagged press, hero");
    expect(await names({ tags: ["press", "hero"] })).toHaveLength(3);

    await page.keyboard.press("f");
    await told("3 files added to favourites");
    expect(await names({ favorite: true })).toHaveLength(3);

    await page.keyboard.press("n");
    await page.getByLabel("Name", { exact: true }).fill("Clients");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: "Clients 0" }).waitFor();
    await select(0, 1);
    await page.keyboard.press("Escape");
    await select(0, 3);
    await page.keyboard.press("m");
    await page.getByRole("combobox", { name: "Find a folder" }).fill("cli");
    await page.keyboard.press("Enter");
    await told("3 files moved to Clients");
    const [clients] = await client.folders.list();
    expect(clients?.itemCount).toBe(3);
    await page.getByRole("treeitem", { name: "Clients 3" }).waitFor();

    await page.keyboard.press("Control+z");
    await told("Undone");
    expect((await client.folders.list())[0]?.itemCount).toBe(0);
  });

  it("moves to the trash, where files are restored or deleted for good", async () => {
    const before = await names({});
    await select(1, 2);
    await page.keyboard.press("Delete");
    await told("2 files moved to the trash");
    expect(await names({ status: "trash" })).toEqual(before.slice(1, 3));

    await page.goto(`${stack.baseUrl}/dashboard/trash`);
    await tile(0).waitFor();
    await select(0, 1);
    await page.keyboard.press("r");
    await told("1 file restored");
    expect(await names({ status: "trash" })).toHaveLength(1);

    await tile(0).focus();
    await page.keyboard.press("Shift+Delete");
    await told("Delete 1 file for good?");
    await page.getByRole("button", { name: "Delete 1 file" }).click();
    await told("1 file deleted for good");
    expect(await names({ status: "all" })).toHaveLength(FILES - 1);
    await told("Nothing in the trash");
  });

  it("finds by name and by tag, and says what can be taken away where nothing is found", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("picture-07");
    await page.getByRole("status").filter({ hasText: "1 file" }).waitFor();
    expect(await tile(0).textContent()).toContain("picture-07.png");
    await page.getByRole("searchbox").fill("no such file");
    await told("No file is like this");
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await tile(5).waitFor();
  });

  it("searches for what was typed in the place where it was: not where a link led since, but with a filter chosen since", async () => {
    const search = () => new URL(page.url()).search;
    /** In the moment after the last letter, as on a machine that is busy. */
    const typeAndClick = async (element: string) => {
      await page.getByRole("searchbox").focus();
      await page.keyboard.type("picture-0");
      await page.evaluate(`document.querySelector('${element}').click()`);
    };
    await typeAndClick('nav a[href$="?fav=1"]');
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("");
    expect(search()).toBe("?fav=1");

    await page.goto(`${stack.baseUrl}/dashboard/library`);
    await tile(0).waitFor();
    await typeAndClick("main button[aria-pressed=false]");
    await expect.poll(search).toBe("?q=picture-0&fav=1");
    expect(await page.getByRole("searchbox").inputValue()).toBe("picture-0");

    await page.goto(`${stack.baseUrl}/dashboard/library`);
    await tile(0).waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("picture-07");
    expect(await page.evaluate(`document.querySelector("search form").requestSubmit(), location.search`)).toBe(
      "?q=picture-07",
    );
  });

  it("copies links, one a line, and every format", async () => {
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await select(0, 2);
    await page.keyboard.press("c");
    await told("2 links copied");
    const urls = (await client.imagePage({ folderId: "all", limit: 2 })).images.map(({ url }) => url);
    expect((await copied()).split("\n")).toEqual(urls);
    await page.keyboard.press("Shift+C");
    await page.getByRole("button", { name: "Markdown" }).click();
    await expect.poll(copied).toContain(`](${urls[0]})`);
  });

  it("makes, renames, nests and deletes folders by keys", async () => {
    await page.keyboard.press("n");
    await page.getByLabel("Name", { exact: true }).fill("Travel");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: /^Travel/ }).focus();
    await page.keyboard.press("F2");
    await page.getByLabel("Name", { exact: true }).fill("Journeys");
    await page.keyboard.press("Enter");
    await told("Travel renamed to Journeys");
    await page.getByRole("treeitem", { name: /^Journeys/ }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("?folder=");
    await told("Drop files here");
    await page.getByRole("treeitem", { name: /^Journeys/ }).focus();
    await page.keyboard.press("Delete");
    await told("Delete Journeys?");
    await page.getByRole("button", { name: "Delete" }).click();
    await expect.poll(async () => (await client.folders.list()).map(({ name }) => name)).not.toContain("Journeys");
  });

  it("takes files dropped onto a folder", async () => {
    const target = page.getByRole("treeitem", { name: /^Clients/ });
    await page.waitForTimeout(1500);
    await drag(page, tile(2), target);
    await told("1 file moved to Clients");
    expect((await client.folders.list())[0]?.itemCount).toBe(1);
  });

  it("says why a change was refused, and shows what was before", async () => {
    await page.route("**/images/bulk-trash", (route) =>
      route.fulfill({ status: 403, json: { error: "Not today", statusCode: 403 } }),
    );
    const name = await tile(0).textContent();
    await tile(0).focus();
    await page.keyboard.press("Delete");
    await told("1 file could not be moved to the trash");
    await told("Not today");
    await expect.poll(() => tile(0).textContent()).toBe(name);
    await page.unroute("**/images/bulk-trash");
  });

  it("never made the browser complain", () => {
    expect(problems).toEqual([]);
  });
});
