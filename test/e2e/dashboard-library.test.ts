import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { drag } from "../support/dashboard/drag.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// The library in a browser against the whole stack. The API shows each action's result. The test uses keys alone, except for drags.

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
/** Focuses a file and selects this number of files from it on. */
async function select(from: number, count: number) {
  await tile(from).focus();
  for (let more = 1; more < count; more += 1) await page.keyboard.press("Shift+ArrowRight");
  if (count === 1) await page.keyboard.press("x");
}

/** Uploads a file in the page, and waits until the view shows it first. */
async function uploadHere(name: string) {
  const buffer = Buffer.concat([await picture(1), Buffer.from(name)]);
  await page.getByLabel("Choose files to upload").setInputFiles({ name, mimeType: "image/png", buffer });
  await tile(0).filter({ hasText: name }).waitFor();
}
async function removeUploads(uploaded: readonly string[]) {
  const { images } = await client.imagePage({ folderId: "all", limit: 100 });
  for (const { _id, prompt } of images) if (uploaded.includes(prompt)) await client.delete(_id);
}

describe("library", () => {
  it("A key that a file receives before the commands have loaded runs its command as soon as they have loaded", async () => {
    const folders = page.getByRole("combobox", { name: "Find a folder" });
    for (const isLeft of [false, true]) {
      const [requested, load] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route("**/assets/library-parts-*.js", async (route) => {
        requested.resolve();
        await load.promise;
        await route.continue();
      });
      await page.reload();
      await requested.promise;
      await tile(0).focus();
      await page.keyboard.press("m");
      if (isLeft) await select(1, 1);
      load.resolve();
      if (isLeft) await bar().waitFor();
      else await folders.waitFor();
      expect(await folders.count()).toBe(isLeft ? 0 : 1);
      await page.unroute("**/assets/library-parts-*.js");
    }
  });

  it("A long name of a folder ends in an ellipsis in the sidebar, before the number of its files", async () => {
    const { _id } = await client.folders.create({ name: "A name of many words ".repeat(4).trim() });
    await page.reload();
    const row = page.getByRole("treeitem", { name: /^A name of many words/ });
    const name = row.locator("a > span").first();
    const count = row.locator("a > span").last();
    await name.waitFor();
    const [shown, whole] = await name.evaluate<[number, number], HTMLElement>((span) => [
      span.clientWidth,
      span.scrollWidth,
    ]);
    expect(shown).toBeLessThan(whole);
    const sidebar = await page.getByRole("navigation", { name: "Library" }).boundingBox();
    const box = await count.boundingBox();
    if (sidebar === null || box === null) throw new Error("The row is not shown");
    expect(box.x + box.width).toBeLessThan(sidebar.x + sidebar.width);
    await client.folders.delete(_id);
  });

  it("The library shows the newest files first, with their pictures", async () => {
    expect(await tile(0).textContent()).toContain(`picture-${FILES}.png`);
    await page
      .getByRole("status")
      .filter({ hasText: `${FILES} files` })
      .waitFor();
    await takeScreenshots(page, "library");
  });

  it("Selected files are tagged, marked and moved, and each change is undone", async () => {
    await select(0, 3);
    expect(await bar().textContent()).toContain("3 selected");
    await bar().getByRole("button", { name: "Copy as…" }).filter({ hasText: "Copy as…" }).waitFor();
    await page.keyboard.press("t");
    const field = page.getByLabel("Add tags");
    for (const tag of ["press", "hero"]) {
      await field.fill(tag);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: `Remove ${tag}` }).waitFor();
      expect(await field.inputValue()).toBe("");
    }
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

  it("Files move to the trash and are restored from it or deleted permanently", async () => {
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
    await told("Delete 1 file permanently?");
    await page.getByRole("button", { name: "Delete 1 file" }).click();
    await told("1 file deleted permanently");
    expect(await names({ status: "all" })).toHaveLength(FILES - 1);
    await told("The trash is empty");
  });

  it("A search finds by name and by tag; without a result it offers to remove filters", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("picture-07");
    await page.getByRole("status").filter({ hasText: "1 file" }).waitFor();
    expect(await tile(0).textContent()).toContain("picture-07.png");
    await page.getByRole("searchbox").fill("no such file");
    await told("No files match");
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await tile(5).waitFor();
  });

  it("A search finds files and folders by several words in any order", async () => {
    const clients = (await client.folders.list()).find(({ name }) => name === "Clients");
    const summer = await client.folders.create({ name: "Summer in Halden", parentId: clients?._id ?? null });
    await client.folders.create({ name: "2026", parentId: summer._id });
    await page.reload();
    await tile(0).waitFor();
    const folders = () => page.getByRole("list", { name: "Folders" }).getByRole("link").allTextContents();
    await page.getByRole("searchbox").fill("07 pict");
    await page.getByRole("status").filter({ hasText: "1 file" }).waitFor();
    expect(await tile(0).textContent()).toContain("picture-07.png");
    await page.getByRole("searchbox").fill("halden SUMM");
    await expect.poll(folders).toEqual(["Summer in Halden1 folder"]);
    await told("No files match");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("list", { name: "Folders" }).getByRole("link").click();
    await expect.poll(() => page.url()).toContain(`?folder=${summer._id}`);
    await expect.poll(folders).toEqual(["2026Empty"]);
    await takeScreenshots(page, "folder-of-folders");

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "All commands" }).fill("halden summ");
    await page.getByRole("option", { name: "Clients / Summer in Halden" }).waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${stack.baseUrl}/dashboard/developers`, { waitUntil: "networkidle" });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "All commands" }).fill("halden summ");
    await page.getByRole("option", { name: "Clients / Summer in Halden" }).click();
    await expect.poll(() => page.url()).toContain(`?folder=${summer._id}`);
    await client.folders.delete(summer._id);
  });

  it("Toasts appear above the selection bar, and Ctrl-Z removes the toast of the undone change", async () => {
    await select(0, 1);
    await page.keyboard.press("f");
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.waitFor();
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      const foot = async () => {
        const [toast, selection] = await Promise.all([undo.boundingBox(), bar().boundingBox()]);
        return (selection?.y ?? 0) - (toast?.y ?? 0) - (toast?.height ?? 0);
      };
      await expect.poll(foot).toBeGreaterThan(0);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press("Control+z");
    await told("Undone");
    await undo.waitFor({ state: "detached", timeout: 2000 });
  });

  it("The first favourite is counted, and a trashed file leaves the count of the last days", async () => {
    const count = (name: string) =>
      page
        .getByRole("navigation", { name: "Library" })
        .getByRole("link", { name: new RegExp(`^${name}`) })
        .textContent();
    await client.updateAll({ filter: { folderId: "all", favorite: true }, favorite: false });
    await page.reload();
    await tile(0).waitFor();
    const active = (await names({})).length;
    await expect.poll(() => count("Favourites")).toBe("Favourites0");
    await expect.poll(() => count("Last 7 days")).toBe(`Last 7 days${active}`);
    await select(0, 1);
    await page.keyboard.press("f");
    await expect.poll(() => count("Favourites"), { timeout: 2000 }).toBe("Favourites1");
    await page.keyboard.press("Delete");
    await expect.poll(() => count("Favourites"), { timeout: 2000 }).toBe("Favourites0");
    await expect.poll(() => count("Last 7 days"), { timeout: 2000 }).toBe(`Last 7 days${active - 1}`);
    await told("1 file moved to the trash");
    await page.keyboard.press("Control+z");
    await expect.poll(() => count("Last 7 days")).toBe(`Last 7 days${active}`);
    await page.keyboard.press("Control+z");
    await expect.poll(() => count("Favourites")).toBe("Favourites0");
  });

  it("A typed search applies to the view in which it was typed, with filters chosen since", async () => {
    const search = () => new URL(page.url()).search;
    /** Clicks in the moment after the last letter, as on a busy machine. */
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

  it("Links are copied one a line, and in every format", async () => {
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

  it("Folders are created, renamed, nested and deleted by keys", async () => {
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

  it("Files dropped onto a folder are stored in it", async () => {
    const target = page.getByRole("treeitem", { name: /^Clients/ });
    await page.waitForTimeout(1500);
    await drag(page, tile(2), target);
    await told("1 file moved to Clients");
    expect((await client.folders.list())[0]?.itemCount).toBe(1);
  });

  it("Filters that do not fit fade out at the edge beyond which there are more", async () => {
    const group = `document.querySelector("[role=group][aria-label=Filters]")`;
    const fades = () =>
      page.evaluate<string[]>(
        `["--fade-start", "--fade-end"].map((name) => getComputedStyle(${group}).getPropertyValue(name))`,
      );
    expect(await fades()).toEqual(["0px", "0px"]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(fades).toEqual(["0px", "28px"]);
    await page.evaluate(`${group}.scrollTo({ left: 9999 })`);
    await expect.poll(fades).toEqual(["28px", "0px"]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("The table shows the ending of every name at any width", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stack.baseUrl}/dashboard/library?view=table`);
    await tile(0).waitFor();
    const ends = `Array.from(document.querySelectorAll("[data-position] bdi"), (name) => {
      const link = name.closest("a").getBoundingClientRect();
      return name.lastElementChild.getBoundingClientRect().right <= link.right + 0.5;
    })`;
    expect(new Set(await page.evaluate<boolean[]>(ends))).toEqual(new Set([true]));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate("localStorage.clear()");
  });

  it("A refused change shows its reason and restores the earlier view", async () => {
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

  it("The selection and the focus stay on their files when an upload arrives", async () => {
    const [, , first = "", second = ""] = await names({});
    await select(2, 2);
    await uploadHere("selected.png");
    expect(await page.locator('[aria-selected="true"]').count()).toBe(2);
    await page.keyboard.press("Delete");
    await told("2 files moved to the trash");
    expect((await names({ status: "trash" })).sort()).toEqual([first, second].sort());
    await page.keyboard.press("Control+z");
    await told("Undone");

    const [, , third = ""] = await names({});
    await tile(2).focus();
    await uploadHere("focused.png");
    await page.keyboard.press("Delete");
    await told("1 file moved to the trash");
    expect(await names({ status: "trash" })).toEqual([third]);
    await page.keyboard.press("Control+z");
    await told("Undone");
    await removeUploads(["selected.png", "focused.png"]);
  });

  it("A name that is being typed stays when an upload arrives, and its letters are no commands", async () => {
    await tile(3).focus();
    await page.keyboard.press("F2");
    await page.getByLabel("Name", { exact: true }).waitFor();
    await page.keyboard.type("a pa");
    await uploadHere("typed.png");
    await page.keyboard.type("ge form");
    await page.keyboard.press("Enter");
    await told("Renamed to");
    expect(await names({ q: "a page form.png" })).toEqual(["a page form.png"]);
    expect([await names({ visibility: "private" }), await names({ favorite: true, q: "form" })]).toEqual([[], []]);
    await page.keyboard.press("Control+z");
    await told("Undone");
    await removeUploads(["typed.png"]);
  });

  it("The library never causes an error message of the browser", () => {
    expect(problems).toEqual([]);
  });
});
