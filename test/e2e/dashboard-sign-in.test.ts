import type { Browser, Page } from "playwright-core";
import { encode } from "uqr";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { totpCode } from "../../src/domain/totp.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// Sign-in in the dashboard, in a browser against the whole stack.

let stack: Stack;
let browser: Browser;
let pro: { readonly email: string; readonly password: string };
let free: typeof pro;

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const accounts = await stack.demoAccounts();
  pro = { email: accounts.pro.email, password: accounts.password };
  free = { email: accounts.free.email, password: accounts.password };
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

/** Answers `POST /keys` like the service does for a session of yesterday, until the user has given a proof. */
async function ageProof(page: Page): Promise<void> {
  let isProven = false;
  page.on("response", (response) => {
    if (response.url().endsWith("/auth/reauthenticate") && response.ok()) isProven = true;
  });
  await page.route("**/keys", (route) => {
    if (isProven || route.request().method() !== "POST") return route.continue();
    const json = {
      error: "Confirm your password to make this change",
      statusCode: 403,
      code: "reauthentication_required",
    };
    return route.fulfill({ status: 403, json });
  });
}

/** A browser's own authenticator, whose user is verified. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

async function logOut(page: Page): Promise<void> {
  await page.goto(`${stack.baseUrl}/dashboard/settings/account`);
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("button", { name: "Log in" }).waitFor();
}

/** Runs in the page: answers one challenge, and sends the answer twice. */
const SEND_TWICE = `(async () => {
  const headers = { "Content-Type": "application/json" };
  const post = (path, body = {}) => fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const options = await (await post("/auth/passkey/options")).json();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const answer = (await navigator.credentials.get({ publicKey })).toJSON();
  return Promise.all([1, 2].map(async () => (await post("/auth/passkey", answer)).status));
})()`;

describe("Passkeys", () => {
  it("A passkey is added, logs in without the password, proves who the user is, and is removed", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/settings/account");
    await addAuthenticator(page);
    await page.getByLabel("Name of a new passkey").fill("Laptop");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByText("Laptop · since").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await logOut(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.locator("#main").waitFor();
    // The same answer is refused a second time.
    const sent: number[] = await page.evaluate(SEND_TWICE);
    expect(sent.toSorted()).toEqual([200, 403]);
    await page.goto(`${stack.baseUrl}/dashboard/developers`);
    await ageProof(page);
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("Made after a passkey");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "Confirm with a passkey" }).click();
    await page.getByText(/^service_live_/).waitFor();
    await page.goto(`${stack.baseUrl}/dashboard/settings/account`);
    await page.getByRole("button", { name: "Remove passkey Laptop" }).click();
    await page.getByText("Laptop · since").waitFor({ state: "detached" });
    await logOut(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("The passkey is unknown").waitFor();
    expect(problems).toEqual([]);
  });
});

describe("Passwords", () => {
  it.each(["/register", "/login", "/settings/account"])(
    "Passwords that are typed into the fields of %s are shown on request, and hidden again",
    async (path) => {
      const { page, problems } = await openPage(browser);
      if (path.startsWith("/settings")) await openDashboard(page, stack.baseUrl, free, path);
      else await page.goto(`${stack.baseUrl}/dashboard${path}`);
      const fields = page.getByRole("textbox", { name: "password", exact: false });
      await page.locator("input[type=password]").first().waitFor();
      const hidden = await page.locator("input[type=password]").all();
      const names = await Promise.all(hidden.map((field) => field.getAttribute("name")));
      for (const name of names) {
        const field = page.locator(`input[name="${name}"]`);
        await field.fill("correct horse battery");
        await page.keyboard.press("Tab");
        expect(await page.evaluate("document.activeElement.textContent")).toBe("Show password");
        await page.keyboard.press("Space");
        expect(await field.getAttribute("type")).toBe("text");
        expect(await field.inputValue()).toBe("correct horse battery");
      }
      // Browsers give a field whose text is shown the role of a text field.
      await expect.poll(() => fields.count()).toBe(names.length);
      expect(await findBarriers(page)).toEqual([]);
      for (const name of names) {
        await page.locator(`input[name="${name}"] ~ button`).press("Space");
        expect(await page.locator(`input[name="${name}"]`).getAttribute("type")).toBe("password");
      }
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  it("A field for a new password shows the rule, then how strong the password is", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${stack.baseUrl}/dashboard/register`);
    const field = page.getByLabel("Password");
    await page.getByText("At least 8 characters").waitFor();
    for (const [password, words] of [
      ["password1", "Weak: add words or characters"],
      ["correct horse battery", "Good"],
      ["correct horse battery staple", "Strong"],
    ] as const) {
      await field.fill(password);
      await page.getByText(words, { exact: true }).waitFor();
      // Screen readers read the words with the field.
      const id = (await field.getAttribute("aria-describedby")) ?? "";
      expect(await page.locator(`[id="${id}"]`).textContent()).toBe(words);
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findBarriers(page)).toEqual([]);
      }
    }
    await takeScreenshots(page, "register-strength");
    await page.context().close();
  });
});

describe("Authenticator app", () => {
  it("The log-in form asks for the code of an account with an app, and accepts a recovery code", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/settings/account");
    await page.getByRole("button", { name: "Add authenticator app" }).click();
    const key = (await page.getByRole("region", { name: "Key for the app" }).textContent()) ?? "";
    const [secret = ""] = /[A-Z2-7]{32}/.exec(key) ?? [];
    // The QR code is of the link that the app gets, which has the same secret.
    const link = (await page.getByRole("link", { name: "open it on this device" }).getAttribute("href")) ?? "";
    expect(link).toContain(`secret=${secret}`);
    const drawn = await page.getByRole("img", { name: "QR code for the app" }).locator("path").getAttribute("d");
    expect(drawn?.match(/M\d+ \d+/g)).toEqual(darkModules(link));
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page)).toEqual([]);
    }
    await page.getByRole("img", { name: "QR code for the app" }).scrollIntoViewIfNeeded();
    await takeScreenshots(page, "totp");
    await page.getByLabel("Code of the app").fill(await totpCode(fromBase32(secret), Date.now()));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Save these recovery codes").waitFor();
    const [code = ""] = /[a-z2-7]{4}(-[a-z2-7]{4}){3}/.exec((await page.locator("#main").textContent()) ?? "") ?? [];
    await logOut(page);
    await submitLogIn(page, pro);
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.locator("#main").waitFor();
    await page.goto(`${stack.baseUrl}/dashboard/settings/account`);
    await page.getByText("9 recovery codes left").waitFor();
    await page.getByRole("button", { name: "Remove authenticator app" }).click();
    await page.getByRole("button", { name: "Add authenticator app" }).waitFor();
    expect(problems).toEqual([]);
  });
});

/** The dark modules of a text's QR code, as a path: "M4 4". */
function darkModules(text: string): string[] {
  const { data } = encode(text, { ecc: "M", border: 4 });
  return data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}`] : [])));
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = Array.from(text, (sign) => BASE32.indexOf(sign).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

describe("A change that needs a recent proof", () => {
  it("The dashboard asks for the password before a change that needs a proof, and then creates the key", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    await ageProof(page);
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("Made after a proof");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel("Password").fill("a wrong guess");
    await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
    await dialog.getByText("Wrong password").waitFor();
    await dialog.getByLabel("Password").fill(pro.password);
    await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(/^service_live_/).waitFor();
    expect(problems).toEqual([]);
  });

  it("A change that needs a proof fails with the service's message if the user closes the dialog", async () => {
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, pro, "/developers");
    await ageProof(page);
    await page.getByRole("button", { name: "New key" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("Never made");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByText("Confirm your password to make this change").waitFor();
    expect(problems).toEqual([]);
  });
});

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";

/** Logs in as a program does. @returns the session's token */
async function logInByProgram(who: typeof pro): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${stack.baseUrl}/auth/login`, { method: "POST", headers, body: JSON.stringify(who) });
  return ((await answer.json()) as { token: string }).token;
}

async function statusOf(token: string): Promise<number> {
  return (await fetch(`${stack.baseUrl}/account`, { headers: { Authorization: `Bearer ${token}` } })).status;
}

describe("Sessions", () => {
  it("The account page lists the open sessions, marks its own, ends one and then all others, by keys alone", async () => {
    const there = await openPage(browser, { userAgent: FIREFOX });
    await openDashboard(there.page, stack.baseUrl, free, "/usage");
    const tokens = [await logInByProgram(free), await logInByProgram(free)];
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, free, "/settings/account");
    const list = page.getByRole("list", { name: "Open sessions" });
    const rows = list.getByRole("listitem");
    await expect.poll(() => rows.first().textContent()).toMatch(/Chrome on .*This session.*Since/);
    const firefox = rows.filter({ hasText: "Firefox on Windows" });
    expect(await firefox.textContent()).toMatch(/Last seen .*Since/);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await findBarriers(page)).toEqual([]);
      }
    }
    await list.scrollIntoViewIfNeeded();
    await takeScreenshots(page, "sessions");
    await firefox.getByRole("button", { name: /^End the session Firefox on Windows/ }).press("Enter");
    await firefox.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Open sessions");
    // The other browser's next request finds no session.
    await there.page.evaluate(`document.querySelector('a[href="/dashboard/settings"]').click()`);
    await there.page.getByRole("dialog", { name: "Log in again" }).waitFor();
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200]);

    await page.getByRole("button", { name: "End all others" }).press("Enter");
    const asking = page.getByRole("dialog", { name: "End all other sessions?" });
    await asking.getByRole("button", { name: "End all others" }).press("Enter");
    await asking.waitFor({ state: "detached" });
    await expect.poll(() => rows.count()).toBe(1);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401]);
    expect(await page.getByRole("button", { name: "End all others" }).count()).toBe(0);
    expect(problems).toEqual([]);
    await there.page.context().close();
    await page.context().close();
  });

  it("A session that another tab ended leaves the list when this tab becomes visible, and ending it is no error", async () => {
    const token = await logInByProgram(free);
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, free, "/settings/account");
    const rows = page.getByRole("list", { name: "Open sessions" }).getByRole("listitem");
    await rows.nth(1).waitFor();
    const before = await rows.count();
    await fetch(`${stack.baseUrl}/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
    const buttons = rows.getByRole("button", { name: /^End the session/ });
    for (let left = await buttons.count(); left > 0; left--) {
      await buttons.first().press("Enter");
      await expect.poll(() => buttons.count()).toBeLessThan(left);
      // The focus moves after the row has left. A key pressed before that would go to the list.
      await expect
        .poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"))
        .toBe("Open sessions");
    }
    expect(before).toBeGreaterThan(1);
    expect(await page.getByText("The session could not be ended").count()).toBe(0);
    await logInByProgram(free);
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
    await expect.poll(() => rows.count()).toBe(2);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A reached rate delays the end of a session, and an ended session asks for the password first", async () => {
    const token = await logInByProgram(free);
    const { page, problems } = await openPage(browser);
    await openDashboard(page, stack.baseUrl, free, "/settings/account");
    const sent = await failFirst(page, { method: "DELETE", path: "**/sessions/*" }, async (route) => {
      await page.context().clearCookies();
      await refuseByRate(route, 1);
    });
    await page.getByRole("button", { name: "End all others" }).press("Enter");
    const asking = page.getByRole("dialog", { name: "End all other sessions?" });
    await asking.getByRole("button", { name: "End all others" }).press("Enter");
    const again = page.getByRole("dialog", { name: "Log in again" });
    await again.getByLabel("Password").fill(free.password);
    await page.keyboard.press("Enter");
    await again.waitFor({ state: "detached" });
    await asking.waitFor({ state: "detached" });
    // Refused by the rate, then without a session, then sent after the log-in. Each other session is a request.
    expect(sent.length).toBeGreaterThanOrEqual(3);
    await expect.poll(() => statusOf(token)).toBe(401);
    await expect.poll(() => page.getByRole("button", { name: "End all others" }).count()).toBeLessThan(2);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
