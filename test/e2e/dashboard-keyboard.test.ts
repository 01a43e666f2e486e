import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { makeFilm, makePicture } from "../support/dashboard/holiday.ts";
import { Stack } from "../support/stack/stack.ts";

// The dashboard by keys alone: no mouse, and the test never sets the focus.

const PATIENT = { timeout: 90_000 };

let stack: Stack;
let browser: Browser;
let folder: string;
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-host-keyboard-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  ({ page, problems } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const type = (text: string) => page.keyboard.type(text);
const told = (text: string | RegExp) => page.getByText(text).first().waitFor();
const counted = (text: string) =>
  page
    .getByRole("status")
    .filter({ hasText: new RegExp(`^${text}$`) })
    .first()
    .waitFor();
const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
const read = <Value>(expression: string) => page.evaluate<Value>(expression);
const film = (property: string) => read<number>(`document.querySelector("[role=dialog] video")?.${property}`);

/** The focused element's accessible name. */
const focused = () =>
  read<string>(`(() => {
    const { ariaLabel, labels, textContent } = document.activeElement;
    return (ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? "").trim();
  })()`);

/** An element that a busy machine shows late is reached in a later round through the page. */
const REACHED_WITHIN_MS = 30_000;

/** Presses Tab until this element has the focus. */
async function tabTo(name: string | RegExp, key = "Tab"): Promise<void> {
  const end = Date.now() + REACHED_WITHIN_MS;
  while (Date.now() < end) {
    await press(key);
    const found = await focused();
    if (typeof name === "string" ? found === name : name.test(found)) return;
  }
  throw new Error(`${key} does not reach ${name}`);
}

/** The first file, from anywhere in the page: the skip link leads past the sidebar. */
async function tabToFiles(): Promise<void> {
  const end = Date.now() + REACHED_WITHIN_MS;
  while (Date.now() < end) {
    if (await read<boolean>("document.activeElement.dataset.position !== undefined")) return press("Home");
    await press("Tab");
  }
  throw new Error("Tab does not reach the files");
}

async function barriers(): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
}

it("The dashboard is usable by keys alone, from registering to logging out", async () => {
  const pictures = Array.from({ length: 4 }, (_, at) => join(folder, `picture-${at + 1}.png`));
  await Promise.all([makeFilm(join(folder, "film.mp4")), ...pictures.map((path, at) => makePicture(path, at))]);

  // Register, and save the key.
  await page.goto(`${stack.baseUrl}/dashboard/register`);
  await tabTo(/^E-mail/);
  // A second try registers another account.
  const email = `ines.${Date.now()}@example.com`;
  await type(email);
  await press("Tab");
  await type("correct horse battery");
  await barriers();
  await press("Enter");
  await page.waitForURL("**/dashboard/welcome");
  await tabTo("Copy key");
  await press("Enter");
  await expect.poll(copied).toMatch(/^service_upload_\w{43}$/);
  await barriers();
  await tabTo("I saved the key");
  await press("Enter");
  await page.waitForURL("**/dashboard/library");
  // The walk makes a Free account's 60 requests of a minute in 15 seconds, and would then wait for the next minute at any step.
  await stack.setTier(email, "pro");

  // Upload by U and the file chooser.
  await told(/Drop/);
  const chooser = page.waitForEvent("filechooser");
  await barriers();
  await press("u");
  await (await chooser).setFiles([join(folder, "film.mp4"), ...pictures]);
  const tray = page.getByRole("region", { name: "Uploads" });
  await expect.poll(() => tray.getByRole("heading").textContent(), PATIENT).toBe("5 files uploaded");
  await counted("5 files");
  await barriers();
  await tabTo("Clear");
  await press("Enter");
  await tray.waitFor({ state: "detached" });

  // Find by /.
  await press("/");
  await type("picture");
  await counted("4 files");

  // Select three by Shift, and tag them.
  await tabToFiles();
  await press("Shift+ArrowRight", "Shift+ArrowRight");
  await counted("3 selected");
  await barriers();
  await press("t");
  await page.getByRole("dialog", { name: "Tags of 3 files" }).waitFor();
  await barriers();
  await type("press");
  await press("Enter", "Enter");
  await told("3 files tagged press");

  // Move them to a new folder, and undo the move.
  await press("n");
  await page.getByRole("dialog", { name: "New folder" }).waitFor();
  await barriers();
  await type("Clients");
  await press("Enter");
  const clients = (count: number) => page.getByRole("treeitem", { name: `Clients ${count}` }).waitFor();
  await clients(0);
  await tabToFiles();
  await press("Escape", "Shift+ArrowRight", "Shift+ArrowRight", "m");
  await page.getByRole("dialog", { name: "Move 3 files" }).waitFor();
  await barriers();
  await type("cli");
  await press("Enter");
  await told("3 files moved to Clients");
  await clients(3);
  await press("Control+z");
  await told("Undone");
  await clients(0);

  // Trash, and restore.
  await tabToFiles();
  await press("Escape", "Delete");
  await told("1 file moved to the trash");
  await press("g", "t");
  await page.waitForURL("**/dashboard/trash");
  await page.locator('[data-position="0"]').waitFor();
  await barriers();
  await tabToFiles();
  await press("r");
  await told("1 file restored");
  await told("The trash is empty");

  // Play and seek the film, and copy its link.
  await press("g", "l", "/");
  await type("film");
  await counted("1 file");
  await tabToFiles();
  await press("Enter");
  await expect.poll(() => film("readyState"), PATIENT).toBeGreaterThanOrEqual(1);
  await press("Space");
  await expect.poll(() => film("currentTime"), PATIENT).toBeGreaterThan(0.2);
  await press("Space");
  await expect.poll(() => film("paused")).toBe(true);
  await barriers();
  const before = await film("currentTime");
  await press(".");
  await expect.poll(() => film("currentTime")).toBeGreaterThan(before);
  await press("c");
  await told("Link copied");
  const link = await copied();
  expect((await fetch(link)).headers.get("Content-Type")).toBe("video/mp4");

  // Make it private: its plain link is refused, and a copied link opens it for an hour. Undo that.
  await press("p");
  await expect.poll(async () => (await fetch(link)).status).toBe(403);
  await tabTo("Copy link", "Shift+Tab");
  await press("Enter");
  await page.getByRole("menuitem", { name: "For 1 hour" }).waitFor();
  await barriers();
  await press("Home", "Enter");
  await told("It works for 1 hour.");
  const signed = await copied();
  const opened = await fetch(signed);
  expect([opened.headers.get("Content-Type"), opened.headers.get("Cache-Control")]).toEqual([
    "video/mp4",
    expect.stringMatching(/^private, max-age=\d+/),
  ]);
  const until = Number(new URL(signed).searchParams.get("exp"));
  expect(until * 1000 - Date.now()).toBeGreaterThan(59 * 60_000);
  await expect.poll(focused).toBe("Copy link");
  await press("Control+z");
  await expect.poll(async () => (await fetch(link)).status).toBe(200);
  await tabTo("film.mp4");
  // The player loads the other link meanwhile, and does not seek before.
  const seek = async () => {
    await press("ArrowRight");
    return film("currentTime");
  };
  await expect.poll(seek, PATIENT).toBeGreaterThan(before + 2);
  await tabTo("Info", "Shift+Tab");
  await press("Escape");
  await page.locator("[role=dialog]:has(h1)").waitFor({ state: "detached" });
  await expect.poll(() => read("document.activeElement.dataset.position")).toBe("0");

  // Change the quality.
  await press("g", "s");
  await page.waitForURL("**/dashboard/settings");
  await page.getByRole("heading", { name: "Compression" }).waitFor();
  await barriers();
  await tabTo(/^Compress images on upload/);
  await press("Space");
  await tabTo(/^Balanced/);
  await press("ArrowRight");
  expect(await focused()).toMatch(/^Optimized 50/);
  await barriers();
  await tabTo("Save");
  await press("Enter");
  await told("Images are compressed at quality 50");

  // Log out.
  await tabTo(/^Account:/, "Shift+Tab");
  await press("Enter");
  await page.getByRole("menu").waitFor();
  await barriers();
  await press("End", "Enter");
  await page.waitForURL("**/dashboard/login");
  await barriers();
  expect(problems).toEqual([]);
}, 400_000);
