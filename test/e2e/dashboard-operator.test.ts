import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

// The dashboard of an account whose operator has acted: suspensions and takedowns, in a browser against the whole stack.

let stack: Stack;
let browser: Browser;
let folder: string;
let pro: { readonly email: string; readonly password: string; readonly apiKey: string };
let free: { readonly email: string; readonly password: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-operator-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser(), makePhoto(join(folder, "photo.jpg"))]);
  const { password, ...accounts } = await stack.demoAccounts();
  pro = { ...accounts.pro, password };
  free = { ...accounts.free, password };
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Checks the page with axe, light and dark, wide and narrow, and takes its pictures. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await findBarriers(page)).toEqual([]);
    }
  }
  await takeScreenshots(page, name);
}

it("A file that was taken down shows the reason in the grid and in its dialog, and is shown again when restored", async () => {
  const args = ["-H", `Authorization: Bearer ${pro.apiKey}`, "-F", `file=@${join(folder, "photo.jpg")}`];
  const { _id } = (await curl(...args, `${stack.baseUrl}/images/upload`)).json<UploadResult>();
  const taken = await stack.admin("take-down", _id, "Copyright, ticket 4711");
  const { page, problems } = await openPage(browser);
  await openDashboard(page, stack.baseUrl, pro);
  const tile = page.getByRole("link", { name: /^photo\.jpg, .*taken down/ });
  await tile.waitFor();
  await page.getByText("Taken down", { exact: true }).waitFor();
  await inspect(page, "taken-down-grid");
  await tile.press("Enter");
  const dialog = page.getByRole("dialog", { name: "photo.jpg" });
  await dialog.getByText("Reason: Copyright, ticket 4711").waitFor();
  await inspect(page, "taken-down");

  // The account page lists it, with a link to the file.
  await page.goto(`${stack.baseUrl}/dashboard/settings/account`);
  const list = page.getByRole("list", { name: "Files that were taken down" });
  await list.getByRole("listitem").filter({ hasText: "Reason: Copyright, ticket 4711" }).waitFor();
  expect(await list.getByRole("listitem").count()).toBe(1);
  await inspect(page, "taken-down-account");
  await list.getByRole("link", { name: "photo.jpg" }).press("Enter");
  await dialog.getByText("Reason: Copyright, ticket 4711").waitFor();
  const [, id = ""] = /id: '(\w+)'/.exec(taken) ?? [];
  await stack.admin("restore", id);
  await page.reload();
  await dialog.getByRole("img", { name: "photo.jpg" }).waitFor();
  await page.goto(`${stack.baseUrl}/dashboard/settings/account`);
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await list.count()).toBe(0);
  expect(problems).toEqual([]);
  await page.context().close();
});

it("A suspended account shows the reason at the log-in and on each page, and continues when the operator lifts the suspension", async () => {
  const { page, problems } = await openPage(browser);
  await openDashboard(page, stack.baseUrl, free, "/usage");
  await stack.admin("suspend", free.email, "Spam, ticket 12");
  await page.evaluate(`document.querySelector('a[href="/dashboard/settings"]').click()`);
  const banner = page.getByText("This account is suspended.");
  await banner.waitFor();
  await page.getByText("The operator's reason: Spam, ticket 12.").waitFor();
  await inspect(page, "suspended");
  // A reload, and another tab, show it too.
  await page.reload();
  await banner.waitFor();
  const visitor = await openPage(browser);
  await visitor.page.goto(`${stack.baseUrl}/dashboard/login`);
  await submitLogIn(visitor.page, free);
  await visitor.page.getByText("The operator has suspended this account: Spam, ticket 12.").waitFor();
  await inspect(visitor.page, "suspended-log-in");

  const again = page.getByRole("button", { name: "Try again" });
  const answered = page.waitForResponse((response) => response.url().endsWith("/account"));
  await again.press("Enter");
  expect((await answered).status()).toBe(403);
  await banner.waitFor();
  await stack.admin("unsuspend", free.email, "Resolved");
  await again.press("Enter");
  await banner.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Account: Free demo/ }).waitFor();
  await submitLogIn(visitor.page, free);
  await visitor.page.locator("#main").waitFor();
  expect(problems).toEqual([]);
  expect(visitor.problems).toEqual([]);
  await page.context().close();
  await visitor.page.context().close();
});
