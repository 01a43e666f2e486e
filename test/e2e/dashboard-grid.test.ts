import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildAssets } from "../../src/tools/build/assets.ts";
import { buildDashboard } from "../../src/tools/build/dashboard.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { Finger } from "../support/dashboard/finger.ts";
import { isTransparent, SeededApi } from "../support/dashboard/seeded-api.ts";
import { seededFile } from "../support/dashboard/seeded-library.ts";

// The grid in Chromium, with an API that has as many files as a test needs.

let browser: Browser;
let page: Page;
let problems: readonly string[] = [];
let running: SeededApi | undefined;

beforeAll(async () => {
  await buildAssets();
  await buildDashboard();
  browser = await openBrowser();
});
afterAll(() => browser?.close());
afterEach(async () => {
  await page?.context().close();
  await running?.[Symbol.asyncDispose]();
  expect(problems).toEqual([]);
});

/** Requests for pages and previews, which are not requests to the API. */
const OTHERS = ["dashboard", "favicon.svg", "previews"];
const SCROLLER = '[role="grid"] [data-ground]';
const tile = (position: number) => page.locator(`[data-position="${position}"]`);
const focused = () => page.evaluate<string | undefined>("document.activeElement.dataset.position");
const selectedText = () => page.getByRole("toolbar", { name: "Selected files" }).textContent();
/** The selected text of the page. */
const markedText = () => page.evaluate<string>("getSelection().toString()");
async function api(files: number): Promise<SeededApi> {
  running = await SeededApi.start(files, { previewMs: 2, pageMs: 10 });
  return running;
}
const count = (seeded: SeededApi, first: string) => seeded.requests.get(first) ?? 0;

/** Scrolls by this distance in each of 30 frames. @returns the number of rows that were removed or moved in the document */
function movedRows(distance: number): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector('${SCROLLER}');
    let moved = 0;
    const observer = new MutationObserver((records) => {
      for (const { removedNodes } of records) moved += removedNodes.length;
    });
    let frames = 30;
    const scroll = () => {
      // The rows are in their order before the first frame.
      if (frames === 29) observer.observe(scroller.firstElementChild, { childList: true });
      if (frames-- === 0) return resolve(moved);
      scroller.scrollTop += ${distance};
      requestAnimationFrame(scroll);
    };
    setTimeout(scroll, 300);
  })`);
}

async function open(seeded: SeededApi, path = "/library", options: Parameters<typeof openPage>[1] = {}) {
  ({ page, problems } = await openPage(browser, options));
  await page.goto(`${seeded.url}/dashboard${path}`);
  await tile(0).locator('img[data-state="shown"]').waitFor();
}

describe("orders of a hundred thousand files", () => {
  const FILES = 100_000;
  const seededNames = () =>
    Array.from({ length: FILES }, (_, number) => seededFile(number, FILES).prompt).sort((a, b) =>
      a.toLowerCase() < b.toLowerCase() ? -1 : 1,
    );
  const linkOf = (position: number) => tile(position).locator("a").first();
  const nameAt = async (position: number) => {
    await linkOf(position).waitFor();
    return (await linkOf(position).getAttribute("aria-label"))?.split(", ")[0];
  };
  const sortBy = async (...choices: string[]) => {
    for (const choice of choices) {
      await page.getByRole("button", { name: /^Sort: / }).click();
      await page.getByRole("menuitemradio", { name: choice, exact: true }).click();
    }
  };

  it("An order by name has all files at their places, at its end and in its middle, by few requests", async () => {
    const seeded = await api(FILES);
    const names = seededNames();
    await open(seeded);
    await sortBy("Name");
    await expect.poll(() => nameAt(0)).toBe(names[0]);
    await tile(0).focus();
    const before = count(seeded, "images");
    await page.keyboard.press("End");
    expect(await nameAt(FILES - 1)).toBe(names.at(-1));
    expect(count(seeded, "images") - before).toBeLessThanOrEqual(6);
    const ruler = page.getByRole("slider", { name: "Timeline" });
    const box = await ruler.boundingBox();
    await page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + (box?.height ?? 0) * 0.25);
    const shown = () =>
      page.evaluate<number>("Number(document.querySelector('[role=slider][aria-label=Timeline]').ariaValueNow)");
    await expect.poll(shown).toBeLessThan(30_000);
    const top = await shown();
    expect(await nameAt(top + 1)).toBe(names[top + 1]);
    // A leap covers a thousand files.
    expect(count(seeded, "images") - before).toBeLessThanOrEqual(6 + 25 + 8);
  });

  it("The oldest files come first, with a ruler from the first month to the last", async () => {
    const seeded = await api(FILES);
    await open(seeded);
    await sortBy("Oldest first");
    await expect.poll(() => nameAt(0)).toBe(seededFile(FILES - 1, FILES).prompt);
    const ruler = page.getByRole("slider", { name: "Timeline" });
    expect(await ruler.getAttribute("aria-valuetext")).toContain("2020");
    await tile(0).focus();
    await page.keyboard.press("End");
    expect(await nameAt(FILES - 1)).toBe(seededFile(0, FILES).prompt);
    await page.reload();
    await expect.poll(() => nameAt(0)).toBe(seededFile(FILES - 1, FILES).prompt);
  });
});

describe("library of a million files", () => {
  it("A library of a million files takes few elements and scrolls to its very end", async () => {
    const seeded = await api(1_000_000);
    await open(seeded);
    await page.getByRole("status").filter({ hasText: "1,000,000 files" }).waitFor();

    await tile(0).focus();
    await page.keyboard.press("End");
    await tile(999_999).locator('img[data-state="shown"]').waitFor();
    expect(await focused()).toBe("999999");
    const end = await page.evaluate<number>(`(() => {
      const last = document.querySelector('[data-position="999999"]').getBoundingClientRect();
      return document.querySelector('${SCROLLER}').getBoundingClientRect().bottom - last.bottom;
    })()`);
    expect(end).toBeGreaterThanOrEqual(0);
    expect(await page.locator("*").count()).toBeLessThanOrEqual(1500);

    await page.keyboard.press("Home");
    await tile(0).locator('img[data-state="shown"]').waitFor();
    expect(await focused()).toBe("0");
  });

  it("A page load requests everything once, and counts the sidebar's views after the first screen", async () => {
    const seeded = await api(1_000_000);
    await open(seeded);
    const asked = () => Object.fromEntries([...seeded.requests].filter(([first]) => !OTHERS.includes(first)));
    // `images` counts four: a page, the timeline, and two counts.
    const all = { account: 1, folders: 1, images: 4, searches: 1, stats: 1, tags: 1 };
    await expect.poll(asked).toEqual(all);
    await page.waitForTimeout(1000);
    expect(asked()).toEqual(all);
  });

  it("A wheel scrolls exactly by its distance, at any position", async () => {
    const seeded = await api(1_000_000);
    await open(seeded);
    await page.evaluate(
      `(() => { const s = document.querySelector('${SCROLLER}'); s.scrollTop = s.scrollHeight / 2; })()`,
    );
    await page.waitForTimeout(500);
    const top = () =>
      page.evaluate<[string, number]>(`(() => {
        const tile = document.querySelector('[role="row"] [data-position]');
        return [tile.dataset.position, tile.getBoundingClientRect().top];
      })()`);
    const [position, before] = await top();
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, 60);
    await page.waitForTimeout(500);
    const after = await tile(Number(position)).evaluate((element) => element.getBoundingClientRect().top);
    expect(before - after).toBeCloseTo(60, 0);
  });

  it("No row moves in the document during a scroll, and at rest the rows are in their order", async () => {
    await open(await api(1000));
    await page.evaluate(`document.querySelector('${SCROLLER}').scrollTop = 8000`);
    for (const distance of [80, -80]) {
      // On a busy machine, the scroll may come to rest between two frames. Then it is tried again.
      await expect.poll(() => movedRows(distance), { timeout: 60_000 }).toBe(0);
      const rows = () =>
        page.evaluate<number[]>("[...document.querySelectorAll('[aria-rowindex]')].map((row) => row.ariaRowIndex * 1)");
      await expect
        .poll(async () => (await rows()).every((row, at, all) => at === 0 || row > (all[at - 1] ?? 0)))
        .toBe(true);
      expect((await rows()).length).toBeGreaterThan(6);
    }
  });

  it("A held ruler requests nothing; on release the visible files are requested", async () => {
    const seeded = await api(1_000_000);
    await open(seeded);
    // The page has sent its first requests.
    const askedFor = () => count(seeded, "images") + count(seeded, "previews");
    for (let before = -1; before !== askedFor(); ) {
      before = askedFor();
      await page.waitForTimeout(1000);
    }
    const ruler = page.getByRole("slider", { name: "Timeline" });
    const box = await ruler.boundingBox();
    if (box === null) throw new Error("There is no ruler");
    await page.mouse.move(box.x + 40, box.y + 5);
    await page.mouse.down();
    const before = [count(seeded, "images"), count(seeded, "previews")] as const;
    for (let step = 1; step <= 60; step += 1)
      await page.mouse.move(box.x + 40, box.y + 5 + (box.height * 0.8 * step) / 60);
    expect([count(seeded, "images"), count(seeded, "previews")]).toEqual(before);
    await page.mouse.up();
    await page.waitForTimeout(800);
    expect(count(seeded, "images") - before[0]).toBeLessThanOrEqual(3);
    const tiles = await page.locator("[data-position]").count();
    expect(count(seeded, "previews") - before[1]).toBeLessThanOrEqual(1.3 * tiles);
    expect(await ruler.getAttribute("aria-valuetext")).toMatch(/^[A-Z][a-z]+ 20\d\d$/);
    await page.locator('[data-position] img[data-state="shown"]').first().waitFor();
  });

  it("One key selects a million files, and a click deselects one of them", async () => {
    const seeded = await api(1_000_000);
    await open(seeded);
    await tile(0).focus();
    await page.keyboard.press("Control+a");
    expect(await selectedText()).toContain("1,000,000 selected");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("x");
    expect(await selectedText()).toContain("999,999 selected");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("toolbar", { name: "Selected files" }).count()).toBe(0);
  });
});

describe("grid", () => {
  it("The grid shows transparent images whole on a checkerboard, and no other images", async () => {
    const seeded = await api(40);
    await open(seeded);
    const files = Array.from({ length: 40 }, (_, number) => seededFile(number, 40));
    const mayBe = (type: string) => ["image/png", "image/gif", "image/webp"].includes(type);
    const expected = files.flatMap((file, at) => (isTransparent(file) && mayBe(file.mimeType) ? [at] : []));
    expect(expected.length).toBeGreaterThan(0);
    const onChecker = () =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll("img[data-alpha]")].map((image) => Number(image.closest("[data-position]").dataset.position))`,
      );
    await page.waitForTimeout(1000);
    const built = await page.locator("[data-position]").count();
    await expect.poll(onChecker).toEqual(expected.filter((at) => at < built));
    await page.waitForTimeout(1000);
    expect(await onChecker()).toEqual(expected.filter((at) => at < built));
  });

  it("The grid selects by clicks, Shift, Ctrl and a box", async () => {
    const seeded = await api(500);
    await open(seeded);
    await tile(1).click({ modifiers: ["Control"] });
    await tile(9).click({ modifiers: ["Shift"] });
    expect(await selectedText()).toContain("9 selected");
    expect(await markedText()).toBe("");
    await tile(3).click();
    expect(await selectedText()).toContain("8 selected");
    await page.keyboard.press("Escape");

    const [first, last] = await Promise.all([tile(0).boundingBox(), tile(8).boundingBox()]);
    if (first === null || last === null) throw new Error("There are no tiles");
    await page.mouse.move(first.x - 8, first.y - 8);
    await page.mouse.down();
    await page.mouse.move(last.x + 20, last.y + 20, { steps: 8 });
    await page.mouse.up();
    expect(await selectedText()).toContain("6 selected");
    expect(await markedText()).toBe("");
  });

  it("The grid moves and selects by keys alone, and keeps the focus on visible files", async () => {
    const seeded = await api(500);
    await open(seeded);
    await tile(0).focus();
    for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    expect(await focused()).toBe("7");
    for (let step = 0; step < 12; step += 1) await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("79");
    expect(await tile(79).evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(800);
    await page.keyboard.press(" ");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Shift+ArrowLeft");
    expect(await selectedText()).toContain("3 selected");
    await page.keyboard.press("Escape");
    await tile(70).focus();
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("71");
  });

  it("The grid copies a link by a key and by its button", async () => {
    const seeded = await api(50);
    await open(seeded, "/library", { permissions: ["clipboard-read", "clipboard-write"] });
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await tile(0).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("c");
    await page.getByText("Link copied").waitFor();
    expect(await copied()).toMatch(/^https:\/\/cdn\.example\/.*-1\.\w+$/);
    await tile(4).hover();
    await tile(4).locator('[data-act="copy"]').click();
    await expect.poll(copied).toMatch(/-4\.\w+$/);
  });

  it("Filters are in the address, and going back undoes them", async () => {
    const seeded = await api(2000);
    await open(seeded);
    await page.getByRole("button", { name: "Favourites" }).click();
    await expect.poll(() => page.url()).toContain("?fav=1");
    await page.getByRole("searchbox").fill("IMG");
    await expect.poll(() => page.url()).toContain("q=IMG&fav=1");
    await page.goBack();
    await expect.poll(() => page.url()).not.toContain("q=");
    await page.goBack();
    await page.getByRole("status").filter({ hasText: "2,000 files" }).waitFor();
  });

  it("Trashed files leave the view at once, and Undo brings them back", async () => {
    const seeded = await api(300);
    await open(seeded);
    const name = await tile(0).textContent();
    await tile(0).focus();
    await page.keyboard.press("Delete");
    await expect.poll(() => tile(0).textContent()).not.toBe(name);
    await page.getByRole("status").filter({ hasText: "299 files" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").filter({ hasText: "300 files" }).waitFor();
    await expect.poll(() => tile(0).textContent()).toBe(name);
  });

  it("A change of more files than can be undone is refused if the number of files changes while its dialog is open", async () => {
    const seeded = await api(6000);
    await open(seeded);
    await tile(0).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("f");
    const asking = page.getByRole("dialog", { name: "Change 6,000 files?" });
    await asking.waitFor();
    const changes: string[] = [];
    page.on("request", (request) => request.url().endsWith("/images/bulk-update") && changes.push(request.url()));
    await page.evaluate(async (id) => {
      const headers = { "Content-Type": "application/json" };
      await fetch("/images/bulk-trash", { method: "POST", headers, body: JSON.stringify({ ids: [id] }) });
      new BroadcastChannel("library").postMessage("changed");
    }, seededFile(5990, 6000)._id);
    await page.getByText("5,999 files").first().waitFor();
    await asking.getByRole("button", { name: "Change 6,000 files" }).click();
    await page.getByText("Files were added or removed. Select them again.").first().waitFor();
    expect(changes).toEqual([]);
  });

  it("The grid is accessible to screen readers, light and dark, as grid and table, and on a phone", async () => {
    const seeded = await api(300);
    await open(seeded);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page)).toEqual([]);
    }
    await tile(2).click({ modifiers: ["Control"] });
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("v");
    await page.getByRole("columnheader", { name: "Uploaded" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 256 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});

describe("keys right after loading", () => {
  const focusIsNowhere = () => page.evaluate<boolean>("document.activeElement === document.body");

  it.each([
    ["ArrowRight", "0"],
    ["ArrowDown", "0"],
    ["End", "9999"],
    ["Home", "0"],
  ])("%s moves the focus to file %s at once", async (key, position) => {
    await open(await api(10_000));
    expect(await focusIsNowhere()).toBe(true);
    await page.keyboard.press(key);
    await expect.poll(focused).toBe(position);
    await tile(Number(position)).locator('img[data-state="shown"]').waitFor();
  });

  it("PageDown moves by a screen, Shift selects, and further arrows move from there", async () => {
    await open(await api(10_000));
    await page.keyboard.press("PageDown");
    await expect.poll(focused).toMatch(/^[1-9]/);
    const from = Number(await focused());
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(focused).toBe(String(from + 1));
    expect(await selectedText()).toContain("2 selected");
  });

  it("The first arrow after a scroll goes to a visible file", async () => {
    await open(await api(10_000));
    await page.mouse.move(400, 500);
    await page.mouse.wheel(0, 3000);
    await expect.poll(() => page.evaluate(`document.querySelector('${SCROLLER}').scrollTop`)).toBe(3000);
    await page.keyboard.press("ArrowDown");
    await expect.poll(focused).toMatch(/^[1-9]/);
    expect(await tile(Number(await focused())).isVisible()).toBe(true);
    const top = await page.evaluate<number>(`document.querySelector('${SCROLLER}').scrollTop`);
    expect(Math.abs(top - 3000)).toBeLessThan(300);
  });

  it("Fields and dialogs handle their own keys", async () => {
    await open(await api(300));
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("End");
    await page.getByRole("slider", { name: "Tile size" }).focus();
    await page.keyboard.press("Home");
    expect(await focused()).toBeUndefined();
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBeUndefined();
  });
});

it("The help sheet names each key under one heading, and its keys scroll it", async () => {
  await open(await api(300));
  await page.setViewportSize({ width: 800, height: 420 });
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  const headings = await help.getByRole("heading", { level: 3 }).allTextContents();
  expect(headings).toContain("Files");
  expect(headings).toEqual([...new Set(headings)]);
  const caps = await help.locator("kbd").allTextContents();
  expect(caps).toEqual(expect.arrayContaining(["[", "]"]));
  expect(caps.filter((cap) => cap.trim() === "")).toEqual([]);
  const titles = await help.locator("dt").allTextContents();
  expect(titles).toEqual([...new Set(titles)]);
  const isAtEnd = () =>
    page.evaluate(`(() => {
      const part = [...document.querySelectorAll('[role="dialog"] *')].find((each) => each.scrollHeight > each.clientHeight + 40);
      return part.scrollTop > 0 && part.scrollTop + part.clientHeight >= part.scrollHeight - 1;
    })()`);
  await page.keyboard.press("End");
  await expect.poll(isAtEnd).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
});

describe("touch", () => {
  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const openOnPhone = async (files = 500, path = "/library") => {
    await open(await api(files), path, PHONE);
    // The code for touch loads after the first picture.
    await page.waitForLoadState("networkidle");
  };

  it("A long press is recognised by its duration, even if the page was busy at that time", async () => {
    await openOnPhone();
    const address = page.url();
    const finger = await Finger.on(page);
    await finger.press(tile(1), 0);
    const busy = page.evaluate("for (const end = performance.now() + 1500; performance.now() < end; );");
    await new Promise((resolve) => setTimeout(resolve, 700));
    await finger.lift();
    await busy;
    expect(await selectedText()).toContain("1 selected");
    expect(page.url()).toBe(address);
  });

  it("A long press selects, a sweep adds more files, and taps toggle until none is selected", async () => {
    await openOnPhone();
    const address = page.url();
    const finger = await Finger.on(page);
    await finger.press(tile(1), 700);
    await finger.lift();
    expect(await selectedText()).toContain("1 selected");
    expect(page.url()).toBe(address);

    await finger.press(tile(3), 700);
    await finger.moveTo(tile(8));
    await finger.lift();
    expect(await selectedText()).toContain("7 selected");
    expect(await markedText()).toBe("");

    await tile(4).tap();
    expect(await selectedText()).toContain("6 selected");
    for (const position of [1, 3, 5, 6, 7, 8]) await tile(position).tap();
    await expect.poll(() => page.getByRole("toolbar", { name: "Selected files" }).count()).toBe(0);
    expect(page.url()).toBe(address);
    await tile(4).tap();
    await expect.poll(() => page.url()).not.toBe(address);
  });

  it("A long press on a selected file opens the menu of the selected files", async () => {
    await openOnPhone();
    const finger = await Finger.on(page);
    await finger.press(tile(1), 700);
    await finger.lift();
    await tile(2).tap();
    await finger.press(tile(2), 700);
    await finger.lift();
    await page.getByRole("menuitem", { name: "Favourite" }).tap();
    // Both are favourites in the seeded library.
    await page.getByText("2 files removed from favourites").waitFor();
    expect(await selectedText()).toContain("2 selected");
  });

  describe.each([
    ["that sends `contextmenu` for a long press", true],
    ["that sends no `contextmenu`, as Safari on iOS", false],
  ])("In a browser %s", (_, hasEvent) => {
    /** Collects the menus that open. */
    const prepare = () =>
      page.evaluate(`
        window.menus = new Set();
        new MutationObserver(() => {
          for (const menu of document.querySelectorAll("[role=menu]")) window.menus.add(menu);
        }).observe(document.body, { childList: true, subtree: true });
        if (${!hasEvent})
          addEventListener("contextmenu", (event) => event.isTrusted && event.stopImmediatePropagation(), true);
      `);
    /** A long press opens one menu with this entry, which stays when the finger is lifted. */
    const expectMenu = async (on: Locator, entry: string) => {
      const address = page.url();
      const finger = await Finger.on(page);
      await finger.press(on, 900);
      await page.getByRole("menuitem", { name: entry }).waitFor();
      await finger.lift();
      await page.waitForTimeout(500);
      expect(await page.getByRole("menuitem", { name: entry }).isVisible()).toBe(true);
      expect(page.url()).toBe(address);
      expect(await page.evaluate("window.menus.size")).toBe(1);
    };

    it("A long press on a folder's tile opens its menu", async () => {
      await openOnPhone(500, "/library?q=e");
      await prepare();
      await expectMenu(page.getByRole("list", { name: "Folders" }).getByRole("link").first(), "Rename");
      await page.getByRole("menuitem", { name: "Open" }).tap();
      await expect.poll(() => page.url()).toContain("folder=");
    });

    it("A long press on a folder's row opens its menu", async () => {
      await openOnPhone();
      await page.getByRole("button", { name: "Menu", exact: true }).tap();
      await prepare();
      await expectMenu(page.getByRole("treeitem").first(), "Rename");
    });

    it("A long press on empty ground opens its menu", async () => {
      await openOnPhone(3);
      await prepare();
      await expectMenu(page.locator(SCROLLER).first(), "Upload files");
    });
  });

  it("A finger that moves or lifts early opens no menu of a folder", async () => {
    await openOnPhone(500, "/library?q=e");
    const finger = await Finger.on(page);
    const folder = page.getByRole("list", { name: "Folders" }).getByRole("link").first();
    await finger.press(folder, 100);
    await finger.moveBy(40, 0);
    await page.waitForTimeout(600);
    await finger.lift();
    expect(await page.getByRole("menu").count()).toBe(0);
    await folder.tap();
    await expect.poll(() => page.url()).toContain("folder=");
    expect(await page.getByRole("menu").count()).toBe(0);
  });

  it("A sweep continues while the finger rests at the edge", async () => {
    await openOnPhone(2000);
    const finger = await Finger.on(page);
    await finger.press(tile(4), 700);
    await finger.moveBy(0, 844 - 230);
    // The first touched tile leaves the page. (A tile with the focus would stay.)
    await expect.poll(() => tile(4).count(), { timeout: 30_000 }).toBe(0);
    await finger.lift();
    // The last swept tile may not be visible yet.
    await page.waitForTimeout(500);
    const selected = await selectedText();
    expect(Number(/(\d+) selected/.exec(selected ?? "")?.[1])).toBeGreaterThan(20);
    await page.waitForTimeout(500);
    expect(await selectedText()).toBe(selected);
  });

  it("A finger that moves at once scrolls the grid and selects nothing", async () => {
    await openOnPhone(2000);
    const finger = await Finger.on(page);
    await finger.press(tile(6), 0);
    await finger.moveBy(0, -400);
    await finger.lift();
    await expect.poll(() => page.evaluate(`document.querySelector('${SCROLLER}').scrollTop`)).toBeGreaterThan(200);
    expect(await page.getByRole("toolbar", { name: "Selected files" }).count()).toBe(0);
  });
});

describe("other screen sizes", () => {
  const IMAGE =
    Array.from({ length: 9 }, (_, at) => at).find((at) => seededFile(at, 100).mimeType === "image/jpeg") ?? 0;
  const boxOf = (selector: string) =>
    page.evaluate<{ left: number; right: number; top: number; bottom: number }>(
      `document.querySelector('${selector}').getBoundingClientRect().toJSON()`,
    );

  it.each(["/library", "/shares", "/usage", "/usage/log", "/developers", "/settings", "/settings/account"])(
    "A screen of 768 or 320 px shows the whole title of %s",
    async (path) => {
      const seeded = await api(100);
      ({ page, problems } = await openPage(browser));
      await page.goto(`${seeded.url}/dashboard${path}`);
      await page.locator("h1").waitFor();
      await page
        .getByRole("navigation", { name: "Library" })
        .getByRole("link", { name: /^All files/ })
        .waitFor();
      for (const width of [768, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const cut = "document.querySelector('h1').scrollWidth - document.querySelector('h1').clientWidth";
        expect(await page.evaluate<number>(cut), `${width}`).toBe(0);
      }
    },
  );

  it.each([256, 200])(
    "A screen of 320 by %i px, as when zoomed, shows a file's picture and an edge of its panel",
    async (height) => {
      const seeded = await api(100);
      await open(seeded, "/library", { viewport: { width: 320, height } });
      await tile(IMAGE).click();
      const picture = page.getByRole("dialog").locator("img").first();
      await picture.waitFor();
      await expect.poll(async () => (await picture.boundingBox())?.height).toBeGreaterThan(height * 0.4);
      const { x = 0, y = 0, width = 0, height: high = 0 } = (await picture.boundingBox()) ?? {};
      const panel = (await boxOf("aside")).top;
      expect(y + high).toBeLessThanOrEqual(panel + 1);
      expect(panel).toBeLessThanOrEqual(height - 16);
      expect(x + width).toBeLessThanOrEqual(320);
    },
  );

  it.each(["/shares", "/usage", "/developers", "/settings", "/settings/account"])(
    "A screen of 1920 px or wider centres the content of %s and uses the width",
    async (path) => {
      const seeded = await api(100);
      ({ page, problems } = await openPage(browser));
      await page.goto(`${seeded.url}/dashboard${path}`);
      await page.locator("#main [data-wide]").waitFor();
      for (const width of [1920, 2560]) {
        await page.setViewportSize({ width, height: 1080 });
        const [main, column] = [await boxOf("#main"), await boxOf("#main [data-wide]")];
        expect(column.right - column.left, `${width}`).toBeGreaterThan(1500);
        expect(Math.abs(column.left - main.left - (main.right - column.right))).toBeLessThan(20);
      }
    },
  );
});
