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

// One account from its beginning to its end, by mouse and keyboard, in the order in which people come to it.

const PATIENT = { timeout: 90_000 };
const SLOW = { timeout: 240_000 };
const WHO = { email: "ines@example.com", password: "correct horse battery" };
const MIB = 1024 * 1024;
/** What a server that was killed had begun is given up earlier than after two minutes. */
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
// A server that is killed is complained of.
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

/** What the film that is open is, as its browser says. */
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

/** A request of another program of the same person. */
const asProgram = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
  fetch(new URL(path, stack.baseUrl), {
    ...options,
    headers: { Authorization: `Bearer ${key}`, "Tus-Resumable": "1.0.0", ...options.headers },
  });

describe("an account, from its beginning to its end", () => {
  it("signs up, and keeps the key", async () => {
    await page.goto(`${stack.baseUrl}/dashboard/register`);
    await page.getByLabel("E-mail").click();
    await page.keyboard.type(WHO.email);
    await page.getByLabel("Password").click();
    await page.keyboard.type(WHO.password);
    await button("Create account").click();
    await button("Copy key").click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^service_upload_\w{43}$/);
    key = await page.evaluate<string>("navigator.clipboard.readText()");
    await button("I have kept it").click();
    await page.waitForURL("**/dashboard/library");
  });

  it("drops a folder of 60 files: each is stored, or says why it is not", async () => {
    await dropFromDisk(page, [join(folder, "Holiday")], page.getByRole("main"));
    await told("Upload 1 folder, 60 files?");
    await button("Make folders and upload").click();
    await expect.poll(title, SLOW).toBe("58 uploaded, 2 not");
    expect(await row("notes.pdf").textContent()).toContain("Only images and videos are allowed");
    expect(await row("too-large.mp4").textContent()).toContain("Larger than 1 GB, all of the account's storage");
    await folderRow("Holiday").filter({ hasText: "58" }).waitFor();
    await counted("58 files");
    await tray().getByRole("button", { name: "Clear" }).click();
  }, 300_000);

  it("searches for the film, sees its thumbnail come, plays and seeks it", async () => {
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
    // The line of the browser's own controls.
    await page.mouse.click(x + width * 0.75, y + height - 16);
    await expect.poll(() => film("seeking ? 0 : element.currentTime"), PATIENT).toBeGreaterThan(7);
    await button("Close").first().click();
    await page.waitForURL("**/dashboard/library?q=film");
    await page.getByRole("searchbox").fill("");
    await counted("58 files");
  });

  it("drops a file of the disk onto a folder of the sidebar, which has it then", async () => {
    await dropFromDisk(page, [await copyOf("onto.jpg")], folderRow("Holiday"));
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    await folderRow("Holiday").filter({ hasText: "59" }).waitFor();
    await tray().getByRole("button", { name: "Clear" }).click();
    await counted("59 files");
  });

  it("downloads several files as a zip", async () => {
    // As browsers have it that cannot ask where a file is to go: here nobody would answer.
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

  it("moves a file by dragging it onto a folder", async () => {
    await button("New folder").click();
    await page.getByLabel("Name", { exact: true }).fill("Best");
    await page.keyboard.press("Enter");
    await folderRow("Best").waitFor();
    await drag(page, tile(3), folderRow("Best"));
    await told("1 file moved to Best");
    await folderRow("Best").filter({ hasText: "1" }).waitFor();
    await folderRow("Holiday").filter({ hasText: "58" }).waitFor();
  });

  it("tags 40 files at once", async () => {
    await tile(0).click({ modifiers: ["Control"] });
    await page.mouse.wheel(0, 1200);
    await tile(39).click({ modifiers: ["Shift"] });
    expect(await toolbar().textContent()).toContain("40 selected");
    await page.mouse.wheel(0, -1200);
    await toolbar().getByRole("button", { name: "Tag" }).click();
    await page.getByLabel("Add tags").fill("summer");
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

  it("moves files to the trash, undoes it, restores one and deletes one for good", async () => {
    const trashTwo = async () => {
      await tile(0).click({ modifiers: ["Control"] });
      await tile(1).click({ modifiers: ["Shift"] });
      await toolbar().getByRole("button", { name: "Trash" }).click();
      await told("2 files moved to the trash");
    };
    // Which of 59 are the newest is for a busy machine to say, and later tests look for the photos.
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
    await toolbar().getByRole("button", { name: "Delete for good" }).click();
    await button("Delete 1 file").click();
    await told("1 file deleted for good");
    await told("Nothing in the trash");
    await sidebar()
      .getByRole("link", { name: /^All files/ })
      .click();
    await counted("58 files");
  });

  it("sets quality 50, and sees the next photo smaller", async () => {
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

  it("reaches the quota, sees why, and goes on when there is room", async () => {
    // What a program has announced is set aside for it.
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

  it("is rate-limited, and goes on", async () => {
    const path = await copyOf("limited.jpg");
    await useUpRate(page);
    await choose(path);
    await expect.poll(() => tray().textContent(), PATIENT).toMatch(/Waiting \d+ s \(60 requests a minute\)/);
    await expect.poll(title, PATIENT).toBe("1 file uploaded");
    await tray().getByRole("button", { name: "Clear" }).click();
  });

  it("goes on when the server is killed in the middle and comes back, and stores nothing twice", async () => {
    // The minute of a Free account is over, and would have to be waited for.
    await stack.admin("set-tier", WHO.email, "pro");
    const names = Array.from({ length: 4 }, (_, at) => `killed-${at}.jpg`);
    await makeSparse(join(folder, "killed-film.mp4"), 60 * MIB);
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

  it("is the same in two tabs: what goes in one goes in the other, and so does the session", async () => {
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
