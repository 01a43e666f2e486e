import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openFile } from "../../src/client/node.ts";
import { SHARED_FILES_A_PAGE } from "../../src/domain/share.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { readZip } from "../support/browser/read-zip.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { Finger } from "../support/dashboard/finger.ts";
import { makeFilm } from "../support/dashboard/holiday.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { makePng } from "../support/media/make-png.ts";
import { Stack } from "../support/stack/stack.ts";

// The page of a share and its script, as a visitor's browser runs them (SHARE-3, SHARE-5, SHARE-9).

const MANY = SHARED_FILES_A_PAGE + 7;
const HOUR_MS = 3_600_000;
const PASSWORD = "open sesame";
const FEW = ["photo.jpg", "film.mp4", "SAME.png", "same.png"];
const SAVED = ["photo.jpg", "film.mp4", "SAME.png", "same (2).png"];
const HOSTILE = [`"><img src=x onerror=alert(1)>.png`, "\u05d0\u05d1\u05d2 (1).png", `${"w".repeat(251)}.png`];
const TITLE = `</title><script>alert("title")</script> \u05d0 'quoted'`;
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let stack: Stack;
let browser: Browser;
let client: Client;
let key: string;
let folder: string;
let page: Page;
let problems: readonly string[] = [];
/** Ids of the folders. */
const folders = { many: "", few: "", hostile: "" };
const urls = { many: "", few: "", hostile: "" };
/** Names of the many files, as they are listed. */
let names: readonly string[] = [];

interface Share {
  readonly _id: string;
  readonly url: string;
}

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const answer = await fetch(stack.baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json().catch(() => undefined)) as Answer;
}

const share = (body: object) => call<Share>("POST", "/shares", body);
const endShare = ({ _id }: Share) => call("DELETE", `/shares/${_id}`);

beforeAll(async () => {
  [stack, browser, folder] = await Promise.all([
    Stack.start(),
    openBrowser(),
    mkdtemp(join(tmpdir(), "media-host-share-")),
  ]);
  const { pro } = await stack.demoAccounts();
  key = pro.apiKey;
  client = createClient({ baseUrl: stack.baseUrl, key });
  await Promise.all([makePhoto(join(folder, "photo.jpg")), makeFilm(join(folder, "film.mp4"))]);
  for (const name of ["many", "few", "hostile"] as const) folders[name] = (await client.folders.create({ name }))._id;
  const { many, few, hostile } = folders;
  for (let n = 0; n < MANY; n += 10) {
    const group = Array.from({ length: Math.min(10, MANY - n) }, (_, at) => n + at);
    await Promise.all(
      group.map(async (at) =>
        client.upload(new File([await makePng(20 + at, 20)], `small-${at}.png`), { folderId: many }),
      ),
    );
  }
  const { _id } = await client.upload(new File([await makePng(300, 200)], "same.png"), { folderId: few });
  await client.update(_id, { visibility: "private" });
  await client.upload(new File([await makePng(200, 300)], "SAME.png"), { folderId: few });
  for (const name of ["film.mp4", "photo.jpg"])
    await client.upload(await openFile(join(folder, name)), { folderId: few });
  for (const [n, name] of HOSTILE.entries()) {
    const uploaded = await client.upload(new File([await makePng(50 + n, 30)], "a.png"), { folderId: hostile });
    await client.update(uploaded._id, { originalFilename: name });
  }
  names = (await client.imagePage({ folderId: many, limit: 100 })).images.map(({ prompt }) => prompt);
  urls.many = (await share({ folderId: many, title: "Many files" })).url;
  urls.few = (await share({ folderId: few, title: "A few: files" })).url;
  urls.hostile = (await share({ folderId: hostile, title: TITLE })).url;
  const isPending = async () =>
    (await client.imagePage({ folderId: few })).images.some(({ thumbnail }) => thumbnail === "pending");
  while (await isPending()) await new Promise((resolve) => setTimeout(resolve, 100));
});
afterEach(async () => {
  await page?.context().close();
  // The page's policy and scripts had nothing to complain about, whatever the test did.
  expect(problems).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function open(url: string, options: BrowserContextOptions = {}): Promise<void> {
  ({ page, problems } = await openPage(browser, options));
  await page.goto(url);
}

const viewer = () => page.locator("dialog.viewer");
const shots = () => page.locator("a.shot");
const position = () => viewer().locator(".viewer-position");
const shownName = () => viewer().getByRole("heading").textContent();
const focused = () => page.evaluate(() => document.activeElement?.closest("[id]")?.id ?? "");
const idOf = (at: number) => page.locator(".tile").nth(at).getAttribute("id");
const isBusy = () => page.locator(".frame[aria-busy]").count();
const views = async () => Math.round((await client.stats()).operations.classB * 10);
const hasOverflow = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

describe("The page of a share", () => {
  it("A file that is opened is a view. Tiles, previews of neighbours and files that are passed are none", async () => {
    // This test is the first, because views of others are counted with a delay.
    const before = await views();
    await open(urls.many);
    await shots().nth(1).click();
    await expect.poll(isBusy).toBe(0);
    // Ten files are passed in less time than it takes to look at one.
    const from = 1;
    await page.evaluate(() => {
      const press = () =>
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      for (let n = 0; n < 10; n += 1) press();
    });
    await expect.poll(() => position().textContent()).toBe(`${from + 11} of ${MANY}`);
    await expect.poll(isBusy).toBe(0);
    await page.waitForLoadState("networkidle");
    // Views are recorded in their order, so this one comes last.
    const { images } = await client.imagePage({ folderId: folders.hostile });
    await (await fetch(images[0]?.url ?? "")).arrayBuffer();
    await expect.poll(views).toBe(before + 3);
  });

  it("The page is complete without JavaScript: names, pictures, links, downloads and further pages", async () => {
    await open(urls.many, { javaScriptEnabled: false });
    expect(await shots().count()).toBe(SHARED_FILES_A_PAGE);
    expect(await page.locator(".name").first().textContent()).toBe(names[0]);
    expect(await page.getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "More files" }).click();
    await expect.poll(() => shots().count()).toBe(MANY - SHARED_FILES_A_PAGE);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("a.save").first().click()]);
    expect(saved.suggestedFilename()).toMatch(/^small-\d\.png$/);
    await shots().first().click();
    await page.waitForURL(/\/uploads\//);
  });

  it("Further files are added while one scrolls, each once, and by the link", async () => {
    await open(urls.many);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => shots().count()).toBe(MANY);
    const ids = await page.locator(".tile").evaluateAll((tiles) => tiles.map(({ id }) => id));
    expect(new Set(ids).size).toBe(MANY);
    await expect.poll(() => page.getByRole("status").first().textContent()).toBe(`${MANY} of ${MANY} files shown`);
    expect(await page.getByRole("link", { name: "More files" }).count()).toBe(0);
    // The files of later pages open, too, and their address opens them again.
    await shots().last().click();
    expect(await position().textContent()).toBe(`${MANY} of ${MANY}`);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await expect.poll(shownName).toBe(names.at(-1));
  });

  it("The page shows a lost connection and a full minute, and the next files follow", async () => {
    await open(urls.many);
    await page.route(/after=/, (route) => route.abort());
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByText("The next files could not be loaded.").waitFor();
    await page.unroute(/after=/);
    await page.route(/after=/, (route) => route.fulfill({ status: 429, headers: { "Retry-After": "1" } }), {
      times: 1,
    });
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByText("Too many visitors. The next files follow in 1 s.").waitFor();
    await expect.poll(() => shots().count()).toBe(MANY);
    problems = problems.filter((text) => !text.includes("ERR_FAILED"));
  });

  it("The viewer works by the keyboard alone, and gives the focus to the file that was shown last", async () => {
    await open(urls.many);
    await page.keyboard.press("Tab");
    while (!(await page.evaluate(() => document.activeElement?.matches("a.shot")))) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await viewer().waitFor();
    expect(await position().textContent()).toBe(`1 of ${MANY}`);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    expect(await shownName()).toBe(names[1]);
    // Stepping to the end loads the rest.
    await page.keyboard.press("End");
    await expect.poll(() => page.locator(".tile").count()).toBe(MANY);
    await page.keyboard.press("End");
    expect(await shownName()).toBe(names.at(-1));
    await page.keyboard.press("Home");
    expect(await shownName()).toBe(names[0]);
    const stops = new Set<string | null>();
    for (const keys of ["Tab", "Shift+Tab"]) {
      for (let n = 0; n < 20; n += 1) {
        await page.keyboard.press(keys);
        expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
        stops.add(await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null));
      }
    }
    for (const name of ["Close", "Copy link", "Download", "Next file"]) expect(stops).toContain(name);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Escape");
    await viewer().waitFor({ state: "hidden" });
    expect(await focused()).toBe(await idOf(1));
    expect(new URL(page.url()).hash).toBe("");
  });

  it("Back closes the viewer, Forward opens it, and its address opens the file", async () => {
    await open(urls.few);
    await shots().nth(2).click();
    await viewer().waitFor();
    await page.keyboard.press("ArrowRight");
    expect(new URL(page.url()).hash).toBe(`#${await idOf(3)}`);
    await page.goBack();
    await viewer().waitFor({ state: "hidden" });
    await page.goForward();
    await viewer().waitFor();
    expect(await shownName()).toBe(FEW[3]);
    // The event of a closing may come after the file is open again.
    const followed = await page.evaluate(() => {
      document.querySelector("dialog.viewer")?.dispatchEvent(new Event("close"));
      return new Promise<string>((resolve) => {
        addEventListener("popstate", () => resolve("Back"), { once: true });
        setTimeout(() => resolve("nothing"), 500);
      });
    });
    expect(followed).toBe("nothing");
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await viewer().waitFor();
    expect(await shownName()).toBe(FEW[3]);
    await page.getByRole("button", { name: "Close" }).click();
    await viewer().waitFor({ state: "hidden" });
    expect(page.url()).toBe(urls.few);
  });

  it("The viewer works by touch: a tap opens, swipes step and close, two fingers zoom", async () => {
    await open(urls.few, PHONE);
    await shots().first().tap();
    await viewer().waitFor();
    await expect.poll(isBusy).toBe(0);
    const frame = viewer().locator(".frame");
    const finger = await Finger.on(page);
    const swipe = async (dx: number, dy: number) => {
      await finger.press(frame, 0);
      await finger.moveBy(dx, dy);
      await finger.lift();
    };
    for (const expected of FEW.slice(1)) {
      await swipe(-200, 5);
      await expect.poll(shownName).toBe(expected);
    }
    await swipe(200, 5);
    await expect.poll(shownName).toBe(FEW[2]);
    await expect.poll(isBusy).toBe(0);
    const session = await page.context().newCDPSession(page);
    const pinch = (type: "touchStart" | "touchMove" | "touchEnd", gap?: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          gap === undefined
            ? []
            : [
                { x: 195 - gap, y: 420, id: 1 },
                { x: 195 + gap, y: 420, id: 2 },
              ],
      });
    await pinch("touchStart", 30);
    for (const gap of [60, 90, 120]) await pinch("touchMove", gap);
    await pinch("touchEnd");
    await viewer().locator(".frame.is-close").waitFor();
    // A zoomed picture moves under the finger.
    await swipe(-100, 0);
    expect(await shownName()).toBe(FEW[2]);
    // Chromium takes a tap that follows a fast swipe for the end of its fling.
    const tapZoom = async () => {
      await page.getByRole("button", { name: "Zoom" }).tap();
      return viewer().locator(".frame.is-close").count();
    };
    await expect.poll(tapZoom).toBe(0);
    await swipe(5, 250);
    await viewer().waitFor({ state: "hidden" });
  });

  it("A film plays when it is opened, and stops when it is closed", async () => {
    await open(urls.few);
    await shots().nth(FEW.indexOf("film.mp4")).click();
    const time = () => page.evaluate(() => document.querySelector("video")?.currentTime ?? -1);
    await expect.poll(time).toBeGreaterThan(0.2);
    await page.keyboard.press("Space");
    expect(await page.evaluate(() => document.querySelector("video")?.paused)).toBe(true);
    await page.keyboard.press("Escape");
    await viewer().waitFor({ state: "hidden" });
    expect(await page.locator("video").count()).toBe(0);
  });

  it("The zip has every file with its bytes, under names of their own", async () => {
    await open(urls.few);
    await page.evaluate("delete window.showSaveFilePicker");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download all" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("A few_ files.zip");
    await page.getByText("4 files saved.").waitFor();
    const zip = readZip(await readFile(await download.path()));
    expect([...zip.keys()]).toEqual(SAVED);
    const { images } = await client.imagePage({ folderId: folders.few });
    for (const [at, { _id }] of images.entries()) {
      const { url } = await call<{ url: string }>("POST", `/images/${_id}/sign`, {});
      const expected = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(zip.get(SAVED[at] ?? "")?.equals(expected), SAVED[at]).toBe(true);
    }
    // With a file picker the same bytes go into the picked file.
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const file = await root.getFileHandle("picked.zip", { create: true });
      Object.assign(window, { showSaveFilePicker: async () => file });
    });
    await page.getByRole("button", { name: "Download all" }).click();
    await expect.poll(() => page.getByText("4 files saved.").count()).toBe(1);
    const size = () =>
      page.evaluate(async () => {
        const root = await navigator.storage.getDirectory();
        return (await (await root.getFileHandle("picked.zip")).getFile()).size;
      });
    await expect.poll(size).toBe((await readFile(await download.path())).length);
  });

  it("A zip continues after a lost connection, leaves out deleted files, and can be stopped", async () => {
    const ids: string[] = [];
    const folderId = (await client.folders.create({ name: "zip" }))._id;
    for (const [n, name] of ["one.png", "two.png", "three.png"].entries())
      ids.push((await client.upload(new File([await makePng(90 + n, 9)], name), { folderId }))._id);
    await open((await share({ folderId })).url);
    await page.evaluate("delete window.showSaveFilePicker");
    let failed = 0;
    await page.route(/\/uploads\/.*one\.png/, (route) => (failed++ === 0 ? route.abort() : route.continue()));
    // The file is deleted after the page of links was read.
    await page.route(/\/uploads\/.*two\.png/, (route) => route.fulfill({ status: 404 }));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download all" }).click(),
    ]);
    await page.getByText("2 files saved. 1 file had been deleted.").waitFor();
    expect([...readZip(await readFile(await download.path())).keys()]).toEqual(["three.png", "one.png"]);
    await page.route(/\/uploads\/.*three\.png/, () => undefined);
    await page.getByRole("button", { name: "Download all" }).click();
    await page.getByRole("button", { name: "Stop the download" }).click();
    await page.getByText("Stopped. Nothing was saved.").waitFor();
    problems = problems.filter((text) => !text.includes("ERR_FAILED"));
  });

  it("A file that is deleted while the page is open gets a message, and its neighbours open", async () => {
    const folderId = (await client.folders.create({ name: "gone" }))._id;
    const ids: string[] = [];
    for (const n of [1, 2])
      ids.push((await client.upload(new File([await makePng(n, 5)], `${n}.png`), { folderId }))._id);
    await open((await share({ folderId })).url);
    await client.delete(ids[1] ?? "");
    await shots().first().click();
    await viewer().getByRole("paragraph").filter({ hasText: "This file is not shared any more." }).waitFor();
    await page.keyboard.press("ArrowRight");
    await viewer().locator(".picture img").last().waitFor();
    await expect.poll(isBusy).toBe(0);
  });

  it("The links of private files are renewed before they are used, hours after the page was opened", async () => {
    await open(urls.few);
    await page.clock.install();
    await page.clock.fastForward(2 * HOUR_MS);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await shots().nth(FEW.indexOf("same.png")).click();
    await expect.poll(isBusy).toBe(0);
    const ofPage = asked.indexOf(new URL(urls.few).pathname);
    expect(ofPage).toBeGreaterThanOrEqual(0);
    expect(ofPage).toBeLessThan(asked.findIndex((path) => /^\/uploads\/.*same\.png$/.test(path)));
    expect(
      await viewer()
        .locator(".picture img")
        .last()
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    ).toBe(300);
  });

  it("The page shows at once that a share has ended: after scrolling, after a zip, and within a minute after a file is opened", async () => {
    const ended = () => page.getByRole("heading", { name: "There is no such page" }).waitFor();
    const made = await share({ folderId: folders.many });
    await open(made.url);
    await page.clock.install();
    await endShare(made);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await ended();
    expect(await shots().count()).toBe(0);
    expect(await page.title()).toBe("There is no such page");

    const zipped = await share({ folderId: folders.few });
    await page.goto(zipped.url);
    await endShare(zipped);
    await page.evaluate("delete window.showSaveFilePicker");
    await page.getByRole("button", { name: "Download all" }).click();
    await ended();

    const viewed = await share({ folderId: folders.few });
    await page.goto(viewed.url);
    await shots().first().click();
    await expect.poll(isBusy).toBe(0);
    await endShare(viewed);
    await page.clock.fastForward(61_000);
    await page.keyboard.press("ArrowRight");
    await ended();
    expect(await viewer().isVisible()).toBe(false);
  });

  it("A password opens the page with its script, and no download is offered if the owner forbids it", async () => {
    const { url } = await share({ folderId: folders.few, password: PASSWORD, allowDownload: false });
    await open(url);
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("This is not the password.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    // The script has run.
    await page.getByRole("button", { name: "Dark theme" }).waitFor();
    await shots().first().click();
    await viewer().waitFor();
    expect(await page.getByRole("link", { name: /^Download/ }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Download all" }).count()).toBe(0);
  });

  it("Hostile names and titles are text, and no name makes the page wider", async () => {
    await open(urls.hostile, { viewport: { width: 390, height: 844 } });
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(TITLE);
    expect(await page.locator(".name").allTextContents()).toEqual(HOSTILE.toReversed());
    expect(await hasOverflow()).toBe(false);
    await shots().first().click();
    for (const name of HOSTILE.toReversed()) {
      expect(await shownName()).toBe(name);
      expect(await hasOverflow()).toBe(false);
      await page.keyboard.press("ArrowRight");
    }
    expect(await page.title()).toBe(`${HOSTILE[0]} \u00b7 ${TITLE}`);
  });

  it("The theme is kept, and the server sends it with the page", async () => {
    await open(urls.few, { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "Dark theme" }).click();
    expect(await ground()).not.toBe(light);
    await page.reload();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.getByRole("button", { name: "Light theme" }).click();
    expect(await ground()).toBe(light);
  });

  it("axe finds no barriers in any state, light and dark, wide, narrow and at 400 %", async () => {
    await open(urls.few);
    const looks = async (state: string) => {
      await takeScreenshots(page, `share-${state}`);
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1280, 390, 320]) {
          await page.setViewportSize({ width, height: width === 320 ? 200 : 800 });
          expect(await findBarriers(page), `${state}, ${colorScheme}, ${width}`).toEqual([]);
          expect(await hasOverflow(), `${state}, ${width}`).toBe(false);
        }
      }
    };
    await looks("grid");
    await page.evaluate("delete window.showSaveFilePicker");
    await page.getByRole("button", { name: "Download all" }).click();
    await page.getByText("4 files saved.").waitFor();
    await looks("zip");
    // At 400 % every control of the viewer is within the window.
    await shots().first().click();
    await expect.poll(isBusy).toBe(0);
    for (const name of ["Close", "Zoom", "Copy link", "Next file"])
      expect(await viewer().getByRole("button", { name }).boundingBox()).toSatisfy(
        (box: { x: number; y: number; width: number; height: number } | null) =>
          box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 320 && box.y + box.height <= 200,
      );
    await looks("picture");
    await page.keyboard.press("ArrowRight");
    await expect.poll(isBusy).toBe(0);
    await looks("film");
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.route(/\/uploads\//, (route) => route.fulfill({ status: 404 }));
    await shots().nth(2).click();
    await viewer().getByRole("paragraph").filter({ hasText: "This file is not shared any more." }).waitFor();
    await looks("gone");
  });
});
