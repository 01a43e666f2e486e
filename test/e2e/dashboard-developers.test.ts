import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { Stack } from "../support/stack/stack.ts";

// The page Developers and its sections, in a browser against the whole stack. `dashboard-keys` and `dashboard-pages` test keys and webhooks.

let stack: Stack;
let browser: Browser;
let folder: string;
let pro: { readonly email: string; readonly password: string; readonly apiKey: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-developers-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser(), makePhoto(join(folder, "photo.jpg"))]);
  const accounts = await stack.demoAccounts();
  pro = { ...accounts.pro, password: accounts.password };
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function open(path: string) {
  const opened = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  await openDashboard(opened.page, stack.baseUrl, pro, path);
  return opened;
}

describe("sections", () => {
  it("The sections are reached by their links, by the palette and by the browser's history", async () => {
    const { page, problems } = await open("/library");
    await page.getByRole("navigation", { name: "Library" }).getByRole("link", { name: "Developers" }).click();
    const sections = page.getByRole("navigation", { name: "Developers" });
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    expect(await sections.getByRole("link", { name: "Keys" }).getAttribute("aria-current")).toBe("page");
    await sections.getByRole("link", { name: "Webhooks" }).press("Enter");
    await page.getByRole("region", { name: "Webhooks" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard/developers/webhooks");
    // The focus stays on the link, so that the arrow to the next section is one Tab away.
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("Webhooks");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("snippets");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Snippets" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.goBack();
    await page.getByRole("region", { name: "Webhooks" }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("Addresses of earlier versions lead to the keys", async () => {
    const { page, problems } = await open("/keys");
    await page.waitForURL("**/dashboard/developers");
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    const key = page.getByRole("row").nth(1).getByRole("link");
    const id = ((await key.getAttribute("href")) ?? "").split("/").at(-1);
    await page.goto(`${stack.baseUrl}/dashboard/keys/${id}`);
    await page.waitForURL(`**/dashboard/developers/keys/${id}`);
    await page.getByRole("heading", { name: "By endpoint" }).waitFor();
    await page.getByRole("link", { name: "All keys" }).click();
    await page.waitForURL("**/dashboard/developers");
    await page.goto(`${stack.baseUrl}/dashboard/developers/nothing`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("The API reference sends its requests with the session of the dashboard", async () => {
    const { page, problems } = await open("/developers");
    const [docs] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "API reference" }).click(),
    ]);
    const operation = docs.locator("#operations-accounts-getAccount");
    await operation.getByRole("button").first().click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).click();
    await docs.locator(".live-responses-table").getByText(pro.email).first().waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
