import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildAssets } from "../../src/tools/build/assets.ts";
import { buildDashboard } from "../../src/tools/build/dashboard.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { Finger } from "../support/dashboard/finger.ts";
import { isTransparent, SeededApi } from "../support/dashboard/seeded-api.ts";
import { seededFile } from "../support/dashboard/seeded-library.ts";

// The grid in Chromium before an API that has as many files as a test asks for.

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

/** What is asked for that is not of the API, and previews. */
const OTHERS = ["dashboard", "favicon.svg", "previews"];
const SCROLLER = '[role="grid"] [data-ground]';
const tile = (position: number) => page.locator(`[data-position="${position}"]`);
const focused = () => page.evaluate<string | undefined>("document.activeElement.dataset.position");
const selectedText = () => page.getByRole("toolbar", { name: "Selected files" }).textContent();
/** The text of the page that is marked. */
const markedText = () => page.evaluate<string>("getSelection().toString()");
async function api(files: number): Promise<SeededApi> {
  running = await SeededApi.start(files, { previewMs: 2, pageMs: 10 });
  return running;
}
const count = (seeded: SeededApi, first: string) => seeded.requests.get(first) ?? 0;

async function open(seeded: SeededApi, path = "/library", options: Parameters<typeof openPage>[1] = {}) {
  ({ page, problems } = await openPage(browser, options));
  await page.goto(`${seeded.url}/dashboard${path}`);
  await tile(0).locator('img[data-state="shown"]').waitFor();
}

describe("a library of a million files", () => {
  it("takes few elements, and reaches its very end", async () => {
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

  it("asks for each thing once, and counts the views of the sidebar when the first screen is there", async () => {
    const seeded = await api(1_000_000);
    await open(seeded);
    const asked = () => Object.fromEntries([...seeded.requests].filter(([first]) => !OTHERS.includes(first)));
    // Of `images`: a page, the time line, and two counts.
    const all = { account: 1, folders: 1, images: 4, stats: 1, tags: 1 };
    await expect.poll(asked).toEqual(all);
    await page.waitForTimeout(1000);
    expect(asked()).toEqual(all);
  });

  it("moves by a wheel exactly as far as it is turned, wherever it is", async () => {
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

  it("asks for nothing while the ruler is held, and for what is seen when it is let go", async () => {
    const seeded = await api(1_000_000);
    await open(seeded);
    // What the page asks for at first has been asked for.
    const askedFor = () => count(seeded, "images") + count(seeded, "previews");
    for (let before = -1; before !== askedFor(); ) {
      before = askedFor();
      await page.waitForTimeout(1000);
    }
    const ruler = page.getByRole("slider", { name: "Time line" });
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

  it("selects all of them by one key, and takes one out again", async () => {
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

describe("the grid", () => {
  it("shows what one sees through whole, on a checker, and nothing else", async () => {
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

  it("selects by clicks, Shift, Ctrl and a box", async () => {
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

  it("moves and selects by keys alone, and keeps the focus on what is seen", async () => {
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

  it("copies a link by a key and by its button", async () => {
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

  it("keeps filters in the address, and back undoes them", async () => {
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

  it("takes files out of the view at once, and brings them back by Undo", async () => {
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

  it("is usable by screen readers, light and dark, as a grid, as a table, on a phone", async () => {
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

describe("the grid under a finger", () => {
  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const openOnPhone = async (files = 500) => {
    await open(await api(files), "/library", PHONE);
    // What knows of fingers comes behind the first picture.
    await page.waitForLoadState("networkidle");
  };

  it("knows a long press by how long it was, also where the page was too busy to notice", async () => {
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

  it("selects by a long press, sweeps on over others, and toggles by taps until nothing is left", async () => {
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

  it("goes on while a finger that sweeps rests at the edge", async () => {
    await openOnPhone(2000);
    const finger = await Finger.on(page);
    await finger.press(tile(4), 700);
    await finger.moveBy(0, 844 - 230);
    // The tile that the finger was put on leaves the page. (The one that has the focus would stay.)
    await expect.poll(() => tile(4).count(), { timeout: 30_000 }).toBe(0);
    await finger.lift();
    // The last one may have been swept over, and not be shown yet.
    await page.waitForTimeout(500);
    const selected = await selectedText();
    expect(Number(/(\d+) selected/.exec(selected ?? "")?.[1])).toBeGreaterThan(20);
    await page.waitForTimeout(500);
    expect(await selectedText()).toBe(selected);
  });

  it("scrolls where a finger moves at once, and selects nothing", async () => {
    await openOnPhone(2000);
    const finger = await Finger.on(page);
    await finger.press(tile(6), 0);
    await finger.moveBy(0, -400);
    await finger.lift();
    await expect.poll(() => page.evaluate(`document.querySelector('${SCROLLER}').scrollTop`)).toBeGreaterThan(200);
    expect(await page.getByRole("toolbar", { name: "Selected files" }).count()).toBe(0);
  });
});
