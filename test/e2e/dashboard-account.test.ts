import type { Browser, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { totpCode } from "../../src/domain/totp.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, loseAnswer, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { endSession, openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { fromBase32 } from "../support/from-base32.ts";
import { Stack } from "../support/stack/stack.ts";

// Changes of the account while the network is lost, the session is over or the rate is reached, and as another tab shows them.

const PASSWORD = "correct horse battery";

let stack: Stack;
let browser: Browser;
let accounts = 0;

beforeAll(async () => {
  // Each test registers an account.
  [stack, browser] = await Promise.all([Stack.start({ ADDRESS_REGISTRATIONS_PER_HOUR: "1000" }), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

interface Change {
  /** The request that makes the change. */
  readonly method: "PATCH" | "POST" | "DELETE";
  readonly path: string;
  /** The page does not repeat it by itself after a lost network. */
  readonly isSentOnce?: true;
  /** Fills in the form. */
  readonly fill?: (page: Page) => Promise<void>;
  readonly button: string;
  /** Shown when the change is made. */
  readonly done: (page: Page) => Locator;
  /** The code that a log-in needs after the form is filled in. */
  readonly code?: (page: Page) => Promise<string>;
  /** Shown by another tab, if it shows the change. */
  readonly elsewhere?: (page: Page) => Locator;
}

const CHANGES: Readonly<Record<string, Change>> = {
  "of the name": {
    method: "PATCH",
    path: "/account",
    fill: (page) => page.getByLabel("Name", { exact: true }).fill("Ines Kallevik"),
    button: "Save",
    done: (page) => page.getByText("Name saved"),
    elsewhere: (page) => page.getByRole("button", { name: "Account: Ines Kallevik" }),
  },
  "of the address": {
    method: "POST",
    isSentOnce: true,
    path: "/account/email",
    fill: (page) => page.getByLabel("New e-mail").fill(`new-${accounts}@example.com`),
    button: "Change",
    done: (page) => page.getByText(/^Follow the links? in the mail/),
  },
  "of the password": {
    method: "PATCH",
    isSentOnce: true,
    path: "/account",
    fill: async (page) => {
      await page.getByLabel("Current password").fill(PASSWORD);
      await page.getByLabel("New password").fill("another horse battery");
    },
    button: "Change password",
    done: (page) => page.getByText("Password changed"),
  },
  "that adds a passkey": {
    method: "POST",
    isSentOnce: true,
    path: "/passkeys",
    fill: (page) => page.getByLabel("Name of a new passkey").fill("Laptop"),
    button: "Add passkey",
    done: (page) => page.getByText(/^Laptop · since/),
    elsewhere: (page) => page.getByText(/^Laptop · since/),
  },
  "that begins an authenticator app": {
    method: "POST",
    isSentOnce: true,
    path: "/account/totp",
    button: "Add authenticator app",
    done: (page) => page.getByRole("img", { name: "QR code for the app" }),
  },
  "that makes new recovery codes": {
    method: "POST",
    isSentOnce: true,
    path: "/account/totp/recovery-codes",
    fill: async (page) => {
      await addApp(page);
      await page.getByRole("button", { name: "New recovery codes" }).press("Enter");
    },
    code: async (page) => (await shownCodes(page))[0] ?? "",
    button: "Make new codes",
    done: (page) => page.getByText("The old recovery codes no longer work"),
  },
  "that ends the other sessions": {
    method: "DELETE",
    path: "/sessions/*",
    button: "End the session",
    done: (page) => page.getByText(/^Session ended/),
  },
};

/** The ways in which the change's first request fails. */
const LOST = "the network is lost before the request arrives";
const FAULTS: Readonly<Record<string, (page: Page, route: Route) => Promise<void>>> = {
  [LOST]: (_, route) => route.abort("internetdisconnected"),
  "the rate is reached": (_, route) => refuseByRate(route, 1),
  "the session is over": async (page, route) => {
    await endSession(page);
    await route.continue();
  },
};

/** Opens the account page of a new account, which has a second session. */
async function open() {
  accounts += 1;
  const who = { email: `account-${accounts}@example.com`, password: PASSWORD };
  const post = (path: string) =>
    fetch(stack.baseUrl + path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(who),
    });
  expect((await post("/auth/register")).status).toBe(201);
  const opened = await openPage(browser);
  await openDashboard(opened.page, stack.baseUrl, who, "/settings/account");
  const session = await opened.page.context().newCDPSession(opened.page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { ...opened, who };
}

/** Adds an authenticator app, by keys alone. @returns its recovery codes */
async function addApp(page: Page): Promise<string[]> {
  await confirmApp(page);
  return shownCodes(page);
}

async function confirmApp(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add authenticator app" }).press("Enter");
  const key = (await page.getByRole("region", { name: "Key for the app" }).textContent()) ?? "";
  await page.getByLabel("Code of the app").fill(await totpCode(fromBase32(key), Date.now()));
  await page.keyboard.press("Enter");
}

async function shownCodes(page: Page): Promise<string[]> {
  // A dialog hides the region from roles.
  return ((await page.getByLabel("Recovery codes", { exact: true }).textContent()) ?? "").split("\n");
}

const press = (page: Page, { button }: Change) =>
  page
    .getByRole("button", { name: new RegExp(`^${button}\\b`) })
    .first()
    .press("Enter");

describe.each(Object.entries(CHANGES))("A change %s", (name, change) => {
  it.each(Object.entries(FAULTS))(`A change ${name} is made although at first %s`, async (title, fail) => {
    const { page, who } = await open();
    await change.fill?.(page);
    let sent = 0;
    await page.route(`${stack.baseUrl}${change.path}`, async (route) => {
      if (route.request().method() !== change.method) return route.fallback();
      sent += 1;
      await (sent === 1 ? fail(page, route) : route.fallback());
    });
    await press(page, change);
    if (title === "the session is over") {
      const again = page.getByRole("dialog", { name: "Log in again" });
      await again.getByLabel("Password").fill(who.password);
      await page.keyboard.press("Enter");
      if (change.code !== undefined) {
        await again.getByLabel("Code").fill(await change.code(page));
        await page.keyboard.press("Enter");
      }
    }
    const problem = page.getByRole("alert").filter({ hasText: "No answer came from the server" });
    // A change that must not be made twice is not repeated without the user, and the typed text is still there.
    const isReported = title === LOST && change.isSentOnce === true;
    if (isReported) {
      await problem.waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(sent).toBe(1);
      await press(page, change);
    }
    await change.done(page).first().waitFor();
    expect(await problem.count()).toBe(0);
    expect(sent).toBe(2);
    await page.context().close();
  });

  it.skipIf(change.elsewhere === undefined)(`A change ${name} is seen in another tab`, async () => {
    const { page } = await open();
    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/settings/account`);
    await other.getByRole("heading", { name: "Sessions" }).waitFor();
    await change.fill?.(page);
    await press(page, change);
    await change.done(page).first().waitFor();
    await other.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
    await change.elsewhere?.(other).waitFor();
    await page.context().close();
  });
});

describe("A lost answer", () => {
  const shown = (page: Page, name: string) => page.getByRole("alert").filter({ hasText: name });

  it("A new password whose answer was lost is sent once and reported as not confirmed, and opens a session", async () => {
    const { page, who } = await open();
    const change = CHANGES["of the password"] as Change;
    await change.fill?.(page);
    const sent = await failFirst(page, { method: "PATCH", path: "**/account" }, loseAnswer);
    await press(page, change);
    const note = shown(page, "The new password was not confirmed");
    await note.getByText("Log in with the new password.").waitFor();
    expect(await page.getByText("Wrong password").count()).toBe(0);
    expect(sent).toHaveLength(1);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "password-lost");
    // The next try is refused, because the current password is the new one.
    await press(page, change);
    await page.getByText("Wrong password").waitFor();
    await note.waitFor();
    await page.getByRole("button", { name: "Log out" }).press("Enter");
    await page.getByRole("button", { name: "Log in" }).waitFor();
    await submitLogIn(page, { ...who, password: "another horse battery" });
    await page.locator("#main").waitFor();
    await page.context().close();
  });

  it("An authenticator app whose confirmation was lost is on, and the page offers new recovery codes", async () => {
    const { page } = await open();
    const sent = await failFirst(page, { method: "POST", path: "**/account/totp/confirm" }, loseAnswer);
    await confirmApp(page);
    const note = shown(page, "The app is on, but its recovery codes are not known");
    await note.getByText("Make new recovery codes").waitFor();
    expect(await page.getByRole("img", { name: "QR code for the app" }).count()).toBe(0);
    expect(sent).toHaveLength(1);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "totp-lost");
    await page.getByRole("button", { name: "New recovery codes" }).press("Enter");
    await page.getByRole("button", { name: "Make new codes" }).press("Enter");
    expect(await shownCodes(page)).toHaveLength(10);
    await note.waitFor({ state: "detached" });
    await page.context().close();
  });

  async function erase(page: Page, email: string) {
    await page.getByRole("button", { name: "Erase everything" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Erase your account?" });
    await dialog.getByLabel("Type your e-mail to confirm").fill(email);
    await dialog.getByLabel("Password").fill(PASSWORD);
    return dialog.getByRole("button", { name: "Erase everything" });
  }

  it("An erasure whose answer was lost is shown as done, without its receipt", async () => {
    const { page, who } = await open();
    const button = await erase(page, who.email);
    const sent = await failFirst(page, { method: "DELETE", path: "**/account" }, loseAnswer);
    await button.press("Enter");
    const erased = page.getByRole("dialog", { name: "Your account is erased" });
    await erased.getByText("The server's answer was lost, and the receipt with it.").waitFor();
    expect(sent).toHaveLength(2);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "erased-lost");
    await erased.getByRole("button", { name: "Close" }).press("Enter");
    await page.getByRole("button", { name: "Log in" }).waitFor();
    await page.context().close();
  });

  it("An erasure whose session is over asks for the password, and is then done with its receipt", async () => {
    const { page, who } = await open();
    const button = await erase(page, who.email);
    await endSession(page);
    await button.press("Enter");
    const again = page.getByRole("dialog", { name: "Log in again" });
    await again.getByLabel("Password").fill(who.password);
    await page.keyboard.press("Enter");
    await again.waitFor({ state: "detached" });
    await button.press("Enter");
    await page.getByRole("dialog", { name: "Your account is erased" }).getByText("/erasures/").waitFor();
    await page.context().close();
  });
});

describe("Recovery codes", () => {
  it("New recovery codes need a proof, replace the old ones, and open a session in their place", async () => {
    const { page, problems, who } = await open();
    const old = await addApp(page);
    expect(old).toHaveLength(10);
    let isProven = false;
    page.on("response", (response) => {
      if (response.url().endsWith("/auth/reauthenticate") && response.ok()) isProven = true;
    });
    const json = { error: "Confirm your password", statusCode: 403, code: "reauthentication_required" };
    await page.route("**/account/totp/recovery-codes", (route) =>
      isProven ? route.continue() : route.fulfill({ status: 403, json }),
    );
    await page.getByRole("button", { name: "New recovery codes" }).press("Enter");
    const asking = page.getByRole("dialog", { name: "Make new recovery codes?" });
    await asking.getByText("The old codes stop working at once.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await asking.getByRole("button", { name: "Make new codes" }).press("Enter");
    const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
    await proof.getByLabel("Password").fill(who.password);
    await page.keyboard.press("Enter");
    await page.getByText("The old recovery codes no longer work").waitFor();
    const codes = await shownCodes(page);
    expect(new Set([...old, ...codes]).size).toBe(20);
    await page.getByText("10 recovery codes left").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "recovery-codes");

    await page.getByRole("button", { name: "Log out" }).press("Enter");
    await page.getByRole("button", { name: "Log in" }).waitFor();
    await submitLogIn(page, who);
    await page.getByLabel("Code").fill(old[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByText("Wrong code").waitFor();
    await page.getByLabel("Code").fill(codes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.locator("#main").waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("New recovery codes of an app that another tab removed are refused in words", async () => {
    const { page, problems } = await open();
    await addApp(page);
    const other = await page.context().newPage();
    await other.goto(`${stack.baseUrl}/dashboard/settings/account`);
    await page.getByRole("button", { name: "New recovery codes" }).press("Enter");
    await other.getByRole("button", { name: "Remove authenticator app" }).press("Enter");
    await other.getByRole("button", { name: "Add authenticator app" }).waitFor();
    await page.getByRole("button", { name: "Make new codes" }).press("Enter");
    await page.getByRole("alert").filter({ hasText: "The account has no authenticator app" }).waitFor();
    await page.getByRole("button", { name: "Add authenticator app" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
