import { readFile, rm } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openFile } from "../../src/client/node.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import {
  type Action,
  begin,
  expectRenewal,
  expectRepetition,
  expectWait,
  finish,
} from "../support/dashboard/action.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { makeMediaFiles } from "../support/media/media-files.ts";
import { photo } from "../support/media/pictures.ts";
import { Stack } from "../support/stack/stack.ts";

// Opens a file from the grid, in a browser against the whole stack.

const PATIENT = { timeout: 60_000 };

let stack: Stack;
let browser: Browser;
let page: Page;
let problems: readonly string[];
let host: Client;
let folder: string;
let who: { readonly email: string; readonly password: string };

beforeAll(async () => {
  const [started, opened, media] = await Promise.all([Stack.start(), openBrowser(), makeMediaFiles()]);
  [stack, browser, folder] = [started, opened, media.folder];
  const { pro, password } = await stack.demoAccounts();
  who = { email: pro.email, password };
  host = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  // The newest is the first: a photo, an icon, a film.
  const [, , icon, , , film] = media.files.map(({ path }) => path);
  await makePhoto(`${folder}/harbour.jpg`);
  for (const path of [film, icon, `${folder}/harbour.jpg`]) await host.upload(await openFile(path ?? ""));
  ({ page, problems } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] }));
  await openDashboard(page, stack.baseUrl, who);
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const tile = (position: number) => page.locator(`[data-position="${position}"]`);
/** The toasts are dialogs, too, and have no heading. */
const dialog = () => page.locator("[role=dialog]:has(h1)");
const heading = () => dialog().getByRole("heading", { level: 1 }).textContent();
const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
/** A value of an element of the dialog. @param expression of `element` */
const read = (selector: string, expression: string) =>
  page.evaluate<unknown>(
    `((element) => element && (${expression}))(document.querySelector('[role=dialog]:has(h1) ${selector}'))`,
  );
/** The number of loaded pixels of the image; 0 if it is not shown. */
const pixels = (name: string) =>
  read(`img[alt="${name}"]`, "element.checkVisibility() && element.complete ? element.naturalWidth : 0");
/** The keys of a fast user, or of a user on a busy machine, arrive while the page is still at work. */
const GO_TO_SEARCH_WHEN_CLOSED = `new MutationObserver((_, observer) => {
  if (document.querySelector("[role=dialog]:has(h1)")) return;
  observer.disconnect();
  setTimeout(() => document.querySelector("input[type=search]").focus());
}).observe(document.body, { childList: true, subtree: true })`;
/** A held key repeats, here with every frame. */
const HOLD_ARROW = `(async () => {
  for (let step = 0; step < 19; step += 1) {
    const press = new KeyboardEvent("keydown", { key: "ArrowRight", repeat: step > 0, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(press);
    await new Promise(requestAnimationFrame);
  }
})()`;

describe("open files", () => {
  it("An open file shows the photo itself, with its info and links", async () => {
    await tile(0).click();
    await expect.poll(() => pixels("harbour.jpg"), PATIENT).toBe(1280);
    expect(await heading()).toBe("harbour.jpg");
    const { images } = await host.imagePage({ limit: 3 });
    const facts = await dialog().getByRole("complementary").textContent();
    for (const fact of ["JPEG image", "1,280 × 960", images[0]?._id ?? "no id"]) expect(facts).toContain(fact);
    await dialog().getByRole("button", { name: "Copy link" }).click();
    await expect.poll(copied).toBe(images[0]?.url);
    await dialog().getByRole("button", { name: "srcset" }).click();
    await expect.poll(copied).toContain(`${images[0]?.url}?w=960&#38;auto=format 960w`);
    await takeScreenshots(page, "file-photo");
    expect(await findBarriers(page)).toEqual([]);
  });

  it("Arrow keys step from an open file to the next, and a film plays there from any position", async () => {
    await page.keyboard.press("ArrowRight");
    await expect.poll(heading).toBe("screen.png");
    await dialog().getByRole("button", { name: "Next file" }).click();
    await expect.poll(heading).toBe("clip.mp4");
    await expect.poll(() => read("video", "element.videoWidth"), PATIENT).toBe(320);
    await takeScreenshots(page, "file-video");
    await page.keyboard.press("Space");
    await expect.poll(() => read("video", "element.currentTime"), PATIENT).toBeGreaterThan(0.2);
    await page.keyboard.press("Space");
    expect(await read("video", "element.paused || element.ended")).toBe(true);
    await read("video", "element.currentTime = 1.5");
    await expect
      .poll(() => read("video", "element.seeking || element.readyState < 2 ? -1 : element.currentTime"), PATIENT)
      .toBe(1.5);
    expect(await findBarriers(page)).toEqual([]);
  });

  it("An open file is marked and tagged by keys, and closes to its tile in the grid", async () => {
    await page.keyboard.press("ArrowLeft");
    await expect.poll(heading).toBe("screen.png");
    await page.keyboard.press("f");
    await page.keyboard.press("t");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/tags?q=")) asked.push(request.url());
    });
    await page.keyboard.type("newspapers");
    await expect.poll(() => asked.at(-1)).toContain("q=newspapers");
    // The search does not run for each letter.
    expect(asked.length).toBeLessThan(6);
    await page.keyboard.press("Enter");
    await dialog().getByRole("button", { name: "Remove newspapers" }).waitFor();
    const tagged = { favorite: true, tags: ["newspapers"] };
    await expect.poll(async () => (await host.imagePage(tagged)).images.length).toBe(1);
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/dashboard/library");
    await expect.poll(() => page.evaluate("document.activeElement?.dataset.position")).toBe("1");
  });

  it("The focus stays in a file that Enter has opened while the arrow keys step, and then is on the last file's tile", async () => {
    const focused = (selector: string) => page.evaluate(`document.activeElement.closest('${selector}') !== null`);
    await tile(0).focus();
    await page.keyboard.press("Enter");
    await expect.poll(heading).toBe("harbour.jpg");
    await page.keyboard.press("ArrowRight");
    await expect.poll(heading).toBe("screen.png");
    expect(await focused("[role=dialog]")).toBe(true);
    await page.keyboard.press("u");
    await page.getByRole("dialog", { name: /^Use / }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(heading).toBe("screen.png");
    await expect.poll(() => focused("[role=dialog]")).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => focused('[data-position="1"]')).toBe(true);
  });

  it("A closed file does not take back a focus that the user has moved, also after Delete", async () => {
    await tile(1).click();
    await expect.poll(heading).toBe("screen.png");
    const focused = () => page.evaluate<string>("document.activeElement.type");
    await page.evaluate(GO_TO_SEARCH_WHEN_CLOSED);
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe("search");
    // All delayed effects have time to happen.
    await page.waitForTimeout(300);
    expect(await focused()).toBe("search");
  });

  it("A file is found by its address, and an unknown address shows that there is no file", async () => {
    await tile(2).click();
    await expect.poll(heading).toBe("clip.mp4");
    await page.reload();
    await expect.poll(heading, PATIENT).toBe("clip.mp4");
    await page.goto(`${stack.baseUrl}/dashboard/library/nothing`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await dialog().getByText("File not found").waitFor();
      expect(await findBarriers(page), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  it("An open file shows its tooltips above it", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/library`);
    await tile(0).click();
    await dialog().getByRole("button", { name: "Zoom" }).hover();
    // A pointer passes through a tooltip, so the tooltip must let the pointer find its point here.
    const top = () =>
      page.evaluate(`(() => {
        const tip = [...document.querySelectorAll("[aria-hidden]")].find(({ textContent }) => /^Zoom/.test(textContent));
        if (tip === undefined) return "none";
        tip.style.pointerEvents = "auto";
        const { left, top, width, height } = tip.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === tip ? "over" : "under";
      })()`);
    await expect.poll(top).toBe("over");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  it("The history of a file names its changes and their authors, and is loaded again after a failure", async () => {
    const bytes = await readFile(`${folder}/harbour.jpg`);
    const { _id } = await host.upload(new File([bytes], "changed.jpg"));
    const summer = await host.folders.create({ name: "Summer" });
    await host.update(_id, { folderId: summer._id });
    await host.trash([_id]);
    await host.restore([_id]);
    await page.route("**/history/*", (route) => route.abort("internetdisconnected"));
    await page.goto(`${stack.baseUrl}/dashboard/library/${_id}`);
    const history = dialog().getByText("History", { exact: true });
    await history.click();
    await dialog().getByText("The history could not be loaded").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.unroute("**/history/*");
    await dialog().getByRole("button", { name: "Retry" }).click();
    const changes = dialog().getByRole("list", { name: "History" }).getByRole("listitem");
    /** Without the characters that isolate names, and without the times. */
    const words = async () =>
      (await changes.allTextContents()).map((text) => text.replace(/[\u2068\u2069]| \d+ \w{3} \d{4}, \d\d:\d\d$/g, ""));
    const byKey = [
      "Restored by the key Demo key",
      "Moved to the trash by the key Demo key",
      "Moved to Summer by the key Demo key",
      "Uploaded by the key Demo key",
    ];
    await expect.poll(words).toEqual(byKey);
    // The list is scrolled to, although it is at the end of the panel.
    await expect
      .poll(() => read("ol[aria-label=History]", "element.getBoundingClientRect().bottom <= innerHeight"))
      .toBe(true);
    await takeScreenshots(page, "file-history");
    expect(await findBarriers(page)).toEqual([]);
    // The space key is the summary's own, and not a film's.
    await history.focus();
    await page.keyboard.press("Space");
    await expect.poll(() => changes.count()).toBe(0);
    await page.evaluate(
      `fetch("/images/${_id}", {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ originalFilename: "elsewhere.jpg" }),
      })`,
    );
    await page.keyboard.press("Space");
    await expect.poll(words).toEqual(["Renamed by a logged-in person", ...byKey]);
  });

  it("Files that a held key only passes are not requested; the file on which it stops is", async () => {
    const bytes = await readFile(`${folder}/harbour.jpg`);
    const files = Array.from({ length: 20 }, (_, at) => new File([bytes], `passed-${at}.jpg`));
    // The newest is the first.
    for (const file of files) await host.upload(file);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/\/images\/[^/?]+$/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`${stack.baseUrl}/dashboard/library?q=passed-`);
    await tile(0).click();
    await expect.poll(() => pixels("passed-19.jpg"), PATIENT).toBe(1280);
    await page.evaluate(HOLD_ARROW);
    await expect.poll(() => pixels("passed-0.jpg"), PATIENT).toBe(1280);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it("Open files never cause an error message of the browser", () => {
    // A test loses the network on purpose.
    expect(problems.filter((text) => !text.includes("net::ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  });
});

describe("The place of a photo", () => {
  const PLACE = { latitude: 59.9139, longitude: 10.7522 };
  let id = "";
  const place = () => ({ browser, baseUrl: stack.baseUrl, who });

  // Compressed files have no place.
  beforeAll(() => host.settings.update({ autoCompress: false }));

  async function uploadOslo(picture = flat()): Promise<void> {
    const gps = {
      GPSLatitudeRef: "N",
      GPSLatitude: "59/1 54/1 5004/100",
      GPSLongitudeRef: "E",
      GPSLongitude: "10/1 45/1 792/100",
    };
    const written = picture.withExif({ IFD0: { Make: "Hasel", Model: "H1" }, IFD3: gps });
    const bytes = new Uint8Array(await written.jpeg({ quality: 95 }).toBuffer());
    id = (await host.upload(new File([bytes], "oslo.jpg")))._id;
  }

  const flat = () => sharp({ create: { width: 600, height: 400, channels: 3, background: "#468" } });

  const REMOVAL: Action = {
    method: "POST",
    path: "**/remove-location",
    given: uploadOslo,
    at: () => `/library/${id}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Remove place" }).click();
      const question = page.getByRole("dialog", { name: "Remove the place from oslo.jpg?" });
      return question.getByRole("button", { name: "Remove place" });
    },
    done: (page) => page.getByText("has no place any more"),
    state: async () => (await host.image(id)).location,
    before: PLACE,
    after: null,
  };

  it("The panel shows the place, removes it at once, and another tab follows", async () => {
    const { page: own, button } = await begin(place(), REMOVAL);
    // The question may hide it from screen readers by now.
    const link = own.getByRole("link", { name: "59.9139° N, 10.7522° E", includeHidden: true });
    expect(await link.getAttribute("href")).toMatch(
      /^https:\/\/www\.openstreetmap\.org\/\?mlat=59\.9139&mlon=10\.7522#/,
    );
    expect([await link.getAttribute("target"), await link.getAttribute("rel")]).toEqual(["_blank", "noreferrer"]);
    await takeScreenshots(own, "file-place");
    expect(await findBarriers(own)).toEqual([]);
    const other = await own.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard${REMOVAL.at()}`);
    await other.getByRole("button", { name: "Remove place" }).waitFor();
    await own.bringToFront();
    const former = await host.image(id);
    await button.click();
    await link.waitFor({ state: "detached" });
    await own.getByText("Hasel H1").waitFor();
    await own.getByText((await host.image(id)).url).waitFor();
    await expect.poll(() => own.evaluate("document.querySelector('[role=dialog] img')?.naturalWidth")).toBe(600);
    await other.bringToFront();
    await other.getByRole("button", { name: "Remove place" }).waitFor({ state: "detached" });
    await other.getByText("Hasel H1").waitFor();
    const image = await host.image(id);
    expect(image).toMatchObject({ location: null, camera: "Hasel H1", fileSize: former.fileSize });
    expect((await host.history(id)).map(({ type }) => type)).toEqual(["replaced", "uploaded"]);
    await finish(own, REMOVAL);
  });

  it("The panel of a photo without a place says what removed it, and leads to the setting that keeps it", async () => {
    const { page: own } = await openPage(browser);
    try {
      await host.settings.update({ autoCompress: true });
      await uploadOslo(photo(600, 400));
      expect(await host.image(id)).toMatchObject({ compressed: true, location: null });
      await openDashboard(own, stack.baseUrl, who, `/library/${id}`);
      await own.getByText("Hasel H1").waitFor();
      await own.getByText("Compression removes it.").waitFor();
      await host.settings.update({ autoCompress: false, metadata: "private" });
      await uploadOslo();
      await own.goto(`${stack.baseUrl}/dashboard/library/${id}`);
      await own.getByText("Settings remove it from uploads.").waitFor();
      await takeScreenshots(own, "file-no-place");
      expect(await findBarriers(own)).toEqual([]);
      await own.getByRole("link", { name: "Settings remove it from uploads." }).click();
      const section = own.getByRole("region", { name: "Metadata" });
      await section.getByLabel("Files that are stored as uploaded").selectOption("keep");
      await section.getByText("Not saved").waitFor();
      await section.getByRole("button", { name: "Save" }).click();
      await own.getByText("Applies to new uploads.").first().waitFor();
      expect((await host.settings.get()).metadata).toBe("keep");
      await uploadOslo();
      await own.goto(`${stack.baseUrl}/dashboard/library/${id}`);
      await own.getByRole("button", { name: "Remove place" }).waitFor();
    } finally {
      await host.settings.update({ autoCompress: false, metadata: null });
      await own.context().close();
    }
  });

  it("A file in the trash shows its place without the button", async () => {
    await uploadOslo();
    await host.trash([id]);
    const { page: own } = await openPage(browser);
    await openDashboard(own, stack.baseUrl, who, `/trash/${id}`);
    await own.getByRole("link", { name: "59.9139° N, 10.7522° E" }).waitFor();
    expect(await own.getByRole("button", { name: "Remove place" }).count()).toBe(0);
    await own.context().close();
  });

  it("If the answer is lost, the request is repeated, and the place is removed once", async () => {
    await expectRepetition(place(), REMOVAL);
    expect((await host.history(id)).map(({ type }) => type)).toEqual(["replaced", "uploaded"]);
  });

  it("If the session is over, the page asks for the password, and then the place is removed", async () => {
    await expectRenewal(place(), REMOVAL);
  });

  it("If the rate is reached, the page waits, and then the place is removed", async () => {
    await expectWait(place(), REMOVAL);
  });

  it("If another tab has deleted the file, the page reports it", async () => {
    const { page: own, button } = await begin(place(), REMOVAL);
    await host.delete(id);
    await button.click();
    await own.getByRole("dialog", { name: "Nothing was changed" }).getByText("Image not found").waitFor();
    await own.getByRole("dialog", { name: /^Remove the place/ }).waitFor({ state: "detached" });
    await own.context().close();
  });

  it("If another tab has moved the file to the trash, the page reports it, and the place stays", async () => {
    const { page: own, button } = await begin(place(), REMOVAL);
    await host.trash([id]);
    await button.click();
    await own.getByRole("alert").getByText("The file is in the trash; restore it first").waitFor();
    expect(await REMOVAL.state(own)).toEqual(PLACE);
    await own.context().close();
  });
});
