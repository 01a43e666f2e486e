import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { useUpRate } from "../support/dashboard/use-up-rate.ts";
import { type MediaFile, makeMediaFiles } from "../support/media/media-files.ts";
import { Stack } from "../support/stack/stack.ts";

// Uploads in the dashboard, in a browser against the whole stack: what people give it, and what goes wrong on the way.

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
  // What a server that was killed had begun is given up earlier than after two minutes.
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

/** A picture that no other is like, of about so many bytes. */
async function photo(name: string, sizeBytes = 20_000): Promise<string> {
  const [jpeg] = media.files;
  const path = join(folder, name);
  const bytes = await readFile(jpeg?.path ?? "");
  // What follows a JPEG's end is no part of the picture.
  await writeFile(path, Buffer.concat([bytes, Buffer.alloc(Math.max(1, sizeBytes - bytes.length), name)]));
  return path;
}

async function storedNames(part: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { prompt } of host.images({ folderId: "all", q: part })) names.push(prompt);
  return names.sort();
}

describe("files that are given", () => {
  it("are stored, whatever of the types they are, and the others say why they are not", async () => {
    await writeFile(join(folder, "notes.pdf"), "%PDF-1.7 no picture");
    await choose([...media.files.map(({ path }) => path), join(folder, "notes.pdf")]);
    await expect.poll(title, PATIENT).toBe(`${media.files.length} uploaded, 1 not`);
    expect(await row("notes.pdf").textContent()).toContain("Only images and videos are allowed");
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

  it("are taken from a drop anywhere and from the clipboard, into the folder that is shown", async () => {
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

  it("are refused before they are sent where the account could never hold them", async () => {
    const path = join(folder, "huge.mp4");
    const file = await open(path, "w");
    await file.truncate(11 * 1024 * MIB);
    await file.close();
    // What the account may store comes with the first answer.
    await page.getByText(/of 10 GB/).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
    await choose(path);
    await expect
      .poll(() => row("huge.mp4").textContent(), PATIENT)
      .toContain("Larger than 10 GB, all of the account's storage");
    expect(asked).toEqual([]);
  });

  it("are asked for one asking after the other where answers are slow: none is cut short by the next", async () => {
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

  it("go many in one request where they are small, and each is stored once", async () => {
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

describe("a file over 8 MB", () => {
  it("goes in pieces, and after the page was closed where it was; a smaller one goes as a form", async () => {
    const paths = [await photo("large.jpg", 45 * MIB), await photo("form.jpg", 7 * MIB)];
    const pieces: string[] = [];
    const created: (string | undefined)[] = [];
    page.on("request", (request) => {
      const headers = request.headers();
      if (request.method() === "PATCH") pieces.push(headers["upload-offset"] ?? "");
      if (request.method() === "POST" && request.url().endsWith("/images/upload"))
        created.push(headers["upload-length"]);
    });
    // The second piece of 40 MiB and what follows never gets anywhere.
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
  });
});

describe("what goes wrong", () => {
  it("an answer that is lost makes no second file", async () => {
    let lost = 0;
    await page.route("**/images/upload", async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort("connectionreset");
    });
    await choose(await photo("lost-answer.jpg"));
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(lost).toBe(1);
    expect(await storedNames("lost-answer")).toEqual(["lost-answer.jpg"]);
  });

  it("a session that is over is renewed over the page, and uploads go on", async () => {
    await page.context().clearCookies();
    await choose(await photo("session.jpg"));
    // The log-in lies over all else.
    await expect
      .poll(() => page.locator("section[aria-label=Uploads]").textContent(), PATIENT)
      .toContain("Log in to go on");
    await submitLogIn(page, who);
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
  });

  it("a network that is away before the page has loaded what sends files keeps them until it is back", async () => {
    const parts = /\/(engine|tray|toast-list|library-extras)-[^/]*\.(js|css)$/;
    let leave = () => {};
    const isAway = new Promise<void>((resolve) => {
      leave = resolve;
    });
    await page.route(parts, async (route) => {
      await isAway;
      await route.abort("internetdisconnected");
    });
    // What is held back may be a part of what "load" waits for.
    await page.reload({ waitUntil: "domcontentloaded" });
    await page.getByRole("main").waitFor();
    await page.context().setOffline(true);
    leave();
    await choose(await photo("offline.jpg"));
    await page.getByText("Changes and uploads wait.").waitFor();
    await page.unroute(parts);
    await page.context().setOffline(false);
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(await storedNames("offline")).toEqual(["offline.jpg"]);
    // What is done with files has come too, and looks as it does otherwise.
    await page.locator('[data-position="0"]').click({ modifiers: ["Control"] });
    await page.getByRole("toolbar", { name: "Selected files" }).waitFor();
    const style = "getComputedStyle(document.querySelector('[aria-label=\"Selected files\"]'))";
    expect(await page.evaluate(`${style}.position`)).toBe("absolute");
  });

  it("a rate limit is waited for as long as the service says", async () => {
    const { email } = (await stack.demoAccounts()).free;
    await page.context().clearCookies();
    await openDashboard(page, stack.baseUrl, { ...who, email });
    await useUpRate(page);
    await choose(await photo("limited.jpg"));
    await expect.poll(() => tray().textContent(), PATIENT).toMatch(/Waiting \d+ s \(60 requests a minute\)/);
    await expect.poll(title, { timeout: 90_000 }).toBe("1 file uploaded");
  });

  it("a full storage stops all, says why, and what can be done", async () => {
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

  it("a page that is closed before all is sent names what was not", async () => {
    await page.route("**/images/upload", () => undefined);
    await choose(await photo("unsent.jpg"));
    await expect.poll(title, PATIENT).toBe("Uploading 1 of 1");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await expect.poll(() => page.locator("body").textContent(), PATIENT).toContain("1 file was not uploaded");
    expect(await page.locator("body").textContent()).toContain("unsent.jpg");
  });
});

// The last one: it leaves a stack that has just begun.
describe("a server that is away", () => {
  it("is waited for when it is killed in the middle, and nothing is stored twice", async () => {
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
    // It may go on by itself before it is told to.
    const tryNow = tray().getByRole("button", { name: "Try now" });
    await tryNow.click({ timeout: 2000 }).catch(() => undefined);
    await expect.poll(title, { timeout: 150_000 }).toBe("13 files uploaded");
    expect((await storedNames("killed-")).length).toBe(13);
  }, 300_000);
});
