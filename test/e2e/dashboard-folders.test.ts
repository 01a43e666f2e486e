import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { drag } from "../support/dashboard/drag.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { endSessionAt, openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// Folders are tiles with pictures, and files and folders are moved into them, in a browser against the whole stack.

/** Whether the code of drags is loaded. */
const DRAG_CODE = ["library-parts", "watch-folder-drags"]
  .map((part) => `performance.getEntriesByType('resource').some(({ name }) => name.includes('/${part}'))`)
  .join(" && ");
const COLORS = ["#a33", "#3a3", "#33a", "#aa3", "#a3a"];

let stack: Stack;
let browser: Browser;
let page: Page;
let problems: readonly string[];
let host: Client;
let who: { readonly email: string; readonly password: string };

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const { pro, password } = await stack.demoAccounts();
  who = { email: pro.email, password };
  host = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  const norway = await host.folders.create({ name: "Norway" });
  await host.folders.create({ name: "Fjords", parentId: norway._id });
  await host.folders.create({ name: "Sweden" });
  for (const [at, color] of COLORS.entries()) await upload(color, `norway-${at}.png`, norway._id);
  await upload("#08a", "loose.png");
  await upload("#0a8", "other.png");
  ({ page, problems } = await openPage(browser));
  await openDashboard(page, stack.baseUrl, who, "/library?folder=root&view=grid");
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

const paint = (background: string) =>
  sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .png()
    .toBuffer();

async function upload(color: string, name: string, folderId?: string) {
  await host.upload(new File([await paint(color)], name), { folderId });
}

const folderOf = async (name: string) => (await host.folders.list()).find((folder) => folder.name === name);
const list = () => page.getByRole("list", { name: "Folders" });
const tile = (name: string) => list().getByRole("link", { name: new RegExp(`^${name}`) });
const file = (name: string) => page.locator("[data-position]").filter({ hasText: name });
const pictures = (name: string) => tile(name).locator("img");
const loaded = (name: string) =>
  pictures(name).evaluateAll((images) =>
    images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
  );

describe("tiles", () => {
  it("The tile of a folder shows its four newest pictures", async () => {
    await expect.poll(() => loaded("Norway")).toEqual([true, true, true, true]);
    expect(await pictures("Sweden").count()).toBe(0);
    expect(await tile("Norway").textContent()).toContain("5 files, 1 folder");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "folders");
    // The tiles that the page shows are one request.
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/folders/newest") && asked.push(request.url()));
    await page.reload();
    await expect.poll(() => loaded("Norway")).toEqual([true, true, true, true]);
    expect(asked).toHaveLength(1);
  });

  it("A file that is dropped on a tile moves into the folder, and its picture is on the tile", async () => {
    await file("loose.png").waitFor();
    // The code of drags is loaded when the page is idle.
    await expect.poll(() => page.evaluate(DRAG_CODE)).toBe(true);
    await drag(page, file("loose.png"), tile("Sweden"));
    await expect.poll(() => loaded("Sweden")).toEqual([true]);
    await expect.poll(() => file("loose.png").count()).toBe(0);
    expect((await folderOf("Sweden"))?.itemCount).toBe(1);
    await page.keyboard.press("Control+z");
    await expect.poll(() => pictures("Sweden").count()).toBe(0);
    await file("loose.png").waitFor();
  });

  it("A folder's tile is dragged onto another tile, and Ctrl-Z takes it back", async () => {
    const sweden = await folderOf("Sweden");
    const norway = await folderOf("Norway");
    await drag(page, tile("Sweden"), tile("Norway"));
    await expect.poll(async () => (await folderOf("Sweden"))?.parentId).toBe(norway?._id);
    await page.getByText("Sweden moved").waitFor();
    expect(await tile("Sweden").count()).toBe(0);
    await page.keyboard.press("Control+z");
    await tile("Sweden").waitFor();
    await expect.poll(async () => (await folderOf("Sweden"))?.parentId).toBe(sweden?.parentId);
    // A folder cannot be moved into itself.
    const fjords = page.getByRole("treeitem", { name: /^Fjords/ });
    await page.getByRole("treeitem", { name: /^Norway/ }).focus();
    await page.keyboard.press("ArrowRight");
    await fjords.waitFor();
    await drag(page, tile("Norway"), fjords);
    expect((await folderOf("Norway"))?.parentId).toBe(null);
  });

  it("A folder of folders shows large tiles, which the keyboard opens", async () => {
    const norway = await folderOf("Norway");
    await host.folders.create({ name: "Cities" });
    const cities = await folderOf("Cities");
    await host.folders.update(norway?._id ?? "", { parentId: cities?._id ?? null });
    await page.goto(`${stack.baseUrl}/dashboard/library?folder=${cities?._id}`);
    await expect.poll(() => loaded("Norway")).toEqual([true, true, true, true]);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "folders-alone");
    await tile("Norway").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/library?folder=${norway?._id}`);
    await tile("Fjords").waitFor();
    await host.folders.update(norway?._id ?? "", { parentId: null });
  });

  it("The tiles keep their icons without an answer, and another tab's change reaches them", async () => {
    await page.route("**/folders/newest?*", (route) => route.abort());
    await page.goto(`${stack.baseUrl}/dashboard/library?folder=root`);
    await tile("Norway").locator("svg").waitFor();
    await page.unroute("**/folders/newest?*");
    await page.reload();
    await expect.poll(() => loaded("Norway")).toEqual([true, true, true, true]);
    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/library?folder=root&view=grid`);
    await other.locator("[data-position]").filter({ hasText: "other.png" }).click({ button: "right" });
    await other.getByRole("menuitem", { name: "Move", exact: false }).first().click();
    await other.getByLabel("Find a folder").fill("Sweden");
    await other.keyboard.press("Enter");
    await expect.poll(async () => (await folderOf("Sweden"))?.itemCount).toBe(1);
    await other.getByText("1 file moved to Sweden").waitFor();
    await other.close();
    await expect.poll(() => loaded("Sweden")).toEqual([true]);
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});

describe("another tab", () => {
  it("A folder and an upload of another tab appear without a reload", async () => {
    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/library?folder=root&view=grid`);
    await other.getByRole("button", { name: "New folder", exact: true }).first().click();
    await other.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Finland");
    await other.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await tile("Finland").waitFor();
    await other.getByLabel("Choose files to upload").setInputFiles({
      name: "elsewhere.png",
      mimeType: "image/png",
      buffer: await paint("#55a"),
    });
    await file("elsewhere.png").waitFor();
    await other.close();
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});

describe("a new folder while files are moved", () => {
  const field = () => page.getByRole("combobox", { name: "Find a folder" });
  const name = () => page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  const choose = () => page.getByRole("dialog").getByRole("button", { name: "New folder" }).press("Enter");
  const create = () => page.getByRole("dialog").getByRole("button", { name: "Create" }).press("Enter");

  it("A folder is made in the dialog of a move, in the chosen folder, and the file moves into it", async () => {
    await file("loose.png").focus();
    await page.keyboard.press("m");
    await field().fill("Sweden");
    await choose();
    await page.getByRole("heading", { name: "New folder in Sweden" }).waitFor();
    await name().fill("Lapland");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "folders-new");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.getByRole("option", { selected: true }).textContent(), { timeout: 20_000 })
      .toBe("Lapland");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "folders-made");
    await field().press("Enter");
    await field().waitFor({ state: "detached" });
    await expect.poll(async () => (await folderOf("Lapland"))?.itemCount).toBe(1);
    expect((await folderOf("Lapland"))?.parentId).toBe((await folderOf("Sweden"))?._id);
    await page.keyboard.press("Control+z");
    await file("loose.png").waitFor();
  });

  it("A text that no folder has is the new folder's name", async () => {
    await file("loose.png").focus();
    await page.keyboard.press("m");
    await field().fill("Iceland");
    await page.getByText("No folders match").waitFor();
    await choose();
    await page.getByRole("heading", { name: "New folder in Root" }).waitFor();
    expect(await name().inputValue()).toBe("Iceland");
    await page.keyboard.press("Escape");
    await field().waitFor();
    expect(await field().inputValue()).toBe("Iceland");
  });

  it("A network that is lost keeps the name, and a session that is over is renewed", async () => {
    await choose();
    await page.route("**/folders", (route) => route.abort(), { times: 3 });
    await create();
    await page.getByText("No answer came from the server.").waitFor();
    await takeScreenshots(page, "folders-new-lost");
    expect(await name().inputValue()).toBe("Iceland");
    expect(await folderOf("Iceland")).toBeUndefined();
    await page.unroute("**/folders");
    await endSessionAt(page, "POST");
    await create();
    await page.getByLabel("Password").waitFor();
    await submitLogIn(page, who);
    await expect.poll(() => page.getByRole("option", { selected: true }).textContent()).toBe("Iceland");
    await field().press("Enter");
    await expect.poll(async () => (await folderOf("Iceland"))?.itemCount).toBe(1);
  });

  it("A name that another tab took is refused in the dialog", async () => {
    await file("other.png").waitFor({ state: "detached" });
    await page.goto(`${stack.baseUrl}/dashboard/library?folder=${(await folderOf("Sweden"))?._id}&view=grid`);
    await file("other.png").focus();
    await page.keyboard.press("m");
    await field().fill("Denmark");
    await choose();
    await host.folders.create({ name: "Denmark" });
    await create();
    await page.getByRole("dialog").getByText("A folder here has this name").waitFor();
    await page.keyboard.press("Escape");
    // The tree has the other tab's folder.
    await expect.poll(() => page.getByRole("option", { selected: true }).textContent()).toContain("Denmark");
  });
});
