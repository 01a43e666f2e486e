import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { makePicture } from "../support/dashboard/holiday.ts";
import { submitLogIn } from "../support/dashboard/log-in.ts";
import { walkByTab } from "../support/dashboard/tab-path.ts";
import { Stack } from "../support/stack/stack.ts";

// A window of 1280 by 1024 pixels at 400 % zoom is 320 by 256 CSS pixels. The dashboard is used there by mouse and keyboard.

const PATIENT = { timeout: 60_000 };
const kinds = new Set<string>();

let stack: Stack;
let browser: Browser;
let folder: string;
let page: Page;
let problems: readonly string[];
let who: { readonly email: string; readonly password: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "media-host-zoom-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser(), makePicture(join(folder, "harbour.png"), 1)]);
  const { pro, password } = await stack.demoAccounts();
  who = { email: pro.email, password };
  ({ page, problems } = await openPage(browser, { viewport: { width: 320, height: 256 }, reducedMotion: "reduce" }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Checks the page: one direction to scroll in, and no control that a bar covers when it has the focus. */
async function expectUsable(step: string): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth"), step).toBeLessThanOrEqual(320);
  expect(await walkByTab(page, kinds), step).toEqual([]);
  expect(await page.evaluate("scrollX + document.documentElement.scrollLeft"), step).toBe(0);
}
const tile = () => page.locator('[data-position="0"]');
const told = (text: string) => page.getByText(text).first().waitFor(PATIENT);

it("A file is uploaded, opened, renamed and deleted at 400 % zoom, and the user logs out", async () => {
  await page.goto(`${stack.baseUrl}/dashboard/login`);
  await page.getByRole("button", { name: "Log in" }).waitFor();
  await expectUsable("log in");
  await submitLogIn(page, who);
  await told("Drop your first files here");
  await page.locator('[aria-label="More ways to upload"]').waitFor();
  await expectUsable("empty library");

  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "Upload" }).click();
  await (await chooser).setFiles([join(folder, "harbour.png")]);
  await told("1 file uploaded");
  await tile().waitFor();
  await expectUsable("uploaded");
  const tray = page.getByRole("region", { name: "Uploads" });
  await tray.getByRole("button", { name: "Clear" }).click();
  await tray.waitFor({ state: "detached" });

  await tile().click();
  const file = page.getByRole("dialog", { name: "harbour.png" });
  await file.getByRole("button", { name: "Copy link" }).waitFor();
  await expectUsable("file");
  await file.getByRole("button", { name: "Close" }).click();
  await file.waitFor({ state: "detached" });

  await tile().click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Rename/ }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  // The name without its ending is selected.
  await name.pressSequentially("pier");
  await name.press("Enter");
  await told("Renamed to");
  // The menu has selected the file.
  await tile().press("Escape");
  await tile().click();
  await page.getByRole("dialog", { name: "pier.png" }).getByRole("button", { name: "Move to the trash" }).click();
  await told("1 file moved to the trash");

  await page.getByRole("button", { name: "Menu" }).click();
  await page
    .getByRole("navigation", { name: "Library" })
    .getByRole("link", { name: /^Trash/ })
    .click();
  await tile().waitFor();
  // The message ends after some seconds.
  await page.getByText("1 file moved to the trash").first().waitFor({ state: "detached" });
  await expectUsable("trash");
  await page.getByRole("button", { name: "Empty the trash" }).click();
  const asking = page.getByRole("dialog", { name: /permanently/ });
  await asking.waitFor();
  await expectUsable("delete");
  await asking.getByRole("button", { name: /^Delete/ }).click();
  await told("The trash is empty");

  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await page.waitForURL("**/dashboard/login**");
  expect(problems).toEqual([]);
}, 300_000);
