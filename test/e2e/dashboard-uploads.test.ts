import { copyFile, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openFile } from "../../src/client/node.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, loseAnswer } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { useUpRate } from "../support/dashboard/use-up-rate.ts";
import { type MediaFile, makeMediaFiles } from "../support/media/media-files.ts";
import { Stack } from "../support/stack/stack.ts";

// Uploads in the dashboard, in a browser against the whole stack: the user's files, and failures on the way.

const MIB = 1024 * 1024;
const PATIENT = { timeout: 60_000 };

let stack: Stack;
let browser: Browser;
let media: { folder: string; files: MediaFile[] };
let who: { readonly email: string; readonly password: string };
let host: Client;
let folder: string;
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  // A killed server's unfinished uploads are abandoned after this time instead of two minutes.
  const started = Stack.start({ INTENT_TIMEOUT_SECONDS: "30" });
  [stack, browser, media] = await Promise.all([started, openBrowser(), makeMediaFiles()]);
  const accounts = await stack.demoAccounts();
  who = { email: accounts.pro.email, password: accounts.password };
  host = createClient({ baseUrl: stack.baseUrl, key: accounts.pro.apiKey });
  folder = await mkdtemp(join(tmpdir(), "media-host-uploads-"));
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  for (const path of [media?.folder, folder]) if (path !== undefined) await rm(path, { recursive: true, force: true });
});

beforeEach(async () => {
  ({ page, problems } = await openPage(browser));
  await openDashboard(page, stack.baseUrl, who);
});
afterEach(async () => {
  await page?.context().close();
});

const tray = () => page.getByRole("region", { name: "Uploads" });
const row = (name: string) => tray().getByRole("listitem").filter({ hasText: name });
const choose = (files: Parameters<Page["setInputFiles"]>[1]) =>
  page.getByLabel("Choose files to upload").setInputFiles(files);
const title = () => tray().getByRole("heading").textContent();

/** A unique picture of about this size. */
async function photo(name: string, sizeBytes = 20_000): Promise<string> {
  const [jpeg] = media.files;
  const path = join(folder, name);
  const bytes = await readFile(jpeg?.path ?? "");
  // Bytes after a JPEG's end are no part of the picture.
  await writeFile(path, Buffer.concat([bytes, Buffer.alloc(Math.max(name.length, sizeBytes - bytes.length), name)]));
  return path;
}

async function storedNames(part: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { prompt } of host.images({ folderId: "all", q: part })) names.push(prompt);
  return names.sort();
}

describe("chosen files", () => {
  it("Files of every type are stored, and unsupported files show the reason", async () => {
    const others = { "notes.pdf": "%PDF-1.7 no picture", "logo.svg": "<svg/>", "none.jpg": "" };
    const otherPaths = Object.keys(others).map((name) => join(folder, name));
    for (const [name, content] of Object.entries(others)) await writeFile(join(folder, name), content);
    await choose([...media.files.map(({ path }) => path), ...otherPaths]);
    await expect.poll(title, PATIENT).toBe(`${media.files.length} uploaded, 3 failed`);
    const supported = "Supported: JPEG, PNG, WebP, GIF, MP4, WebM, MOV, AVI.";
    expect(await row("notes.pdf").textContent()).toContain(
      `Only images and videos are allowed. This is a PDF file. ${supported}`,
    );
    expect(await row("logo.svg").textContent()).toContain(`This is an SVG image. ${supported}`);
    expect(await row("none.jpg").textContent()).toContain("The file is empty");
    expect(await row("notes.pdf").getByRole("button", { name: "Retry" }).count()).toBe(0);
    const types = new Set<string>();
    for await (const { mimeType } of host.images({ folderId: "root" })) types.add(mimeType);
    // The account compresses: a still GIF becomes a PNG.
    const expected = media.files.map(({ mimeType }) => mimeType).filter((type) => type !== "image/gif");
    expect([...types].sort()).toEqual([...new Set(expected)].sort());
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await row("photo.jpg").getByRole("button", { name: "Copy link" }).click();
    const url = await page.evaluate<string>("navigator.clipboard.readText()");
    expect((await fetch(url)).status).toBe(200);
    await takeScreenshots(page, "upload-tray");
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("New files are visible at once, and the tray folds when all are stored and offers their links", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    // The page's own pictures are seen before any preview or answer of the service.
    const previews = new Promise<void>((resolve) => page.once("close", () => resolve()));
    await page.route("**/previews/**", () => previews);
    let answer = () => {};
    const isSeen = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/images/upload", (route) => isSeen.then(() => route.continue()));
    const paths = [await photo("seen-1.jpg"), await photo("seen-2.jpg")];
    await choose(paths);
    const widthOf = (element: ReturnType<Page["locator"]>) =>
      element.evaluate((image: unknown) => (image as { naturalWidth: number }).naturalWidth).catch(() => 0);
    for (const path of paths)
      await expect.poll(() => widthOf(row(path.slice(-10)).locator("img")), PATIENT).toBeGreaterThan(0);
    await takeScreenshots(page, "upload-pictures");
    expect(await findBarriers(page)).toEqual([]);
    answer();
    await expect.poll(title, PATIENT).toBe("2 files uploaded");
    const tile = page.locator("[data-position]").filter({ hasText: "seen-2.jpg" });
    await expect.poll(() => widthOf(tile.locator("img[src^=blob]")), PATIENT).toBeGreaterThan(0);

    // The list folds; a further file opens it.
    await tray().getByRole("list").waitFor({ state: "detached" });
    await takeScreenshots(page, "upload-folded");
    await tray().getByRole("button", { name: "Copy all links" }).click();
    const links = (await page.evaluate<string>("navigator.clipboard.readText()")).split("\n");
    const { images } = await host.imagePage({ folderId: "all", q: "seen-" });
    expect(links.toSorted()).toEqual(images.map(({ url }) => url).toSorted());
    await choose(await photo("seen-3.jpg"));
    await row("seen-3.jpg").waitFor();
    await expect.poll(title, PATIENT).toBe("3 files uploaded");
    // The tray covers no button of the selection's bar, on a wide screen and on a phone.
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size);
      await page
        .locator("[data-position]")
        .first()
        .click({ modifiers: ["Control"] });
      await page.getByRole("button", { name: "Select none" }).click({ timeout: 5000 });
    }
    expect(problems).toEqual([]);
  });

  it("Files dropped anywhere or pasted are stored in the open folder", async () => {
    const { _id } = await host.folders.create({ name: "Dropped" });
    await page.goto(`${stack.baseUrl}/dashboard/library?folder=${_id}`);
    await page.getByRole("main").waitFor();
    const give = (kind: "drop" | "paste", name: string) =>
      page.evaluate(`(async () => {
        const canvas = new OffscreenCanvas(8, 8);
        canvas.getContext("2d").fillRect(0, 0, ${kind === "drop" ? 4 : 6}, 4);
        const transfer = new DataTransfer();
        transfer.items.add(new File([await canvas.convertToBlob()], "${name}", { type: "image/png" }));
        const options = { dataTransfer: transfer, clipboardData: transfer, bubbles: true, cancelable: true };
        const event = ${kind === "drop" ? 'new DragEvent("drop", options)' : 'new ClipboardEvent("paste", options)'};
        document.querySelector("main").dispatchEvent(event);
      })()`);
    await give("drop", "dropped.png");
    await give("paste", "image.png");
    await expect.poll(title, PATIENT).toBe("2 files uploaded");
    const { images } = await host.imagePage({ folderId: _id });
    expect(images.map(({ prompt }) => prompt).sort()).toEqual([
      expect.stringMatching(/^Pasted .*\.png$/),
      "dropped.png",
    ]);
  });

  it("Files that the account can never hold are refused before they are sent", async () => {
    const path = join(folder, "huge.mp4");
    const file = await open(path, "w");
    await file.truncate(11 * 1024 * MIB);
    await file.close();
    // The first answer brings the account's limits.
    await page.getByText(/of 10 GB/).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
    await choose(path);
    await expect
      .poll(() => row("huge.mp4").textContent(), PATIENT)
      .toContain("Larger than 10 GB, the account's whole storage");
    expect(asked).toEqual([]);
  });

  it("Prompts appear one after the other when answers are slow, and none is cut short", async () => {
    const asked = { answered: 0, cutShort: 0 };
    await page.route(/\/images\?.*page=1/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      await route.continue().catch(() => undefined);
    });
    const isListing = (request: Request) => /\/images\?.*page=1/.test(request.url());
    page.on("requestfinished", (request) => {
      if (isListing(request)) asked.answered += 1;
    });
    page.on("requestfailed", (request) => {
      if (isListing(request)) asked.cutShort += 1;
    });
    for (const number of [1, 2, 3]) {
      await choose(await photo(`slow-${number}.jpg`));
      await row(`slow-${number}.jpg`).getByRole("button", { name: "Copy link" }).waitFor();
      await page.waitForTimeout(2500);
    }
    await page.locator('[data-position="0"]').filter({ hasText: "slow-3.jpg" }).waitFor(PATIENT);
    expect(asked.cutShort).toBe(0);
    expect(asked.answered).toBeLessThanOrEqual(3);
  });

  it("Small files share a request, and each is stored once", async () => {
    const paths = await Promise.all(
      Array.from({ length: 60 }, (_, at) => photo(`small-${String(at).padStart(2, "0")}.jpg`)),
    );
    let requests = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/images/upload")) requests += 1;
    });
    await choose(paths);
    await expect.poll(title, PATIENT).toBe("60 files uploaded");
    expect(await storedNames("small-")).toEqual(paths.map((path) => path.slice(-12)));
    expect(requests).toBeLessThan(30);
  });
});

describe("files over 8 MB", () => {
  it("A file over 8 MB is sent in pieces and resumes after the page was closed; a smaller one is a form", async () => {
    // The default of an account that compresses would overwrite the bytes after the picture.
    await host.settings.update({ metadata: "keep" });
    const paths = [await photo("large.jpg", 45 * MIB), await photo("form.jpg", 7 * MIB)];
    const pieces: string[] = [];
    const created: (string | undefined)[] = [];
    page.on("request", (request) => {
      const headers = request.headers();
      if (request.method() === "PATCH") pieces.push(headers["upload-offset"] ?? "");
      if (request.method() === "POST" && request.url().endsWith("/images/upload"))
        created.push(headers["upload-length"]);
    });
    // The second piece of 40 MiB and all later pieces never arrive.
    await page.route("**/images/upload/*", async (route) => {
      const offset = route.request().headers()["upload-offset"];
      if (offset === undefined || offset === "0") await route.continue();
    });
    await choose(paths);
    await expect.poll(() => [...pieces], PATIENT).toEqual(["0", String(40 * MIB)]);
    await expect.poll(() => row("form.jpg").textContent(), PATIENT).toContain("Copy link");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.unroute("**/images/upload/*");
    await page.getByRole("main").waitFor();
    await choose(paths[0] ?? "");
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(pieces).toEqual(["0", String(40 * MIB), String(40 * MIB)]);
    expect(created.sort()).toEqual([String(45 * MIB), undefined]);
    const { images } = await host.imagePage({ folderId: "all", q: "large.jpg" });
    expect(images).toHaveLength(1);
    // It is too large to be compressed.
    const [{ url = "" } = {}] = images;
    const served = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(served.equals(await readFile(paths[0] ?? ""))).toBe(true);
    await host.settings.update({ metadata: null });
  });
});

describe("duplicates", () => {
  /** Copies a file on the disk. */
  async function copyOf(path: string, name: string): Promise<string> {
    await copyFile(path, join(folder, name));
    return join(folder, name);
  }
  const keep = (name: string) => row(name).getByRole("button", { name: "Keep both" });

  it("A file that is in another folder already can be opened, or kept twice", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const path = await photo("twice-first.jpg");
    const { _id: folderId } = await host.folders.create({ name: "Older" });
    const older = await host.upload(await openFile(path), { folderId });
    await page.reload();
    await page.getByRole("treeitem", { name: /^Older/ }).waitFor();
    await choose(await copyOf(path, "twice-again.jpg"));
    await expect.poll(title, PATIENT).toBe("1 file was already here");
    const words = "You already have this fileAs \u2068twice-first.jpg\u2069 in \u2068Older\u2069";
    expect(await row("twice-again.jpg").textContent()).toContain(words);
    await page.getByRole("status").filter({ hasText: "1 file was already here" }).waitFor();
    await takeScreenshots(page, "upload-duplicate");
    expect(await findBarriers(page)).toEqual([]);
    expect(await storedNames("twice")).toEqual(["twice-first.jpg"]);
    // The question stays: the list does not fold.
    await page.waitForTimeout(5500);
    await row("twice-again.jpg").getByRole("link", { name: "Open" }).click();
    await page.getByRole("dialog").getByRole("heading", { name: "twice-first.jpg" }).waitFor();
    expect(page.url()).toContain(older._id);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await tray().getByRole("button", { name: "Copy as…" }).waitFor();
    await keep("twice-again.jpg").click();
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(await storedNames("twice")).toEqual(["twice-again.jpg", "twice-first.jpg"]);
    const { images } = await host.imagePage({ folderId: "root", q: "twice-again" });
    expect(images).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it("A file over 8 MB that is stored already is asked about after its last piece", async () => {
    const path = await photo("pieces-first.jpg", 9 * MIB);
    const { url } = await host.upload(await openFile(path));
    const created: string[] = [];
    page.on("request", (request) => {
      const metadata = request.headers()["upload-metadata"];
      if (metadata !== undefined) created.push(metadata);
    });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await choose([await copyOf(path, "pieces-again.jpg"), await photo("pieces-other.jpg")]);
    await expect.poll(title, PATIENT).toBe("1 uploaded, 1 already here");
    await tray().getByRole("button", { name: "Copy all links" }).click();
    expect((await page.evaluate<string>("navigator.clipboard.readText()")).split("\n")).toContain(url);
    await keep("pieces-again.jpg").click();
    await expect.poll(title, PATIENT).toBe("2 files uploaded");
    expect(await storedNames("pieces-")).toEqual(["pieces-again.jpg", "pieces-first.jpg", "pieces-other.jpg"]);
    const [asked, kept] = created.map((metadata) => /dedupe (\S+)/.exec(metadata)?.[1]);
    expect([asked, kept].map((value = "") => atob(value))).toEqual(["true", "false"]);
  });

  it("Many duplicates in one drop are counted and kept together, and files in the trash are none", async () => {
    const paths = await Promise.all(Array.from({ length: 25 }, (_, at) => photo(`many-${10 + at}.jpg`)));
    const stored = [];
    for (const path of paths.slice(0, 4)) stored.push(await host.upload(await openFile(path)));
    await host.trash([stored[3]?._id ?? ""]);
    const copies = await Promise.all(paths.map((path, at) => copyOf(path, `copy-${10 + at}.jpg`)));
    let requests = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/images/upload")) requests += 1;
    });
    await choose(copies);
    await expect.poll(title, PATIENT).toBe("22 uploaded, 3 already here");
    // Duplicates are the first of the list.
    await expect.poll(() => tray().getByRole("listitem").first().textContent()).toContain("You already have this file");
    await takeScreenshots(page, "upload-duplicates");
    await tray().getByRole("button", { name: "Keep all" }).click();
    await expect.poll(title, PATIENT).toBe("25 files uploaded");
    expect(await storedNames("copy-")).toEqual(copies.map((path) => path.slice(-11)));
    expect(requests).toBeLessThan(20);
    expect(problems).toEqual([]);
  });
});

describe("failures", () => {
  it("A lost answer does not store a file twice", async () => {
    const sent = await failFirst(page, { method: "POST", path: "**/images/upload" }, loseAnswer);
    await choose(await photo("lost-answer.jpg"));
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(sent).toHaveLength(2);
    expect(await storedNames("lost-answer")).toEqual(["lost-answer.jpg"]);
  });

  it("An ended session is renewed over the page, and uploads resume", async () => {
    await page.context().clearCookies();
    await choose(await photo("session.jpg"));
    // The log-in dialog covers everything else.
    await expect
      .poll(() => page.locator("section[aria-label=Uploads]").textContent(), PATIENT)
      .toContain("Log in to continue");
    await submitLogIn(page, who);
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
  });

  it("Files are kept while the network is away, even before the upload code has loaded", async () => {
    const parts = /\/(engine|tray|toast-list|library-parts)-[^/]*\.(js|css)$/;
    let leave = () => {};
    const isAway = new Promise<void>((resolve) => {
      leave = resolve;
    });
    await page.route(parts, async (route) => {
      await isAway;
      await route.abort("internetdisconnected");
    });
    // The event "load" may wait for a held-back request.
    await page.reload({ waitUntil: "domcontentloaded" });
    await page.getByRole("main").waitFor();
    await page.context().setOffline(true);
    leave();
    await choose(await photo("offline.jpg"));
    await page.getByText("Changes and uploads resume when you are online.").waitFor();
    await page.unroute(parts);
    await page.context().setOffline(false);
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(await storedNames("offline")).toEqual(["offline.jpg"]);
    // The code for selected files has loaded, too, and its styles apply.
    await page.locator('[data-position="0"]').click({ modifiers: ["Control"] });
    await page.getByRole("toolbar", { name: "Selected files" }).waitFor();
    const style = "getComputedStyle(document.querySelector('[aria-label=\"Selected files\"]'))";
    expect(await page.evaluate(`${style}.position`)).toBe("absolute");
  });

  it("Chosen files stay when a part of the page is lost in the moment in which the network comes back", async () => {
    const part = /\/library-parts-[^/]*\.js$/;
    const after = () => {
      let happen = () => {};
      const event = new Promise<void>((resolve) => {
        happen = resolve;
      });
      return { event, happen };
    };
    const [loss, look] = [after(), after()];
    let asked = 0;
    page.on("framenavigated", () => {
      asked = 0;
    });
    await page.route(part, async (route) => {
      asked += 1;
      await loss.event;
      await route.abort("internetdisconnected");
    });
    await page.route("**/images/upload", (route) => look.event.then(() => route.continue()));
    await page.reload({ waitUntil: "domcontentloaded" });
    await expect.poll(() => asked, PATIENT).toBeGreaterThan(0);
    await page.context().setOffline(true);
    await choose(await photo("flicker.jpg"));
    const banner = page.getByText("Changes and uploads resume when you are online.");
    await banner.waitFor();
    await page.context().setOffline(false);
    await banner.waitFor({ state: "detached" });
    const isThere = page.waitForResponse(page.url());
    loss.happen();
    await isThere;
    // A reload would happen now, and would forget the file.
    await page.waitForTimeout(500);
    look.happen();
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(await storedNames("flicker")).toEqual(["flicker.jpg"]);
  });

  it("Uploads wait for a rate limit as long as the service asks", async () => {
    const { email } = (await stack.demoAccounts()).free;
    await page.context().clearCookies();
    await openDashboard(page, stack.baseUrl, { ...who, email });
    await useUpRate(page);
    await choose(await photo("limited.jpg"));
    await expect.poll(() => tray().textContent(), PATIENT).toMatch(/Waiting \d+ s \(60 requests a minute\)/);
    await expect.poll(title, { timeout: 90_000 }).toBe("1 file uploaded");
  });

  it("A full storage stops all uploads, and shows the reason and the remedy", async () => {
    const words = "Storage limit exceeded. You've used 10 GB of 10 GB.";
    await page.route("**/images/upload", (route) =>
      route.fulfill({
        status: 413,
        json: { error: words, statusCode: 413, details: { usedBytes: 1, limitBytes: 10_737_418_240 } },
      }),
    );
    await choose([await photo("full-1.jpg"), await photo("full-2.jpg")]);
    await expect.poll(() => tray().textContent(), PATIENT).toContain(words);
    expect(await tray().getByRole("link", { name: "See trash" }).getAttribute("href")).toBe("/dashboard/trash");
    await page.unroute("**/images/upload");
    await tray().getByRole("button", { name: "Resume" }).click();
    await expect.poll(title, PATIENT).toBe("2 files uploaded");
  });

  it("A page that was closed before all files were sent names the missing files", async () => {
    await page.route("**/images/upload", () => undefined);
    await choose(await photo("unsent.jpg"));
    await expect.poll(title, PATIENT).toBe("Uploading 1 of 1");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await expect.poll(() => page.locator("body").textContent(), PATIENT).toContain("1 file was not uploaded");
    expect(await page.locator("body").textContent()).toContain("unsent.jpg");
  });
});

// This is the last test, because it leaves a stack that has just started.
describe("server outage", () => {
  it("Uploads wait for a server that is killed in the middle, and nothing is stored twice", async () => {
    const paths = await Promise.all([
      ...Array.from({ length: 12 }, (_, at) => photo(`killed-${at}.jpg`, 2 * MIB)),
      photo("killed-large.jpg", 60 * MIB),
    ]);
    await choose(paths);
    await expect.poll(() => title(), PATIENT).toMatch(/^Uploading [2-9]/);
    await stack.kill();
    await expect.poll(() => tray().textContent(), PATIENT).toContain("Connection lost");
    await takeScreenshots(page, "upload-lost");
    await stack.restart();
    // The page may retry automatically before the click.
    const tryNow = tray().getByRole("button", { name: "Try now" });
    await tryNow.click({ timeout: 2000 }).catch(() => undefined);
    await expect.poll(title, { timeout: 150_000 }).toBe("13 files uploaded");
    expect((await storedNames("killed-")).length).toBe(13);
  }, 300_000);
});
