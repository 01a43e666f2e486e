import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage, watch } from "../support/dashboard/browser.ts";
import { failFirst, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { endSessionAt, openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// The dashboard's shell, in a browser against the whole stack. Each test fails if the browser reports an error.

let stack: Stack;
let browser: Browser;
let pro: { readonly email: string; readonly password: string };

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const accounts = await stack.demoAccounts();
  pro = { email: accounts.pro.email, password: accounts.password };
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(stack.baseUrl + path, { headers, redirect: "manual" });

/** Only logged-in users see the sidebar. */
const sidebar = (page: Page) => page.getByRole("navigation", { name: "Library" });
const path = (page: Page) => new URL(page.url()).pathname;

describe("root address", () => {
  it("The root address redirects browsers to the dashboard, and answers programs 404", async () => {
    const home = await get("/", { Accept: "text/html,*/*" });
    expect([home.status, home.headers.get("Location")]).toEqual([302, "/dashboard/library"]);
    expect(await (await get("/", { Accept: "*/*" })).json()).toEqual({
      error: "Not found",
      code: "not_found",
      statusCode: 404,
    });
    expect((await fetch(`${stack.baseUrl}/`, { method: "POST" })).status).toBe(404);
  });
});

describe("shell", () => {
  it("The shell has a policy at every path, which allows only our own files to run", async () => {
    const answer = await get("/dashboard/keys/01abc", { Accept: "text/html" });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-cache",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    const policy = answer.headers.get("Content-Security-Policy")?.split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        `img-src 'self' blob: ${stack.baseUrl}`,
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types share-worker",
      ]),
    );
    expect(await answer.text()).not.toMatch(/<style|<script(?![^>]*\ssrc=)/);
  });

  it("The shell is revalidated on each load, and its files are never requested again", async () => {
    const shell = await get("/dashboard/library");
    const etag = shell.headers.get("ETag") ?? "";
    expect((await get("/dashboard/library", { "If-None-Match": etag })).status).toBe(304);
    const files = (await shell.text()).match(/\/dashboard\/assets\/[^"]+/g) ?? [];
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) {
      const answer = await get(file);
      expect([file, answer.status, answer.headers.get("Cache-Control")]).toEqual([
        file,
        200,
        "public, max-age=31536000, immutable",
      ]);
      await answer.body?.cancel();
    }
    expect((await get("/dashboard/assets/gone-12345678.js")).status).toBe(404);
  });
});

describe("a new user", () => {
  it("A new user registers, is welcomed, logs out and needs the password to return", async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${stack.baseUrl}/dashboard/register`);
    await page.getByLabel("E-mail").fill("ines@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByLabel("Name").fill("Ines Kallevik");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/dashboard/welcome");
    const cookie = (await page.context().cookies()).find(({ name }) => /session$/.test(name));
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await page.goto(`${stack.baseUrl}/dashboard/usage`);
    await page.getByRole("button", { name: "Account: Ines Kallevik" }).click();
    const answer = page.waitForResponse("**/auth/logout");
    await page.getByRole("menuitem", { name: "Log out" }).click();
    expect(await (await answer).headerValue("Clear-Site-Data")).toBe('"cache"');
    await page.waitForURL("**/dashboard/login");
    await page.goto(`${stack.baseUrl}/dashboard/usage`);
    await page.waitForURL("**/dashboard/login?next=*");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A form shows its error under the field", async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${stack.baseUrl}/dashboard/login`);
    await submitLogIn(page, { email: "nobody@example.com", password: "wrong password" });
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/password/i);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("deep links", () => {
  it("A deep link continues after the log-in, with its search", async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${stack.baseUrl}/dashboard/library?q=cat&fav=1`);
    await page.waitForURL("**/dashboard/login?next=*");
    await submitLogIn(page, pro);
    await page.waitForURL("**/dashboard/library?q=cat&fav=1");
    await sidebar(page).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A deep link to another site is not followed", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${stack.baseUrl}/dashboard/login?next=//evil.example/dashboard/`);
    await submitLogIn(page, pro);
    await page.waitForURL("**/dashboard/library");
    await page.context().close();
  });
});

describe("a session that ends in another tab", () => {
  it("A session that ends in another tab shows the log-in over the page, which then continues", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/usage");
    const other = await page.context().newPage();
    const otherProblems = watch(other);
    await other.goto(`${stack.baseUrl}/dashboard/settings`);
    await other.getByRole("button", { name: /^Account:/ }).click();
    await other.getByRole("menuitem", { name: "Log out" }).click();
    await other.waitForURL("**/dashboard/login");

    const dialog = page.getByRole("dialog", { name: "Log in again" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await submitLogIn(page, pro);
    await dialog.waitFor({ state: "detached" });
    expect(path(page)).toBe("/dashboard/usage");
    expect([...problems, ...otherProblems]).toEqual([]);
    await page.context().close();
  });

  it("A page with unsent files loads again when another account logs in, and stores none of them there", async () => {
    const { page } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro);
    const accounts = await stack.demoAccounts();
    // The upload waits for another try when the other account logs in. A page with unsent files asks before it is left.
    await page.route("**/images/upload", (route) => route.fulfill({ status: 503, headers: { "Retry-After": "10" } }));
    const buffer = await readFile("docs/dashboard.webp");
    const file = { name: "only-mine.webp", mimeType: "image/webp", buffer };
    await page.getByLabel("Choose files to upload").setInputFiles(file);
    await page.getByText(/^Waiting \d+ s: the service is busy/).waitFor();
    await page.unroute("**/images/upload");

    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/login`);
    const loaded = page.waitForEvent("load");
    await submitLogIn(other, { email: accounts.free.email, password: accounts.password });
    await loaded;
    await page.getByRole("button", { name: /^Account:/ }).waitFor();
    await page.waitForTimeout(11_000);
    const stored = await page.evaluate(async () => await (await fetch("/images?folderId=all")).json());
    expect(stored).toMatchObject({ images: [] });
    await page.context().close();
  });
});

describe("a session that ends during an action", () => {
  it("A session that ends during an action asks for the password and then completes the action", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/settings/account");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Ines after the log-in");
    await endSessionAt(page, "PATCH");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Log in again" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.type")).toBe("password");
    await page.keyboard.type(pro.password);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Account: Ines after the log-in" }).waitFor();
    expect(await page.content()).not.toContain("Authorization header is required");
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe("Ines after the log-in");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("a session that ends under a dialog", () => {
  it("A session that ends under a dialog asks for the password over it, and the dialog continues", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("late");
    await endSessionAt(page, "POST");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Log in again" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.type")).toBe("password");
    await page.keyboard.type(pro.password);
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "Key “late” created" });
    expect(await shown.getByLabel("Key", { exact: true }).textContent()).toMatch(/^service_live_/);
    await shown.getByRole("button", { name: "I saved the key" }).click();
    await shown.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("failure to load", () => {
  it.each(["light", "dark"] as const)(
    "The page of a failure to load has no accessibility fault (%s)",
    async (colorScheme) => {
      const { page } = await openPage(browser, { colorScheme });
      await openDashboard(page, stack.baseUrl, pro, "/usage");
      await page.route(/\/(images|keys|stats|alerts|settings|logs)\b[^.]*$/, (route) =>
        route.request().resourceType() === "document"
          ? route.continue()
          : route.fulfill({ status: 403, json: { error: "Not today", statusCode: 403 } }),
      );
      for (const [address, title] of [
        ["/library", "The files could not be loaded"],
        ["/library/nothing", "The file could not be loaded"],
        ...["/usage", "/usage/log", "/developers", "/settings"].map((path) => [path, "Not today"] as const),
      ] as const) {
        await page.goto(`${stack.baseUrl}/dashboard${address}`);
        await page.getByText(title).first().waitFor();
        expect(await findBarriers(page), address).toEqual([]);
      }
      await page.context().close();
    },
  );
});

describe("a page that is loading", () => {
  it("A page appears complete, the old page stays until then, and other navigation still works", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/usage");
    const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    const goTo = async (name: string) => {
      await sidebar(page).getByRole("link", { name, exact: true }).click();
      await heading(name);
    };
    // Their files are in the browser's cache then.
    for (const name of ["Developers", "Settings", "Usage"]) await goTo(name);
    await page.reload();
    await heading("Usage");
    await page.evaluate(`
      window.empty = 0;
      const look = () => {
        if (document.querySelector("main h1:not(.loading-line)") === null) window.empty += 1;
        requestAnimationFrame(look);
      };
      look()`);
    const empty: number[] = [];
    for (const name of ["Developers", "Settings"]) {
      await goTo(name);
      empty.push(await page.evaluate("window.empty"));
      await page.evaluate("window.empty = 0");
    }
    // A busy machine may take longer for a page than the dashboard waits.
    expect(Math.min(...empty)).toBe(0);

    await page.route(/assets\/developers-page-/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await route.continue();
    });
    await page.reload();
    await heading("Settings");
    const late = page.waitForResponse(/assets\/developers-page-/);
    await page.evaluate(
      `for (const name of ["developers", "usage"]) document.querySelector('nav a[href$="/' + name + '"]').click()`,
    );
    await heading("Usage");
    await late;
    await page.waitForTimeout(200);
    expect(path(page)).toBe("/dashboard/usage");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A page whose code arrives late shows a moving line until then", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/library");
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route(/assets\/usage-page-.*js$/, async (route) => {
      await held;
      await route.continue();
    });
    await sidebar(page).getByRole("link", { name: "Usage", exact: true }).click();
    const line = page.getByRole("heading", { level: 1, name: "Loading" });
    await line.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    go();
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await line.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("keyboard", () => {
  it("The palette names the rows of the sidebar and the sections of Developers in their own words", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    const row = sidebar(page).locator("a:not(section a):has(> svg) > span:first-of-type");
    const section = page.getByRole("navigation", { name: "Developers" }).getByRole("link");
    await expect.poll(async () => [await row.count(), await section.count()]).toEqual([9, 5]);
    const [rows, sections] = [await row.allTextContents(), await section.allTextContents()];
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    const named = (await page.getByRole("option").allTextContents()).join("\n");
    for (const row of rows) expect(named).toMatch(new RegExp(`^${row}`, "m"));
    for (const section of sections) expect(named).toContain(`Developers: ${section}`);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("The shell is usable by keys: skip link, sidebar, palette, help, pages, menu, theme", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/usage");
    const focused = () =>
      page.evaluate<string>("document.activeElement?.textContent || document.activeElement?.ariaLabel");

    await page.reload();
    await sidebar(page).waitFor();
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement?.id")).toBe("main");
    await page.keyboard.press("Shift+Tab");
    await expect.poll(focused).toMatch(/^Account:/);

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("dark");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("combobox").waitFor({ state: "detached" });

    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.waitForURL("**/dashboard/developers");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("u");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(path(page)).toBe("/dashboard/developers");

    await page.getByRole("button", { name: /^Account:/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await expect.poll(focused).toMatch(/^Account:/);

    await page.reload();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("phone", () => {
  it("The sidebar is a drawer on a phone, which Escape closes, and the page under it is inert", async () => {
    const { page, problems } = await openPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await openDashboard(page, stack.baseUrl, pro, "/usage");
    expect(await sidebar(page).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Folders" }).click();
    await expect.poll(() => sidebar(page).isVisible()).toBe(true);
    expect(await page.evaluate("document.querySelector('main').inert")).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => sidebar(page).isVisible()).toBe(false);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("accessibility", () => {
  it("The shell has no accessibility fault: themes, widths, at 400 % and without motion", async () => {
    const { page, problems } = await openPage(browser, { reducedMotion: "reduce" });
    await openDashboard(page, stack.baseUrl, pro, "/usage");
    await page.getByRole("main").getByRole("meter", { name: "Storage" }).waitFor();
    await takeScreenshots(page, "shell");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // 1280 pixels at 400 % are 320.
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await findBarriers(page)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      }
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("banners", () => {
  it("A banner above the page reports that the device is offline", async () => {
    const { page } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/usage");
    await page.context().setOffline(true);
    await page.getByText("Offline.").waitFor();
    await page.context().setOffline(false);
    await page.getByText("Offline.").waitFor({ state: "detached" });
    await page.context().close();
  });

  it("A banner above the page reports the rate limit until the refused request is sent", async () => {
    const { page, problems } = await openPage(browser);
    const sent = await failFirst(page, { method: "GET", path: "**/stats/overview" }, (route) => refuseByRate(route, 4));
    // The wait for the banner starts now, because the page may have been open for a while.
    const waiting = page.getByText(/^Waiting \d s\./);
    await Promise.all([waiting.waitFor(), openDashboard(page, stack.baseUrl, pro, "/usage")]);
    await waiting.waitFor({ state: "detached" });
    await page.getByText("Pro", { exact: true }).first().waitFor();
    expect([sent.length, problems]).toEqual([2, []]);
    await page.context().close();
  });
});

describe("replaced files", () => {
  it("A file that a deployment replaced makes the page reload once", async () => {
    const { page } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/usage");
    let lost = 0;
    await page.route("**/assets/settings-page-*.js", (route) => {
      lost += 1;
      return lost === 1 ? route.abort() : route.continue();
    });
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    expect([lost, path(page)]).toEqual([2, "/dashboard/settings"]);

    await page.route("**/assets/developers-page-*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Developers" }).first().click();
    await page.getByRole("button", { name: "Reload" }).waitFor();
    await page.context().close();
  });
});
