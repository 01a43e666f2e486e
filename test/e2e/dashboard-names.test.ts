import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { makePicture } from "../support/dashboard/holiday.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { ScreenReader } from "../support/dashboard/read-aloud.ts";
import { Stack } from "../support/stack/stack.ts";

// The ten main jobs by keys alone, as a screen reader reads them: names and roles of what has the focus, and announcements.

let stack: Stack;
let browser: Browser;
let folder: string;
let page: Page;
let reader: ScreenReader;
let problems: readonly string[];
let password: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-host-names-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser(), makePicture(join(folder, "harbour.png"), 1)]);
  const { pro, ...accounts } = await stack.demoAccounts();
  ({ password } = accounts);
  await createClient({ baseUrl: stack.baseUrl, key: pro.apiKey }).folders.create({ name: "Clients", parentId: null });
  ({ page, problems } = await openPage(browser));
  await openDashboard(page, stack.baseUrl, { email: pro.email, password });
  reader = await ScreenReader.open(page);
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
/** Waits until the focused element reads so. */
async function hears(spoken: string | RegExp): Promise<void> {
  const heard = expect.poll(() => reader.focused());
  if (typeof spoken === "string") await heard.toBe(spoken);
  else await heard.toMatch(spoken);
}
/** Waits until a live region reads so. */
const announces = (text: string) => expect.poll(() => reader.announced(), PATIENT).toContain(text);
/** Waits until a dialog or a message of this name is open. */
const opens = (name: string) => expect.poll(() => reader.dialogs(), PATIENT).toContain(name);

const PATIENT = { timeout: 60_000 };
/** A page has fewer stops. */
const MOST_STOPS = 80;

/** Presses Tab until the focused element reads so. */
async function reach(spoken: string | RegExp): Promise<void> {
  const heard: string[] = [];
  while (heard.length < MOST_STOPS) {
    await press("Tab");
    const now = await reader.focused();
    if (typeof spoken === "string" ? now === spoken : spoken.test(now)) return;
    heard.push(now);
  }
  throw new Error(`Tab does not reach ${spoken}, but ${heard.join("; ")}`);
}

/** Presses G and a key until the page is open. On a busy machine the second key may come later than a shortcut allows. */
async function goTo(key: string, path: string): Promise<void> {
  const open = async () => {
    if (new URL(page.url()).pathname !== path) await press("g", key);
    return new URL(page.url()).pathname;
  };
  await expect.poll(open, { timeout: 60_000, interval: 2000 }).toBe(path);
}

it("The ten main jobs are done by keys alone, and a screen reader reads each step", async () => {
  // 1. Upload.
  await reach("Upload, button");
  const chooser = page.waitForEvent("filechooser");
  // The browser is told to report its file chooser meanwhile.
  await hears("Upload, button");
  await press("Enter");
  await (await chooser).setFiles([join(folder, "harbour.png")]);
  await announces("1 file uploaded");

  // 2. Find.
  await press("/");
  await hears("Search files, searchbox");
  await type("harbour");
  await announces("1 file");

  // 3. Open.
  await reach(/^harbour\.png, PNG image, 320 by 240, \d+ B, \d+ \w+ \d{4}, gridcell$/);
  await press("Enter");
  await opens("harbour.png");
  await reach("Favourite, button");
  await reach("Copy link, button");
  await press("Escape");
  await hears(/^harbour\.png, PNG image/);

  // 4. Rename.
  await press("F2");
  await hears("Name, textbox");
  await type("pier");
  await press("Enter");
  await opens("Renamed to pier.png");
  await hears(/^pier\.png, PNG image/);

  // 5. Move.
  await press("m");
  await opens("Move 1 file");
  await hears("Find a folder, combobox");
  await type("cli");
  await press("Enter");
  await opens("1 file moved to Clients");
  await hears(/^pier\.png, PNG image/);

  // 6. Tag.
  await press("t");
  await opens("Tags of 1 file");
  await hears("Add tags, textbox (Press Enter to add a tag, and again to save.)");
  await type("press");
  await press("Enter");
  await announces("Added: press");
  await press("Enter");
  await opens("1 file tagged press");
  await hears(/^pier\.png, PNG image, .*, tags press, gridcell$/);

  // 7. Share.
  await press("s");
  await opens("Share 1 file");
  await hears("Title, textbox");
  await type("Our pier");
  await press("Enter");
  await opens("1 file shared");
  await reach("Copy link, button");
  await press("Escape");
  await hears(/^pier\.png, PNG image/);

  // 8. Delete, and restore.
  await press("Delete");
  await opens("1 file moved to the trash");
  await goTo("t", "/dashboard/trash");
  await reach(/^pier\.png, PNG image/);
  await press("r");
  await opens("1 file restored");

  // 9. Make a key.
  await goTo("k", "/dashboard/developers");
  await reach("New key, button");
  await press("Enter");
  await opens("New key");
  await hears(
    "Name, textbox, required (The program that uses the key, such as website, backup or ShareX on the laptop.)",
  );
  await type("scripts");
  await press("Enter");
  await opens("Key “scripts” created");
  await hears("Copy key, button");
  await reach("I saved the key, button");
  await press("Enter");
  await hears("New key, button");

  // 10. Change the password.
  await goTo("s", "/dashboard/settings");
  await reach("Account, link");
  await press("Enter");
  await page.waitForURL("**/dashboard/settings/account");
  await reach("Current password, textbox, required");
  await type(password);
  await press("Tab");
  await hears("Show password, button");
  await press("Tab");
  await hears("New password, textbox, required (At least 8 characters)");
  await type("another horse battery");
  await hears("New password, textbox, required (Good)");
  await reach("Change password, button");
  await press("Enter");
  await opens("Password changed");
  expect(problems).toEqual([]);
}, 300_000);

it("Every stop of every page has a name and says what it is", async () => {
  for (const path of ["/library", "/trash", "/usage", "/developers", "/shares", "/settings", "/settings/account"]) {
    await page.goto(`${stack.baseUrl}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    const heard: string[] = [];
    while (heard.length < MOST_STOPS && heard.at(-1) !== "nothing") {
      await press("Tab");
      heard.push(await reader.focused());
    }
    const nameless = heard.filter((spoken) => /^no name|, generic/.test(spoken));
    expect(nameless, path).toEqual([]);
    expect(heard.length, path).toBeGreaterThan(10);
  }
}, 200_000);
