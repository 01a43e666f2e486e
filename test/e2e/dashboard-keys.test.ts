import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

// The limits of API keys in the dashboard: permissions, end and folder, in a browser against the whole stack.

let stack: Stack;
let browser: Browser;
let folder: string;
let pro: { readonly email: string; readonly password: string };
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-keys-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser(), makePhoto(join(folder, "photo.jpg"))]);
  const accounts = await stack.demoAccounts();
  pro = { email: accounts.pro.email, password: accounts.password };
  token = (await send("POST", "/auth/login", pro)).token;
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a request as the account's owner. */
async function send(method: string, path: string, body?: object): Promise<{ _id: string; token: string; key: string }> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(stack.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return (await answer.json()) as { _id: string; token: string; key: string };
}

/** Sends a request as a program. */
const asProgram = (key: string, ...args: readonly string[]) => curl("-H", `Authorization: Bearer ${key}`, ...args);

const upload = (key: string) =>
  asProgram(key, "-F", `file=@${join(folder, "photo.jpg")}`, `${stack.baseUrl}/images/upload`);

async function madeKey(page: Page, name: string): Promise<string> {
  const shown = page.getByRole("dialog", { name: `Key “${name}” created` });
  const secret = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
  return secret;
}

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 390] as const;

describe("A new key", () => {
  it("A key that is made without a choice can only upload, and never expires", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    // By keys alone: the dialog has the focus in the name.
    await page.getByRole("button", { name: "New key" }).press("Enter");
    await page.getByRole("dialog", { name: "New key" }).waitFor();
    await page.getByText("Recommended. The key can store files and nothing else.").waitFor();
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('name')")).toBe("name");
    await page.keyboard.type("screenshots");
    await page.keyboard.press("Enter");
    const secret = await madeKey(page, "screenshots");
    expect((await upload(secret)).status).toBe(201);
    expect((await asProgram(secret, `${stack.baseUrl}/images`)).status).toBe(403);
    await page.getByRole("button", { name: "I saved the key" }).press("Enter");
    const row = page.getByRole("row", { name: /screenshots/ });
    await expect.poll(() => row.textContent()).toMatch(/Upload files.*All.*Never/);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A key that only reads, for 30 days and one folder, reaches only that folder", async () => {
    const clients = await send("POST", "/folders", { name: "Clients" });
    const halden = await send("POST", "/folders", { name: "Halden", parentId: clients._id });
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("gallery");
    // The arrow keys choose: Upload only, Read only.
    await page.getByRole("radio", { name: "Upload only" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("It changes nothing.").waitFor();
    await page.getByLabel("Expires").selectOption("In 30 days");
    await page.getByRole("combobox", { name: "Folder" }).selectOption("Clients / Halden");
    await page.getByText("The key reaches this folder and the folders below it").waitFor();
    await page.getByRole("button", { name: "Create key" }).click();
    const secret = await madeKey(page, "gallery");
    // A key that cannot upload gets no code for uploads.
    expect(await page.getByRole("dialog").getByRole("region", { name: "curl" }).count()).toBe(0);
    const folders = (await asProgram(secret, `${stack.baseUrl}/folders`)).json<{ folders: { _id: string }[] }>()
      .folders;
    expect(folders.map(({ _id }) => _id)).toEqual([halden._id]);
    expect((await upload(secret)).status).toBe(403);
    await page.getByRole("button", { name: "I saved the key" }).click();
    const row = page.getByRole("row", { name: /gallery/ });
    await expect.poll(() => row.textContent()).toMatch(/View files, view folders.*Clients \/ Halden.*in 30 days/);
    await row.getByRole("link", { name: "gallery" }).click();
    await expect.poll(() => page.locator("#main").textContent()).toMatch(/Clients \/ Halden.*Expires.*in 30 days/);
    // Another tab deletes the folder.
    await send("DELETE", `/folders/${clients._id}`);
    await page.goto(`${stack.baseUrl}/dashboard/developers`);
    await expect.poll(() => row.textContent()).toContain("Deleted");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A key that ends on a day works until the day is over, and a day of the past is refused", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("until the fair");
    await page.getByLabel("Expires").selectOption("On a date");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Last day is required").waitFor();
    await page.getByLabel("Last day").fill("2020-02-01");
    await page.getByRole("button", { name: "Create key" }).click();
    expect(await page.getByLabel("Last day").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Last day").fill("2031-03-09");
    await page.getByRole("button", { name: "Create key" }).click();
    await madeKey(page, "until the fair");
    await page.getByRole("button", { name: "I saved the key" }).click();
    const row = page.getByRole("row", { name: /until the fair/ });
    await expect.poll(() => row.textContent()).toContain("9 Mar 2031");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each(THEMES)("The dialog has no accessibility fault, wide and narrow (%s)", async (colorScheme) => {
    const { page, problems } = await openPage(browser, { colorScheme });
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("radio", { name: "Everything" }).check({ force: true });
    await page.getByLabel("Expires").selectOption("On a date");
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      expect(await findBarriers(page)).toEqual([]);
    }
    if (colorScheme === "light") await takeScreenshots(page, "new-key");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("The keys page", () => {
  it("A key that expires while the page is open is shown as expired, and is refused", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    await page.getByRole("button", { name: "New key" }).waitFor();
    const { key } = await send("POST", "/keys", {
      name: "short-lived",
      scopes: ["upload"],
      expiresAt: new Date(Date.now() + 20_000).toISOString(),
    });
    await page.reload();
    const row = page.getByRole("row", { name: /short-lived/ });
    await row.waitFor();
    await row.getByText("Expired").waitFor();
    expect((await upload(key)).json()).toMatchObject({ code: "key_expired" });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        expect(await findBarriers(page)).toEqual([]);
      }
    }
    await takeScreenshots(page, "keys");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
