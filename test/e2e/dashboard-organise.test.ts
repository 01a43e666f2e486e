import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, loseAnswer, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { endSessionAt, openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { readShownNames } from "../support/dashboard/shown-names.ts";
import { Stack } from "../support/stack/stack.ts";

// Files are brought into order, in a browser against the whole stack. The API shows each action's result.

/** In the order of their uploads. The second is the oldest picture and the largest file, and the last has no time. */
const FILES = [
  { name: "harbour.jpg", width: 640, taken: "2024:06:01 10:00:00" },
  { name: "Alps.jpg", width: 1600, taken: "2019:02:03 08:00:00" },
  { name: "bridge.jpg", width: 320, taken: "2025:01:01 12:00:00" },
  { name: "chart.png", width: 200 },
] as const;

let stack: Stack;
let browser: Browser;
let page: Page;
let problems: readonly string[];
let host: Client;
let who: { readonly email: string; readonly password: string };

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const { pro, password } = await stack.demoAccounts();
  host = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  for (const file of FILES) await host.upload(new File([await draw(file)], file.name));
  ({ page, problems } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] }));
  who = { email: pro.email, password };
  await openDashboard(page, stack.baseUrl, who);
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

function draw({ width, taken, name }: { readonly name: string; readonly width: number; readonly taken?: string }) {
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const picture = sharp({
    create: { width, height: Math.round(width * 0.75), channels: 3, background: "#468", noise },
  });
  if (name.endsWith(".png")) return picture.png().toBuffer();
  const exposure = { ExposureTime: "1/250", FNumber: "28/10", ISOSpeedRatings: "400", FocalLength: "35/1" };
  const exif =
    taken === undefined ? {} : { IFD2: { DateTimeOriginal: taken, ...exposure }, IFD0: { Make: "Hasel", Model: "H1" } };
  return picture.withExif(exif).jpeg({ quality: 90 }).toBuffer();
}

const tile = (position: number) => page.locator(`[data-position="${position}"]`);
const shownNames = () => readShownNames(page);
const NEWEST_FIRST = ["chart.png", "bridge.jpg", "Alps.jpg", "harbour.jpg"];
const BY_NAME = ["Alps.jpg", "bridge.jpg", "chart.png", "harbour.jpg"];
const choose = async (title: string) => {
  await page.getByRole("button", { name: /^Sort: / }).click();
  await page.getByRole("menuitemradio", { name: title, exact: true }).click();
};

describe("order", () => {
  it("Files are sorted by the control, by the palette and by a column's head, and the folder keeps its order", async () => {
    await tile(3).waitFor();
    expect(await shownNames()).toEqual(NEWEST_FIRST);
    await choose("Name");
    await expect.poll(shownNames).toEqual(BY_NAME);
    await choose("Date taken");
    await expect.poll(shownNames).toEqual(["bridge.jpg", "harbour.jpg", "Alps.jpg", "chart.png"]);
    await page.getByRole("button", { name: "Sort: Date taken (Newest first)" }).click();
    await page.getByRole("menuitemradio", { name: "Oldest first" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("sort by size");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await shownNames())[0]).toBe("Alps.jpg");

    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("v");
    const head = page.getByRole("columnheader", { name: "Name" });
    await head.getByRole("button").press("Enter");
    await expect.poll(shownNames).toEqual(BY_NAME);
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    await head.getByRole("button").press("Enter");
    await expect.poll(shownNames).toEqual([...BY_NAME].reverse());
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "organise-table");

    await page.reload();
    await expect.poll(shownNames).toEqual([...BY_NAME].reverse());
    await page.goto(`${stack.baseUrl}/dashboard/library?folder=root&view=grid`);
    await expect.poll(shownNames).toEqual(NEWEST_FIRST);
  });

  it("The control is an icon on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await choose("Name");
    await expect.poll(shownNames).toEqual(BY_NAME);
    await page.setViewportSize({ width: 1280, height: 800 });
    await takeScreenshots(page, "organise-grid");
    expect(problems).toEqual([]);
  });
});

describe("names", () => {
  const field = () => page.getByRole("textbox", { name: "Name", exact: true });
  const told = (text: string) => page.getByText(text).first().waitFor();
  const stored = async () => (await host.imagePage({ folderId: "all", sort: "name", order: "asc" })).images;
  const storedNames = async () => (await stored()).map(({ prompt }) => prompt);

  it("F2 renames a file in its tile, without its ending, and Ctrl-Z undoes it", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?folder=root&view=grid`);
    await expect.poll(shownNames).toEqual(BY_NAME);
    await tile(0).focus();
    await page.keyboard.press("F2");
    await field().waitFor();
    await takeScreenshots(page, "organise-rename");
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "A name is required" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => field().count()).toBe(0);
    await page.keyboard.press("F2");
    await page.keyboard.type("zermatt");
    await page.keyboard.press("Enter");
    // The name's place in the order is last.
    await expect.poll(shownNames).toEqual(["bridge.jpg", "chart.png", "harbour.jpg", "zermatt.jpg"]);
    await told("Renamed to");
    expect(await storedNames()).toContain("zermatt.jpg");
    await page.keyboard.press("Control+z");
    await told("Undone");
    await expect.poll(shownNames).toEqual(BY_NAME);
    expect(await storedNames()).toEqual(BY_NAME);
  });

  it("The table shows a refusal in the field, and sends a name again whose answer was lost", async () => {
    await page.keyboard.press("v");
    await page.getByRole("columnheader", { name: "Name" }).waitFor();
    await tile(1).focus();
    const refusal = { error: "This name is refused", code: "invalid_request", statusCode: 400 };
    await page.route("**/images/*", (route) => route.fulfill({ status: 400, json: refusal }), { times: 1 });
    await page.keyboard.press("F2");
    await page.keyboard.type("pier");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "This name is refused" }).waitFor();
    expect(await field().inputValue()).toBe("pier.jpg");
    await takeScreenshots(page, "organise-refused");
    await failFirst(page, { method: "PATCH", path: "**/images/*" }, loseAnswer);
    await page.keyboard.press("Enter");
    await expect.poll(storedNames).toEqual(["Alps.jpg", "chart.png", "harbour.jpg", "pier.jpg"]);
    await expect.poll(shownNames).toEqual(["Alps.jpg", "chart.png", "harbour.jpg", "pier.jpg"]);
  });

  it("F2 renames an open file", async () => {
    await page.keyboard.press("v");
    await tile(3).click();
    const dialog = page.locator("[role=dialog]:has(h1)");
    await dialog.waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.type("bridge");
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.getByRole("heading", { level: 1 }).textContent()).toBe("bridge.jpg");
    await expect.poll(storedNames).toEqual(BY_NAME);
    await page.keyboard.press("F2");
    await field().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => field().count()).toBe(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.count()).toBe(0);
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});

describe("menus", () => {
  const item = (name: string) => page.getByRole("menuitem", { name });
  const closed = () => page.getByRole("menu").waitFor({ state: "detached" });

  it("A right-click on a file opens its menu, which renames it in place", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?folder=root&view=grid`);
    await expect.poll(shownNames).toEqual(BY_NAME);
    await tile(1).click({ button: "right" });
    await item("Move to the trash").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "organise-menu");
    await item("Rename").click();
    await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
    await closed();
    await page.keyboard.type("causeway");
    await page.keyboard.press("Enter");
    await expect.poll(shownNames).toEqual(["Alps.jpg", "causeway.jpg", "chart.png", "harbour.jpg"]);
    await page.keyboard.press("Control+z");
    await expect.poll(shownNames).toEqual(BY_NAME);
  });

  it("The menu key opens the menu of the selected files, and Escape goes back to the file", async () => {
    await tile(2).focus();
    await page.keyboard.press("x");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+F10");
    await item("Favourite").waitFor();
    expect(await item("Rename").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("menu");
    await page.keyboard.press("Escape");
    await closed();
    await expect.poll(() => page.evaluate("document.activeElement.dataset.position")).toBe("3");
    await page.keyboard.press("ContextMenu");
    await item("Favourite").click();
    await page.getByText("2 files added to favourites").waitFor();
    // A file that is not selected has a menu of its own.
    await tile(0).click({ button: "right" });
    await item("Rename").waitFor();
    await page.keyboard.press("Escape");
    await closed();
    expect(await page.getByRole("toolbar", { name: "Selected files" }).count()).toBe(0);
  });

  it("Empty ground and folders have menus", async () => {
    const ground = await page.locator("[data-ground]").first().boundingBox();
    // Toasts are in the middle.
    await page.mouse.click((ground?.x ?? 0) + (ground?.width ?? 0) - 60, (ground?.y ?? 0) + 400, { button: "right" });
    await item("Select all").click();
    await page.getByRole("toolbar", { name: "Selected files" }).filter({ hasText: "4 selected" }).waitFor();
    await host.folders.create({ name: "Norway" });
    await page.reload();
    const row = page.getByRole("treeitem", { name: /^Norway/ });
    await row.click({ button: "right" });
    await item("Rename").click();
    await page.getByRole("dialog").getByLabel("Name").fill("Sweden");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await host.folders.list()).map(({ name }) => name)).toEqual(["Sweden"]);

    // The message in an empty folder is ground, too.
    await page.getByRole("treeitem", { name: /^Sweden/ }).click();
    await page.getByText("Files are uploaded into this folder.").click({ button: "right" });
    await item("New folder").waitFor();
    await item("Upload files").waitFor();
    await page.keyboard.press("Escape");
    await closed();
    const empty = await page.locator("[role=grid] [data-ground]").first().boundingBox();
    await page.mouse.click((empty?.x ?? 0) + 40, (empty?.y ?? 0) + (empty?.height ?? 0) - 40, { button: "right" });
    await item("New folder").click();
    await page.getByRole("dialog").getByLabel("Name").fill("Uppsala");
    await page.keyboard.press("Enter");
    await expect
      .poll(async () => (await host.folders.list()).map(({ name }) => name).sort())
      .toEqual(["Sweden", "Uppsala"]);
    const added = (await host.folders.list()).find(({ name }) => name === "Uppsala");
    await host.folders.delete(added?._id ?? "");
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});

describe("info", () => {
  const dialog = () => page.locator("[role=dialog]:has(h1)");
  const one = async () => (await host.imagePage({ folderId: "all", q: "Alps" })).images[0];
  const edit = async (label: string, text: string, keys = "Enter") => {
    await dialog()
      .getByRole("button", { name: `Edit ${label.toLowerCase()}` })
      .click();
    await dialog().getByLabel(label, { exact: true }).fill(text);
    await page.keyboard.press(keys);
  };

  it("The info has the facts of the camera and the hash, and the owner's facts are edited in place", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?q=Alps&view=grid`);
    await tile(0).click();
    await dialog().getByRole("button", { name: "Edit alt text" }).waitFor();
    const before = await one();
    const facts = await dialog().getByRole("complementary").textContent();
    for (const fact of [
      "1,600 × 1,200",
      "3 February 2019",
      "Hasel H1",
      "1/250 s · f/2.8 · ISO 400 · 35 mm",
      before?.sha256 ?? "no hash",
    ])
      expect(facts).toContain(fact);
    await dialog().getByRole("button", { name: "Copy SHA-256" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(before?.sha256);

    await edit("Alt text", "Snow on the Alps", "Control+Enter");
    await expect.poll(async () => (await one())?.alt).toBe("Snow on the Alps");
    await dialog().getByRole("button", { name: "HTML" }).click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toContain('alt="Snow on the Alps"');
    await edit("Metadata", "[1]", "Control+Enter");
    await dialog().getByRole("alert").filter({ hasText: "Must be a JSON object" }).waitFor();
    await dialog().getByLabel("Metadata", { exact: true }).fill('{"order": 7}');
    await page.keyboard.press("Control+Enter");
    await expect.poll(async () => (await one())?.metadata).toEqual({ order: 7 });

    const [other] = (await host.imagePage({ folderId: "all", q: "chart" })).images;
    await host.update(other?._id ?? "", { externalId: "order-7" });
    await edit("Your id", "order-7");
    await dialog().getByRole("alert").waitFor();
    expect(await dialog().getByLabel("Your id", { exact: true }).inputValue()).toBe("order-7");
    await dialog().getByLabel("Your id", { exact: true }).fill("order-8");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await one())?.externalId).toBe("order-8");

    await edit("Expiry", "2020-01-01T10:00");
    await dialog().getByRole("alert").filter({ hasText: "in the future" }).waitFor();
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000 + 60_000).toISOString().slice(0, 16);
    await dialog().getByLabel("Expiry", { exact: true }).fill(inThreeDays);
    await page.keyboard.press("Enter");
    await dialog().getByText("in 3 days").waitFor();
    await expect.poll(async () => String((await one())?.expiresAt)).toContain(inThreeDays.slice(0, 10));
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "organise-info");
    await dialog().getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await one())?.expiresAt).toBe(null);
  });

  it("An open file gets new content, and the picture follows", async () => {
    const before = await one();
    const bytes = await draw({ name: "new.png", width: 500 });
    await dialog().locator("input[type=file]").setInputFiles({ name: "new.png", mimeType: "image/png", buffer: bytes });
    await page.getByRole("button", { name: "Replace", exact: true }).click();
    await dialog().getByText("500 × 375").waitFor();
    const shown = () =>
      page.evaluate(
        "Math.max(0, ...[...document.querySelectorAll('[role=dialog] img')].map((img) => img.naturalWidth))",
      );
    await expect.poll(shown).toBe(500);
    const after = await one();
    expect(after).toMatchObject({ _id: before?._id, prompt: "Alps.jpg", mimeType: "image/png" });
    expect(after?.sha256).not.toBe(before?.sha256);
    // A file that is dropped on an open file is not uploaded beside it.
    const drop = `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "dropped.png", { type: "image/png" }));
      const stage = document.querySelector("[role=dialog] header");
      stage.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    })()`;
    await page.evaluate(drop);
    await page.getByText("dropped.png (1").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});

describe("filters", () => {
  it("Files are found by the day of the picture and by any least size", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?view=grid`);
    await expect.poll(async () => (await shownNames()).length).toBe(FILES.length);
    await page.getByRole("button", { name: "Date", exact: true }).click();
    await page.getByText("Days of the upload are in UTC.").waitFor();
    await page.getByRole("radio", { name: "Taken" }).check({ force: true });
    await page.getByLabel("From").fill("2024-01-01");
    await page.getByLabel("To", { exact: true }).fill("2024-12-31");
    await expect.poll(shownNames).toEqual(["harbour.jpg"]);
    expect(page.url()).toContain("takenFrom=2024-01-01&takenTo=2024-12-31");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "organise-taken");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Any date" }).click();
    await expect.poll(async () => (await shownNames()).length).toBe(FILES.length);

    const limit = 50 / 1024;
    const { images } = await host.imagePage({ folderId: "all", minSize: Math.round(limit * 1024 * 1024) });
    await page.getByRole("button", { name: "Size", exact: true }).click();
    await page.getByLabel("Larger than (MB)").fill(String(limit));
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    const found = images.map(({ prompt }) => prompt).sort();
    await expect.poll(async () => (await shownNames()).sort()).toEqual(found);
    expect(images.length).toBeLessThan(FILES.length);
  });

  const pressed = (name: string) => page.getByRole("button", { name, exact: true });

  it("Files of several types are found, by keys alone", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?view=grid`);
    await expect.poll(async () => (await shownNames()).length).toBe(FILES.length);
    const { images } = await host.imagePage({ folderId: "all" });
    const ofType = (...types: string[]) =>
      images.flatMap(({ mimeType, prompt }) => (types.includes(mimeType) ? [prompt] : [])).sort();
    const shownSorted = async () => (await shownNames()).sort();
    await pressed("Type").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("PNG", { exact: true }).focus();
    await page.keyboard.press("Space");
    await expect.poll(shownSorted).toEqual(ofType("image/png"));
    await page.getByLabel("JPEG", { exact: true }).focus();
    await page.keyboard.press("Space");
    await expect.poll(shownSorted).toEqual(ofType("image/png", "image/jpeg"));
    expect(ofType("image/png").length).toBeLessThan(FILES.length);
    expect(page.url()).toContain("type=jpeg%2Cpng");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "find-types");
    await page.keyboard.press("Escape");
    await pressed("JPEG, PNG").waitFor();
    await pressed("Any type").press("Enter");
    await expect.poll(async () => (await shownNames()).length).toBe(FILES.length);
  });

  it("Files are found by camera, orientation, expiry, visibility and alt text, and the filters are in the address", async () => {
    const { images } = await host.imagePage({ folderId: "all" });
    const file = (name: string) => images.find(({ prompt }) => prompt === name)?._id ?? "";
    const upright = await sharp({ create: { width: 200, height: 300, channels: 3, background: "#a60" } })
      .withExif({ IFD0: { Make: "Birke", Model: "B2" } })
      .jpeg()
      .toBuffer();
    await host.upload(new File([upright], "tower.jpg"));
    await host.update(file("bridge.jpg"), { alt: "A bridge" });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await host.update(file("bridge.jpg"), { expiresAt: inDays(3) });
    await host.update(file("harbour.jpg"), { expiresAt: inDays(20) });

    await page.reload();
    await expect.poll(async () => (await shownNames()).length).toBe(FILES.length + 1);
    await pressed("More").press("Enter");
    await page.getByRole("radio", { name: "Portrait" }).check({ force: true });
    await expect.poll(shownNames).toEqual(["tower.jpg"]);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "find-more");
    await page
      .getByRole("radiogroup", { name: "Orientation" })
      .getByRole("radio", { name: "Any" })
      .check({ force: true });
    await page.getByLabel("Camera").fill("hasel");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await shownNames()).sort()).toEqual(["bridge.jpg", "harbour.jpg"]);
    await page.getByLabel("Expiry").selectOption("Expires in 7 days");
    await expect.poll(shownNames).toEqual(["bridge.jpg"]);
    await page.getByLabel("Expiry").selectOption("Expires in 30 days");
    await expect.poll(async () => (await shownNames()).sort()).toEqual(["bridge.jpg", "harbour.jpg"]);
    await page.getByRole("radio", { name: "Without" }).check({ force: true });
    await expect.poll(shownNames).toEqual(["harbour.jpg"]);
    await page.keyboard.press("Escape");
    await pressed("hasel, Expires in 30 days, No alt text").waitFor();
    await page.reload();
    await expect.poll(shownNames).toEqual(["harbour.jpg"]);
    await takeScreenshots(page, "find-facts");

    await pressed("hasel, Expires in 30 days, No alt text").press("Enter");
    await page.getByRole("radio", { name: "Private" }).check({ force: true });
    await page.getByText("No files match").waitFor();
    await page.keyboard.press("Escape");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "find-nothing");
    await page.getByRole("button", { name: "Remove filter Private" }).press("Enter");
    await expect.poll(shownNames).toEqual(["harbour.jpg"]);
  });

  it("The filters are inside the window on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await pressed("hasel, Expires in 30 days, No alt text").click();
    const box = await page.getByRole("dialog", { name: "More filters" }).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await findBarriers(page)).toEqual([]);
    await page.screenshot({ path: ".wrangler/screenshots/find-phone-light-390.png" });
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("Landscape, square, public and private files are found, and a private file has a lock and is named private", async () => {
    const square = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#0a6" } })
      .png()
      .toBuffer();
    const { _id } = await host.upload(new File([square], "dial.png"), { visibility: "private" });
    await page.goto(`${stack.baseUrl}/dashboard/library?view=grid`);
    await page.getByRole("link", { name: /^dial\.png, PNG image, 200 by 200, .*, private$/ }).waitFor();
    const locked = page.locator("[data-position]").filter({ has: page.locator("svg.lucide-lock") });
    expect(await locked.count()).toBe(1);
    expect(await locked.locator("a").first().getAttribute("aria-label")).toMatch(/^dial\.png, /);

    const choose = (name: string) => page.getByRole("radio", { name, exact: true }).check({ force: true });
    const sortedNames = async () => (await shownNames()).sort();
    const landscapes = FILES.map(({ name }) => name).sort();
    await pressed("More").press("Enter");
    await choose("Square");
    await expect.poll(shownNames).toEqual(["dial.png"]);
    await choose("Landscape");
    await expect.poll(sortedNames).toEqual(landscapes);
    const orientations = page.getByRole("radiogroup", { name: "Orientation" });
    await orientations.getByRole("radio", { name: "Any" }).check({ force: true });
    await choose("Private");
    await expect.poll(shownNames).toEqual(["dial.png"]);
    await choose("Public");
    await expect.poll(sortedNames).toEqual([...landscapes, "tower.jpg"].sort());
    expect(page.url()).toContain("visibility=public");
    await page.keyboard.press("Escape");
    await host.delete(_id);
  });

  it("A file that another tab describes leaves the files without an alt text", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?view=grid&alt=without&orientation=portrait`);
    await expect.poll(shownNames).toEqual(["tower.jpg"]);
    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/library?view=grid&orientation=portrait`);
    await other.locator("[data-position]").first().click();
    await other.getByRole("button", { name: "Edit alt text" }).click();
    await other.getByLabel("Alt text", { exact: true }).fill("A tower");
    await other.keyboard.press("Control+Enter");
    await other.getByText("Alt text saved").waitFor();
    await other.close();
    await page.getByText("No files match").waitFor();
  });

  it("A filter whose answer was lost is tried again, and a session that is over is renewed", async () => {
    await page.route("**/images?*", (route) => route.abort(), { times: 1 });
    await pressed("Portrait, No alt text").waitFor();
    await page.getByRole("button", { name: "Remove more filters" }).press("Enter");
    await expect.poll(async () => (await shownNames()).length).toBe(FILES.length + 1);
    await pressed("More").press("Enter");
    await page.context().clearCookies();
    await page.getByRole("radio", { name: "Square" }).check({ force: true });
    await page.getByLabel("Password").waitFor();
    await submitLogIn(page, who);
    await page.getByText("No files match").waitFor();
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});

describe("saved searches", () => {
  const saved = () => page.getByRole("region", { name: "Searches" });
  const link = (name: string) => saved().getByRole("link", { name, exact: true });
  const save = () => page.getByRole("button", { name: "Save search" });
  const name = () => page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  const actions = async (of: string, item: string) => {
    await saved()
      .getByRole("button", { name: `Actions for ${of}` })
      .press("Enter");
    await page.getByRole("menuitem", { name: item }).press("Enter");
  };

  it("A search is saved under a name, opened in the sidebar and on another device, and renamed, by keys alone", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?view=grid`);
    await tile(0).waitFor();
    expect(await save().count()).toBe(0);
    expect(await saved().count()).toBe(0);
    await page.goto(`${stack.baseUrl}/dashboard/library?view=grid&type=png&alt=without`);
    await save().press("Enter");
    await name().fill("Undescribed PNGs");
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await link("Undescribed PNGs").waitFor();
    await expect.poll(() => save().count()).toBe(0);
    expect(await link("Undescribed PNGs").getAttribute("aria-current")).toBe("page");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "find-saved");

    const device = await openPage(browser);
    await openDashboard(device.page, stack.baseUrl, who);
    await device.page.getByRole("link", { name: "Undescribed PNGs" }).press("Enter");
    await device.page.waitForURL("**/library?type=png&alt=without");
    await device.page.context().close();

    await actions("Undescribed PNGs", "Rename");
    await name().fill("PNGs");
    await page.keyboard.press("Enter");
    await link("PNGs").waitFor();
    expect(await saved().getByRole("link").count()).toBe(1);
  });

  it("A saved search takes the filters that are shown, and its deletion is undone", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?type=jpeg`);
    await actions("PNGs", "Use the filters shown");
    await expect.poll(() => link("PNGs").getAttribute("href")).toBe("/dashboard/library?type=jpeg");
    await actions("PNGs", "Delete");
    await expect.poll(() => saved().count()).toBe(0);
    await page.getByText("PNGs deleted").waitFor();
    // The newest message is the first.
    await page.getByRole("button", { name: "Undo" }).first().click();
    await link("PNGs").waitFor();
  });

  it("A search whose answer was lost is saved once, and a session that is over is renewed", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?q=tower`);
    await save().press("Enter");
    expect(await name().inputValue()).toBe("tower");
    await failFirst(page, { method: "POST", path: "**/searches" }, loseAnswer);
    await page.keyboard.press("Enter");
    await link("tower").waitFor();
    expect(await saved().getByRole("link").count()).toBe(2);

    await endSessionAt(page, "PATCH");
    await actions("tower", "Rename");
    await name().fill("Towers");
    await page.keyboard.press("Enter");
    await page.getByLabel("Password").waitFor();
    await submitLogIn(page, who);
    await link("Towers").waitFor();
  });

  it("A search that another tab deleted is reported, and leaves the sidebar", async () => {
    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/library`);
    // The page does not learn of the deletion before it deletes the search, too.
    const refused = Promise.withResolvers<void>();
    await page.route("**/searches", async (route) => {
      if (route.request().method() === "GET") await refused.promise;
      await route.fallback();
    });
    const button = other.getByRole("button", { name: "Actions for Towers" });
    await button.press("Enter");
    await other.getByRole("menuitem", { name: "Delete" }).press("Enter");
    await other.getByText("Towers deleted").waitFor();
    await other.close();
    await actions("Towers", "Delete");
    await page.getByText("Saved search not found").first().waitFor();
    refused.resolve();
    await expect.poll(() => link("Towers").count()).toBe(0);
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});

describe("faults in the middle of a change", () => {
  interface Change {
    readonly method: "PATCH" | "POST";
    readonly path: string;
    /** Leaves the last key to `Enter`. */
    readonly prepare: () => Promise<unknown>;
    /** The words at the end. */
    readonly words: string;
    /** Reads the changed fact from the API. */
    readonly stored: () => Promise<unknown>;
    readonly expected: unknown;
  }

  const one = async (name: string) => (await host.imagePage({ folderId: "all", q: name })).images[0];
  const folderId = async () => (await host.folders.list())[0]?._id;
  const focusTile = async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library?view=grid&q=chart`);
    await tile(0).focus();
  };
  const beginRename = async () => {
    await focusTile();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("chart of all.png");
  };
  const beginMove = async () => {
    await focusTile();
    await page.keyboard.press("m");
    await page.getByRole("combobox", { name: "Find a folder" }).fill("swe");
  };
  const CHANGES: Readonly<Record<string, Change>> = {
    "new name": {
      method: "PATCH",
      path: "**/images/*",
      prepare: beginRename,
      words: "Renamed to",
      stored: async () => (await one("chart"))?.prompt,
      expected: "chart of all.png",
    },
    move: {
      method: "POST",
      path: "**/images/bulk-update",
      prepare: beginMove,
      words: "1 file moved to Sweden",
      stored: async () => (await one("chart"))?.folderId === (await folderId()),
      expected: true,
    },
    "saved search": {
      method: "POST",
      path: "**/searches",
      prepare: async () => {
        await page.goto(`${stack.baseUrl}/dashboard/library?view=grid&type=png`);
        await page.getByRole("button", { name: "Save search" }).press("Enter");
        await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Charts");
      },
      words: "Charts",
      stored: async () => page.getByRole("region", { name: "Searches" }).getByRole("link", { name: "Charts" }).count(),
      expected: 1,
    },
  };

  /** Takes the changes back, so that the next fault meets the same files. */
  async function restore(): Promise<void> {
    const file = await one("chart");
    await host.update(file?._id ?? "", { originalFilename: "chart.png", folderId: null });
    const button = page.getByRole("button", { name: "Actions for Charts" });
    if ((await button.count()) === 0) return;
    await button.press("Enter");
    await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
    await button.waitFor({ state: "detached" });
  }

  describe.each(Object.entries(CHANGES))("A %s", (name, { method, path, prepare, words, stored, expected }) => {
    const meets = async () => {
      await page.getByText(words).first().waitFor();
      await expect.poll(stored).toBe(expected);
      expect(await findBarriers(page)).toEqual([]);
    };

    it(`A ${name} that reaches the rate is made after the service's \`Retry-After\``, async () => {
      await prepare();
      const sent = await failFirst(page, { method, path }, (route) => refuseByRate(route, 2));
      await page.keyboard.press("Enter");
      await meets();
      expect(sent).toHaveLength(2);
      expect((sent[1] ?? 0) - (sent[0] ?? 0)).toBeGreaterThan(1900);
      await restore();
    });

    it(`A ${name} whose session is over is made after the new log-in`, async () => {
      await prepare();
      await endSessionAt(page, method);
      await page.keyboard.press("Enter");
      await page.getByLabel("Password").waitFor();
      await submitLogIn(page, who);
      await meets();
      await restore();
    });
  });

  it("A new name takes the place of the name that another tab gave meanwhile, and undo brings back the name that was shown", async () => {
    await beginRename();
    await host.update((await one("chart"))?._id ?? "", { originalFilename: "chart elsewhere.png" });
    await page.keyboard.press("Enter");
    await page.getByText("Renamed to").first().waitFor();
    await expect.poll(shownNames).toEqual(["chart of all.png"]);
    expect((await one("chart"))?.prompt).toBe("chart of all.png");
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await one("chart"))?.prompt).toBe("chart.png");
    await restore();
  });

  it("A file that another tab moved into the same folder is moved once, and one that it deleted is reported", async () => {
    await beginMove();
    const file = await one("chart");
    await host.update(file?._id ?? "", { folderId: (await folderId()) ?? null });
    await page.keyboard.press("Enter");
    await page.getByText("1 file moved to Sweden").first().waitFor();
    expect((await host.folders.list())[0]?.itemCount).toBe(1);
    await restore();

    await beginMove();
    await host.delete(file?._id ?? "");
    await page.keyboard.press("Enter");
    await page.getByText("1 file could not be moved").first().waitFor();
    await page.getByText("was deleted in the meantime").first().waitFor();
    await page.getByText("No files match").waitFor();
    expect(problems.filter((problem) => !problem.includes("ERR_FAILED"))).toEqual([]);
  });
});
