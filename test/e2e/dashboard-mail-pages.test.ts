import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { expireLinks, linkOf, mailsTo } from "../support/dashboard/mails.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// The pages that mailed links open, in a browser against the whole stack. All of it by keyboard.

const PASSWORD = "correct horse battery";
const OTHER_PASSWORD = "another horse battery";

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

async function send(path: string, body: object, token?: string): Promise<Response> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  return fetch(stack.baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Registers an account, whose address gets a mail. */
async function register(name: string): Promise<{ readonly email: string; readonly password: string }> {
  const who = { email: `${name}@example.com`, password: PASSWORD };
  expect((await send("/auth/register", who)).status).toBe(201);
  return who;
}

async function logIn(who: { email: string; password: string }): Promise<string> {
  return ((await (await send("/auth/login", who)).json()) as { token: string }).token;
}

/** Verifies an account's address, as its mail's link does. */
async function verify(email: string): Promise<void> {
  const token = (await linkOf(stack, email, "verify")).split("#")[1];
  expect((await send("/auth/verify", { token })).status).toBe(200);
}

/** Checks a state of a page with axe, light and dark, wide and narrow, and takes its pictures. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
  }
  await takeScreenshots(page, name);
}

const focused = (page: Page) => page.evaluate("document.activeElement?.textContent ?? ''");

const press = (page: Page, button: string) => page.getByRole("button", { name: button }).press("Enter");

/** Reloads the page by its link: the address alone would not load it again. */
async function follow(page: Page, link: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(link);
}

/** Makes the next request to a path fail like a lost network. */
async function loseNetwork(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, (route) => route.abort("internetdisconnected"), { times: 1 });
}

/** The error messages of the browser, except for the lost network, which the test causes. */
const others = (problems: readonly string[]) =>
  problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem));

describe("Verify the address", () => {
  it("The mailed link verifies the address, also when it is followed again, and the banner in another tab disappears", async () => {
    const who = await register("verify-once");
    const tab = await openPage(browser);
    await openDashboard(tab.page, stack.baseUrl, who, "/usage");
    const banner = tab.page.getByText("Verify your e-mail address.");
    await banner.waitFor();
    await inspect(tab.page, "verify-banner");
    const again = tab.page.getByRole("button", { name: "Send the mail again" });
    // A button of the design system.
    expect(await again.getAttribute("class")).toContain("button");
    const before = (await mailsTo(stack, who.email)).length;
    await again.press("Enter");
    await tab.page.getByText(`A mail to ${who.email} is on its way.`).waitFor();
    await expect.poll(async () => (await mailsTo(stack, who.email)).length).toBe(before + 1);

    const { page, problems } = await openPage(browser);
    const link = await linkOf(stack, who.email, "verify");
    await page.goto(link);
    await page.getByRole("button", { name: "Verify the address" }).waitFor();
    expect(new URL(page.url()).hash).toBe("");
    await inspect(page, "verify");
    await loseNetwork(page, "/auth/verify");
    await press(page, "Verify the address");
    await page.getByText("No answer came from the server.").waitFor();
    await inspect(page, "verify-lost");
    await press(page, "Verify the address");
    await page.getByText("Your address is verified.").waitFor();
    await expect.poll(() => focused(page)).toContain("Your address is verified.");
    await inspect(page, "verify-done");
    await tab.page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
    await banner.waitFor({ state: "detached" });

    // A used link is no error, because the address is verified.
    await follow(page, link);
    await press(page, "Verify the address");
    await page.getByText("Your address is verified.").waitFor();
    expect(others(problems)).toEqual([]);
    expect(tab.problems).toEqual([]);
    await page.context().close();
    await tab.page.context().close();
  });

  it("An expired verification link is refused, and another link that is pasted into the same tab works", async () => {
    const who = await register("verify-late");
    const expired = await linkOf(stack, who.email, "verify");
    await expireLinks(stack);
    const { page, problems } = await openPage(browser);
    await page.goto(expired);
    await press(page, "Verify the address");
    await page.getByText("The link is invalid, expired or used.").waitFor();
    await expect.poll(() => focused(page)).toContain("invalid, expired or used");
    expect(await page.getByRole("button").count()).toBe(0);
    await inspect(page, "verify-expired");
    await send("/auth/verify/resend", {}, await logIn(who));
    await expect.poll(async () => await linkOf(stack, who.email, "verify")).not.toBe(expired);
    await page.goto(await linkOf(stack, who.email, "verify"));
    await press(page, "Verify the address");
    await page.getByText("Your address is verified.").waitFor();
    await page.reload();
    await page.getByText("This page needs the link of your mail.").waitFor();
    await inspect(page, "verify-without");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("Forgotten password", () => {
  it("The mailed link sets a password that follows the rules, ends the sessions, and works once", async () => {
    const who = await register("forgetful");
    const tab = await openPage(browser);
    await openDashboard(tab.page, stack.baseUrl, who, "/usage");
    const { page, problems } = await openPage(browser);
    await page.goto(`${stack.baseUrl}/dashboard/login`);
    await page.getByRole("link", { name: "Forgot password?" }).press("Enter");
    await page.getByRole("heading", { name: "Reset your password" }).waitFor();
    await page.getByLabel("E-mail").fill("nobody");
    await press(page, "Send the link");
    await page.getByText("Enter an e-mail address such as name@example.com").waitFor();
    await inspect(page, "forgot");
    await page.getByLabel("E-mail").fill(who.email);
    await loseNetwork(page, "/auth/password/forgot");
    await press(page, "Send the link");
    await page.getByText("No answer came from the server.").waitFor();
    await press(page, "Send the link");
    await page.getByText("If the address has an account").waitFor();
    await expect.poll(() => focused(page)).toContain("If the address has an account");
    await inspect(page, "forgot-done");
    await press(page, "Use another address");
    await page.getByLabel("E-mail").waitFor();

    const link = await linkOf(stack, who.email, "reset");
    await page.goto(link);
    const field = page.getByLabel("New password");
    await field.fill("short");
    await press(page, "Set the password");
    await page.getByText("3 more characters are needed").waitFor();
    await field.fill("password123");
    await press(page, "Set the password");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await page.getByText(/common/).waitFor();
    await inspect(page, "reset-common");
    await field.fill(OTHER_PASSWORD);
    await loseNetwork(page, "/auth/password/reset");
    await press(page, "Set the password");
    await page.getByText("No answer came from the server.").waitFor();
    await inspect(page, "reset-lost");
    await press(page, "Set the password");
    await page.getByText("Your new password is set").waitFor();
    await expect.poll(() => focused(page)).toContain("Your new password is set");
    await inspect(page, "reset-done");
    await page.getByRole("link", { name: "Log in with the new password" }).press("Enter");
    await submitLogIn(page, { ...who, password: OTHER_PASSWORD });
    await page.locator("#main").waitFor();
    // The session of the other tab is over.
    await tab.page.evaluate(`document.querySelector('a[href="/dashboard/settings"]').click()`);
    await tab.page.getByRole("dialog", { name: "Log in again" }).waitFor();

    await follow(page, link);
    await field.fill(PASSWORD);
    await press(page, "Set the password");
    await page.getByText("The link is invalid, expired or used.").waitFor();
    await inspect(page, "reset-used");
    await page.getByRole("link", { name: "ask for another link", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Send the link" }).waitFor();
    expect(others(problems)).toEqual([]);
    await page.context().close();
    await tab.page.context().close();
  });

  it("An expired link sets no password", async () => {
    const who = await register("forgot-late");
    await send("/auth/password/forgot", { email: who.email });
    const link = await linkOf(stack, who.email, "reset");
    await expireLinks(stack);
    const { page, problems } = await openPage(browser);
    await page.goto(link);
    await page.getByLabel("New password").fill(OTHER_PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("The link is invalid, expired or used.").waitFor();
    expect((await send("/auth/login", who)).status).toBe(200);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A reached limit shows when to try again, and keeps the form", async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${stack.baseUrl}/dashboard/forgot`);
    await page.route("**/auth/password/forgot", (route) =>
      route.fulfill({
        status: 429,
        headers: { "Retry-After": "900" },
        json: {
          error: "Too many attempts. Try again in 15 minutes.",
          statusCode: 429,
          code: "too_many_attempts",
          details: { reason: "attempts", retryAfter: 900 },
        },
      }),
    );
    await page.getByLabel("E-mail").fill("someone@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Try again in 15 minutes.").waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe("someone@example.com");
    await inspect(page, "forgot-limited");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("Change of the address", () => {
  it("Both addresses confirm the change, each link once", async () => {
    const who = await register("moving");
    await verify(who.email);
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, who, "/settings/account");
    await page.getByLabel("New e-mail").fill("moved@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Follow the links in the mails to your present and your new address").waitFor();

    const link = await linkOf(stack, who.email, "confirm-email");
    await follow(page, link);
    await page.getByRole("button", { name: "Confirm the change" }).waitFor();
    await inspect(page, "confirm");
    await loseNetwork(page, "/auth/email/confirm");
    await press(page, "Confirm the change");
    await page.getByText("No answer came from the server.").waitFor();
    await inspect(page, "confirm-lost");
    await press(page, "Confirm the change");
    await page.getByText("Now follow the link in the mail to the new address.").waitFor();
    await inspect(page, "confirm-half");
    await follow(page, await linkOf(stack, "moved@example.com", "confirm-email"));
    await press(page, "Confirm the change");
    await page.getByText("The address is changed.").waitFor();
    await expect.poll(() => focused(page)).toContain("The address is changed.");
    await inspect(page, "confirm-done");
    await follow(page, link);
    await press(page, "Confirm the change");
    await page.getByText("The link is invalid, expired or used.").waitFor();
    await inspect(page, "confirm-used");
    await page.getByRole("link", { name: "account page" }).press("Enter");
    await page.getByText(/^moved@example\.com ·/).waitFor();
    expect(others(problems)).toEqual([]);
    await page.context().close();
  });

  it("An expired link of a change of the address changes nothing", async () => {
    const who = await register("staying");
    await verify(who.email);
    await send("/account/email", { email: "gone@example.com" }, await logIn(who));
    const link = await linkOf(stack, who.email, "confirm-email");
    await expireLinks(stack);
    const { page, problems } = await openPage(browser);
    await page.goto(link);
    await press(page, "Confirm the change");
    await page.getByText("The link is invalid, expired or used.").waitFor();
    expect((await send("/auth/login", who)).status).toBe(200);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
