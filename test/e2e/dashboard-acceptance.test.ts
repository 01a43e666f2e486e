import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { drag, dropFromDisk } from "../support/dashboard/drag.ts";
import { copyPhoto, makeHoliday, makeSparse } from "../support/dashboard/holiday.ts";
import { readKept } from "../support/dashboard/kept.ts";
import { submitLogIn } from "../support/dashboard/log-in.ts";
import { useUpRate } from "../support/dashboard/use-up-rate.ts";
import { Stack } from "../support/stack/stack.ts";

// One account from start to end, by mouse and keyboard, in a user's order.

const PATIENT = { timeout: 90_000 };
const SLOW = { timeout: 240_000 };
const WHO = { email: "ines@example.com", password: "correct horse battery" };
const MIB = 1024 * 1024;
/** A killed server's unfinished uploads are abandoned after this time instead of two minutes. */
const ENV = { INTENT_TIMEOUT_SECONDS: "30" };

let stack: Stack;
let browser: Browser;
let folder: string;
let page: Page;
let problems: readonly string[];
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-host-acceptance-"));
  [stack, browser] = await Promise.all([Stack.start(ENV), openBrowser(), makeHoliday(join(folder, "Holiday"))]);
  ({ page, problems } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});
// Error messages of the browser about a killed server.
afterEach(() => expect(problems.filter((problem) => !problem.includes("net::ERR_"))).toEqual([]));
afterEach(async () => {
  const kept = await readKept(page);
  expect(kept).toMatchObject({ databases: [], caches: [], cookies: "" });
  // No key, and no session's token (RFC 7519, 3.1).
  expect(JSON.stringify(kept)).not.toMatch(/service_(upload|live)_|eyJ/);
});

const tile = (position: number) => page.locator(`[data-position="${position}"]`);
const sidebar = () => page.getByRole("navigation", { name: "Library" });
const folderRow = (name: string) => sidebar().getByRole("treeitem", { name: new RegExp(`^${name} `) });
const toolbar = () => page.getByRole("toolbar", { name: "Selected files" });
const tray = () => page.getByRole("region", { name: "Uploads" });
const row = (name: string) => tray().getByRole("listitem").filter({ hasText: name });
const title = () => tray().getByRole("heading").textContent();
const told = (text: string | RegExp) => page.getByText(text).first().waitFor();
const counted = (text: string) =>
  page
    .getByRole("status")
    .filter({ hasText: new RegExp(`^${text}$`) })
    .first()
    .waitFor(PATIENT);
const button = (name: string) => page.getByRole("button", { name, exact: true });

/** The names of a zip's central directory (APPNOTE.TXT, 4.3.12). */
function namesInZip(zip: Buffer): string[] {
  const names: string[] = [];
  for (let at = zip.indexOf("PK\x01\x02"); at >= 0; at = zip.indexOf("PK\x01\x02", at + 46)) {
    names.push(zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  }
  return names;
}

/** A property of the open film, as its browser reports it. */
const film = (property: string) =>
  page.evaluate<number>(`((element) => element.${property})(document.querySelector("[role=dialog] video"))`);

async function choose(...paths: string[]) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button("Upload").click()]);
  await chooser.setFiles(paths);
}

async function copyOf(name: string) {
  const path = join(folder, name);
  await copyPhoto(join(folder, "Holiday/photo-1.jpg"), path);
  return path;
}

/** A request of another program of the same user. */
const asProgram = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
  fetch(new URL(path, stack.baseUrl), {
    ...options,
    headers: { Authorization: `Bearer ${key}`, "Tus-Resumable": "1.0.0", ...options.headers },
  });

describe("an account from start to end", () => {
  it("A new user registers and saves the key", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/register`);
    await page.getByLabel("E-mail").click();
    await page.keyboard.type(WHO.email);
    await page.getByLabel("Password").click();
    await page.keyboard.type(WHO.password);
    await button("Create account").click();
    await button("Copy key").click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^service_upload_\w{43}$/);
    key = await page.evaluate<string>("navigator.clipboard.readText()");
    await button("I saved the key").click();
    await page.waitForURL("**/dashboard/library");
  });

  it("A dropped folder of 60 files is uploaded, and each file is stored or shows its error", async () => {
    await dropFromDisk(page, [join(folder, "Holiday")], page.getByRole("main"));
    await told("Upload 1 folder, 60 files?");
    await button("Create folders and upload").click();
    await expect.poll(title, SLOW).toBe("58 uploaded, 2 failed");
    expect(await row("notes.pdf").textContent()).toContain("Only images and videos are allowed");
    expect(await row("too-large.mp4").textContent()).toContain("Larger than 1 GB, the account's whole storage");
    await folderRow("Holiday").filter({ hasText: "58" }).waitFor();
    await counted("58 files");
    await tray().getByRole("button", { name: "Clear" }).click();
  }, 300_000);

  it("The user searches for the film, sees its thumbnail appear, plays it and seeks in it", async () => {
    await page.getByRole("searchbox").click();
    await page.keyboard.type("film");
    await counted("1 file");
    await tile(0).locator('img[data-state="shown"]').waitFor(PATIENT);
    await tile(0).click();
    await expect.poll(() => film("readyState"), PATIENT).toBeGreaterThanOrEqual(1);
    const controls = await page.locator("video").boundingBox();
    if (controls === null) throw new Error("The film is not shown");
    const { x, y, width, height } = controls;
    await page.mouse.click(x + width / 2, y + height / 2);
    await expect.poll(() => film("currentTime"), PATIENT).toBeGreaterThan(0.2);
    // The seek bar of the browser's own controls.
    await page.mouse.click(x + width * 0.75, y + height - 16);
    await expect.poll(() => film("seeking ? 0 : element.currentTime"), PATIENT).toBeGreaterThan(7);
    await button("Close").first().click();
    await page.waitForURL("**/dashboard/library?q=film");
    await page.getByRole("searchbox").fill("");
    await counted("58 files");
  });

  it("A file dropped from the disk onto a folder in the sidebar is stored in it", async () => {
    await dropFromDisk(page, [await copyOf("onto.jpg")], folderRow("Holiday"));
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    await folderRow("Holiday").filter({ hasText: "59" }).waitFor();
    await tray().getByRole("button", { name: "Clear" }).click();
    await counted("59 files");
  });

  it("Several files are downloaded as a zip", async () => {
    // The test behaves like browsers without a save dialog, because no user would answer one.
    await page.evaluate("delete window.showSaveFilePicker");
    await page.getByRole("searchbox").fill("photo-");
    await counted("5 files");
    await tile(0).click({ modifiers: ["Control"] });
    await tile(4).click({ modifiers: ["Shift"] });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      toolbar().getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("5 files.zip");
    const entries = namesInZip(await readFile(await download.path()));
    expect(entries.sort()).toEqual([1, 2, 3, 4, 5].map((number) => `photo-${number}.jpg`));
    await toolbar().getByRole("button", { name: "Select none" }).click();
    await page.getByRole("searchbox").fill("");
    await counted("59 files");
  });

  it("A file dragged onto a folder is moved there", async () => {
    await button("New folder").click();
    await page.getByLabel("Name", { exact: true }).fill("Best");
    await page.keyboard.press("Enter");
    await folderRow("Best").waitFor();
    await drag(page, tile(3), folderRow("Best"));
    await told("1 file moved to Best");
    await folderRow("Best").filter({ hasText: "1" }).waitFor();
    await folderRow("Holiday").filter({ hasText: "58" }).waitFor();
  });

  it("A tag is added to 40 files at once", async () => {
    await tile(0).click({ modifiers: ["Control"] });
    await page.mouse.wheel(0, 1200);
    await tile(39).click({ modifiers: ["Shift"] });
    expect(await toolbar().textContent()).toContain("40 selected");
    await page.mouse.wheel(0, -1200);
    await toolbar().getByRole("button", { name: "Tag" }).click();
    await page.getByLabel("Add tags").fill("summer");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await told("40 files tagged summer");
    await toolbar().getByRole("button", { name: "Select none" }).click();
    await sidebar()
      .getByRole("link", { name: /^summer/ })
      .click();
    await counted("40 files");
    await sidebar()
      .getByRole("link", { name: /^All files/ })
      .click();
    await counted("59 files");
  });

  it("Files are moved to the trash and back by Undo; one is restored and one deleted permanently", async () => {
    const trashTwo = async () => {
      await tile(0).click({ modifiers: ["Control"] });
      await tile(1).click({ modifiers: ["Shift"] });
      await toolbar().getByRole("button", { name: "Trash" }).click();
      await told("2 files moved to the trash");
    };
    // Any of the 59 may be the newest on a busy machine, and later tests look for the photos.
    await page.getByRole("searchbox").fill("screenshot-");
    await counted("50 files");
    await trashTwo();
    await counted("48 files");
    await button("Undo").first().click();
    await told("Undone");
    await counted("50 files");
    await trashTwo();
    await sidebar()
      .getByRole("link", { name: /^Trash/ })
      .click();
    await tile(1).waitFor();
    await tile(0).click({ modifiers: ["Control"] });
    await toolbar().getByRole("button", { name: "Restore" }).click();
    await told("1 file restored");
    await tile(1).waitFor({ state: "detached" });
    await tile(0).click({ modifiers: ["Control"] });
    await toolbar().getByRole("button", { name: "Delete permanently" }).click();
    await button("Delete 1 file").click();
    await told("1 file deleted permanently");
    await told("The trash is empty");
    await sidebar()
      .getByRole("link", { name: /^All files/ })
      .click();
    await counted("58 files");
  });

  it("A quality of 50 makes the next photo smaller", async () => {
    await choose(await copyOf("before.jpg"));
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    expect(await row("before.jpg").textContent()).not.toContain("stored as");
    await sidebar().getByRole("link", { name: "Settings" }).click();
    await page.getByText("Compress images on upload").click();
    await page.getByText("Optimized").click();
    await button("Save").first().click();
    await told("Images are compressed at quality 50");
    await choose(await copyOf("after.jpg"));
    await expect.poll(title, PATIENT).toBe("2 files uploaded");
    const [, given, stored] =
      /([\d.]+) MB, stored as ([\d.]+) MB/.exec((await row("after.jpg").textContent()) ?? "") ?? [];
    expect(Number(stored)).toBeLessThan(Number(given) / 2);
    await tray().getByRole("button", { name: "Clear" }).click();
  });

  it("A full storage stops uploads with the reason, and they resume when storage is free", async () => {
    // The announced length of a program's upload is reserved.
    const length = { "Upload-Length": String(950 * MIB), "Upload-Metadata": "filename ZmlsbS5tcDQ=" };
    const announced = await asProgram("/images/upload", { method: "POST", headers: length });
    expect(announced.status).toBe(201);
    await makeSparse(join(folder, "long.mp4"), 60 * MIB);
    await choose(join(folder, "long.mp4"));
    await expect.poll(() => tray().textContent(), PATIENT).toMatch(/Storage limit exceeded\. You've used .+ of 1 GB/);
    await tray().getByRole("link", { name: "See large files" }).waitFor();
    expect(await tray().getByRole("link", { name: "See trash" }).getAttribute("href")).toBe("/dashboard/trash");
    expect((await asProgram(announced.headers.get("Location") ?? "", { method: "DELETE" })).status).toBe(204);
    await tray().getByRole("button", { name: "Resume" }).click();
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    await tray().getByRole("button", { name: "Clear" }).click();
  });

  it("Uploads that reach the rate limit resume after it", async () => {
    const path = await copyOf("limited.jpg");
    await useUpRate(page);
    await choose(path);
    await expect.poll(() => tray().textContent(), PATIENT).toMatch(/Waiting \d+ s \(60 requests a minute\)/);
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    await tray().getByRole("button", { name: "Clear" }).click();
  });

  it("Uploads resume after the server is killed and restarted, and nothing is stored twice", async () => {
    // The Free account has used up its minute; waiting for the next would take long.
    await stack.setTier(WHO.email, "pro");
    const names = Array.from({ length: 4 }, (_, at) => `killed-${at}.jpg`);
    await makeSparse(join(folder, "killed-film.mp4"), 61 * MIB);
    await choose(join(folder, "killed-film.mp4"), ...(await Promise.all(names.map(copyOf))));
    await expect.poll(title, PATIENT).toMatch(/^Uploading [2-5] of 5/);
    await stack.kill();
    await expect.poll(() => tray().textContent(), PATIENT).toContain("Connection lost");
    await stack.restart();
    await expect.poll(title, SLOW).toBe("5 files uploaded");
    await tray().getByRole("button", { name: "Clear" }).click();
    await sidebar()
      .getByRole("link", { name: /^All files/ })
      .click();
    await page.getByRole("searchbox").fill("killed-");
    await counted("5 files");
  }, 400_000);

  it("The first API key is created, shown, and lists the account's files", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/developers`);
    await told("No API key yet");
    await button("New key").click();
    await page.getByLabel("Name", { exact: true }).fill("website");
    await page.getByRole("radio", { name: "Everything" }).check({ force: true });
    await button("Create key").click();
    const shown = page.getByRole("dialog", { name: "Key “website” created" });
    key = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
    await page.locator("tr", { hasText: "website" }).waitFor();
    await shown.getByRole("button", { name: "Copy key" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
    expect(await (await asProgram("/images?folderId=all&limit=1")).json()).toMatchObject({ pagination: { total: 67 } });
    await shown.getByRole("button", { name: "I saved the key" }).click();
    await shown.waitFor({ state: "detached" });
  });

  it("Two tabs show the same: a deletion in one appears in the other, and so does a log-out", async () => {
    await sidebar()
      .getByRole("link", { name: /^All files/ })
      .click();
    await counted("67 files");
    await page.getByRole("searchbox").fill("photo-");
    await counted("5 files");
    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/library?q=photo-`);
    await other.locator('[data-position="4"]').waitFor(PATIENT);
    await tile(0).click({ modifiers: ["Control"] });
    await toolbar().getByRole("button", { name: "Trash" }).click();
    await told("1 file moved to the trash");
    await other.locator('[data-position="4"]').waitFor({ state: "detached", ...PATIENT });
    await other.getByRole("button", { name: /^Account:/ }).click();
    await other.getByRole("menuitem", { name: "Log out" }).click();
    await other.waitForURL("**/dashboard/login");
    const dialog = page.getByRole("dialog", { name: "Log in again" });
    await dialog.waitFor();
    await submitLogIn(page, WHO);
    await dialog.waitFor({ state: "detached" });
    await tile(3).waitFor();
  });
});
