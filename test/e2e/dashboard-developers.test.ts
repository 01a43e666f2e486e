import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { runShell } from "../support/dashboard/shell.ts";
import { Stack } from "../support/stack/stack.ts";

// The page Developers and its sections, in a browser against the whole stack. `dashboard-keys` and `dashboard-pages` test keys and webhooks.

let stack: Stack;
let browser: Browser;
let folder: string;
let token: string;
let pro: { readonly email: string; readonly password: string; readonly apiKey: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-developers-"));
  [stack, browser] = await Promise.all([Stack.start(), openBrowser(), makePhoto(join(folder, "photo.jpg"))]);
  const accounts = await stack.demoAccounts();
  pro = { ...accounts.pro, password: accounts.password };
  token = (await send<{ token: string }>("POST", "/auth/login", { email: pro.email, password: pro.password })).token;
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

/** Sends a request as the account's owner, as from another tab. */
async function send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const answer = await fetch(stack.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
  return (await answer.json()) as Answer;
}

async function uploadWith(credential: string): Promise<Response> {
  const body = new FormData();
  body.append("file", new Blob([await readFile(join(folder, "photo.jpg"))]), "photo.jpg");
  const headers = { Authorization: `Bearer ${credential}` };
  return fetch(`${stack.baseUrl}/images/upload`, { method: "POST", headers, body });
}

async function upload(): Promise<{ _id: string }> {
  return (await (await uploadWith(pro.apiKey)).json()) as { _id: string };
}

/** Serves a page of another origin. */
async function serve(html: string) {
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** A stream asks every five seconds. */
const PATIENT = { timeout: 30_000 } as const;

describe("sections", () => {
  it("The sections are reached by their links, by the palette and by the browser's history", async () => {
    const { page, problems } = await open("/library");
    await page.getByRole("navigation", { name: "Library" }).getByRole("link", { name: "Developers" }).click();
    const sections = page.getByRole("navigation", { name: "Developers" });
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    expect(await sections.getByRole("link", { name: "Keys" }).getAttribute("aria-current")).toBe("page");
    expect(await page.title()).toBe("Keys · Media host");
    await sections.getByRole("link", { name: "Webhooks" }).press("Enter");
    await page.getByRole("region", { name: "Webhooks" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/dashboard/developers/webhooks");
    expect(await page.title()).toBe("Webhooks · Media host");
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

describe("upload tokens", () => {
  it("A token is made with limits, tried in the page, counted, and revoked", async () => {
    const { page, problems } = await open("/developers/upload-tokens");
    const section = page.getByRole("region", { name: "Upload tokens" });
    await section.getByRole("heading", { name: "No upload token" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "upload-tokens-empty");
    await section.getByRole("button", { name: "New token" }).press("Enter");
    const form = page.getByRole("dialog", { name: "New upload token" });
    // The first field has the focus.
    await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('name')")).toBe("maxFiles");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("1");
    await form.getByLabel("Most MB, together").fill("");
    await form.getByText("A visitor can fill your storage").waitFor();
    await form.getByLabel("Most MB, together").fill("20");
    await form.getByRole("radio", { name: "Images" }).check({ force: true });
    await form.getByText("Tags, visibility, pages").click();
    await form.getByLabel("Tags of each file").fill("guest, party");
    await form.getByLabel("Pages that may use it").fill("shop.example");
    await form.getByRole("button", { name: "Create token" }).click();
    await form.getByText("shop.example is not an origin, such as https://shop.example").waitFor();
    await form.getByLabel("Pages that may use it").fill("");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "upload-token-form");
    await form.getByRole("button", { name: "Create token" }).click();

    const made = page.getByRole("dialog", { name: "Upload token created" });
    const secret = (await made.getByLabel("Token", { exact: true }).textContent()) ?? "";
    expect(secret).toMatch(/^service_token_/);
    const html = (await made.getByRole("region", { name: "HTML" }).textContent()) ?? "";
    expect(html).toContain(`token="${secret}"`);
    const chooser = page.waitForEvent("filechooser");
    await made.getByRole("button", { name: /^Choose/ }).click();
    await (await chooser).setFiles([join(folder, "photo.jpg")]);
    await made.getByText("Uploaded", { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "upload-token-made");
    await made.getByRole("button", { name: "Done" }).click();
    await made.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);

    const row = section.getByRole("listitem");
    await expect.poll(() => row.textContent()).toMatch(/1 file, 20 MB, images.*1 of 1 file used.*Tags guest, party/);
    await row.getByText("Used up: it stores no more files.").waitFor();
    await takeScreenshots(page, "upload-tokens");
    const { images } = await send<{ images: { tags: string[] }[] }>("GET", "/images?folderId=all");
    expect(images[0]?.tags).toEqual(["guest", "party"]);
    expect((await uploadWith(secret)).status).toBe(403);
    await row.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await section.getByRole("heading", { name: "No upload token" }).waitFor();
    expect((await uploadWith(secret)).status).toBe(401);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("The HTML of a new token uploads from a page of another origin", async () => {
    const { page, problems } = await open("/developers/upload-tokens");
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    const html = (await page.getByRole("region", { name: "HTML" }).textContent()) ?? "";
    await using shop = await serve(`<!doctype html><title>Shop</title>${html}`);
    const visitor = await openPage(browser);
    await visitor.page.goto(shop.url);
    const chooser = visitor.page.waitForEvent("filechooser");
    await visitor.page.getByRole("button", { name: /^Choose/ }).click();
    await (await chooser).setFiles([join(folder, "photo.jpg")]);
    await visitor.page.getByText("Uploaded", { exact: true }).waitFor();
    // The figures are read again when the owner returns to the tab.
    await page.getByRole("button", { name: "Done" }).click();
    await expect
      .poll(
        async () => {
          await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
          return page.getByRole("region", { name: "Upload tokens" }).getByRole("listitem").first().textContent();
        },
        { timeout: 20_000 },
      )
      .toContain("1 of 5 files used");
    expect([...problems, ...visitor.problems]).toEqual([]);
    await visitor.page.context().close();
    await page.context().close();
  });

  it("A token for other pages is not tried here, and the list shows that another tab has revoked it", async () => {
    const { page, problems } = await open("/developers/upload-tokens");
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByText("Tags, visibility, pages").click();
    await page.getByLabel("Pages that may use it").fill("https://shop.example, https://blog.example");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByText("This page is none of the token's pages").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    const rows = page.getByRole("list", { name: "Upload tokens" }).getByRole("listitem");
    const row = rows.filter({ hasText: "Only https://shop.example, https://blog.example" });
    await row.waitFor();
    const { uploadTokens } = await send<{ uploadTokens: { _id: string; origins: string[] }[] }>(
      "GET",
      "/upload-tokens",
    );
    const id = uploadTokens.find(({ origins }) => origins.length === 2)?._id ?? "";
    await send("DELETE", `/upload-tokens/${id}`);
    await row.getByRole("button", { name: /^Revoke/ }).click();
    const asking = page.getByRole("dialog");
    await asking.getByRole("button", { name: "Revoke" }).click();
    await row.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("upload tokens without a network", () => {
  it("A token that a user creates without a network is made once, when the network is back", async () => {
    const { page } = await open("/developers/upload-tokens");
    const tokens = async () => (await send<{ uploadTokens: object[] }>("GET", "/upload-tokens")).uploadTokens.length;
    const before = await tokens();
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByText("Tags, visibility, pages").waitFor();
    await page.context().setOffline(true);
    const create = page.getByRole("button", { name: "Create token" });
    await create.click();
    await create.and(page.locator("[aria-busy]")).waitFor();
    await create.click({ force: true });
    expect(await tokens()).toBe(before);
    await page.context().setOffline(false);
    const made = page.getByRole("dialog", { name: "Upload token created" });
    expect(await made.getByLabel("Token", { exact: true }).textContent()).toMatch(/^service_token_/);
    expect(await tokens()).toBe(before + 1);
    await page.context().close();
  });
});

describe("events", () => {
  const list = (page: Page) => page.getByRole("list", { name: "Events" }).getByRole("listitem");

  it("Events appear as they happen, are filtered by type, and are shown as JSON", async () => {
    const { page, problems } = await open("/developers/events");
    const section = page.getByRole("region", { name: "Events" });
    await section.getByRole("heading", { name: "No events yet" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "events-empty");
    const { _id } = await upload();
    await section.getByText("upload.completed").waitFor();
    await send("POST", "/images/bulk-trash", { ids: [_id] });
    await expect.poll(() => list(page).first().textContent(), PATIENT).toMatch(/image\.trashed.*photo\.jpg/);
    await expect.poll(() => section.getByRole("status").textContent()).toBe("Live, 2 events");
    const line = list(page).first().locator("summary");
    await line.focus();
    await page.keyboard.press("Enter");
    const json = section.getByRole("region", { name: "image.trashed as JSON" });
    expect(JSON.parse((await json.textContent()) ?? "")).toMatchObject({ type: "image.trashed", data: { _id } });
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "events");
    await section.getByLabel("Type").selectOption("Upload completed");
    await expect.poll(() => list(page).count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?type=upload.completed");
    // The address keeps the filter, and the service the events.
    await page.reload();
    await expect.poll(() => section.getByRole("status").textContent(), PATIENT).toBe("Live, 1 event");
    await section.getByLabel("Type").selectOption("Usage alert");
    await section.getByRole("heading", { name: "No events of this type" }).waitFor();
    await section.getByLabel("Type").selectOption("All events");
    await list(page).first().locator("summary").click();
    await section.getByRole("link", { name: "Open the file" }).click();
    await page.waitForURL(`**/dashboard/library/${_id}`);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A hidden tab asks for nothing, and shows the missed events when it is visible again", async () => {
    const { page, problems } = await open("/developers/events");
    await list(page).first().waitFor();
    const before = await list(page).count();
    // Headless Chromium reports every tab as visible.
    const show = (state: "hidden" | "visible") =>
      page.evaluate(`
        Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
    await show("hidden");
    let asked = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/events") asked += 1;
    });
    await upload();
    await page.waitForTimeout(6000);
    expect(asked).toBe(0);
    await show("visible");
    await expect.poll(() => list(page).count(), PATIENT).toBe(before + 1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A paused stream asks for nothing, and shows the missed events when it is resumed", async () => {
    const { page, problems } = await open("/developers/events");
    const section = page.getByRole("region", { name: "Events" });
    await expect.poll(() => section.getByRole("status").textContent(), PATIENT).toMatch(/^Live, \d+ events?$/);
    await section.getByRole("button", { name: "Clear" }).click();
    await section.getByRole("heading", { name: "No events yet" }).waitFor();
    await section.getByRole("button", { name: "Pause" }).click();
    await expect.poll(() => section.getByRole("status").textContent()).toBe("Paused, 0 events");
    let asked = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/events") asked += 1;
    });
    await upload();
    await page.waitForTimeout(6000);
    expect([asked, await list(page).count()]).toEqual([0, 0]);
    await section.getByRole("button", { name: "Resume" }).click();
    await section.getByText("upload.completed").waitFor();
    // The cleared events stay away.
    expect(await list(page).count()).toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A stream that loses the network reports it, keeps its events, and continues when the network is back", async () => {
    const { page } = await open("/developers/events");
    const section = page.getByRole("region", { name: "Events" });
    await list(page).first().waitFor();
    const before = await list(page).count();
    await page.context().setOffline(true);
    const problem = section.getByRole("alert").filter({ hasText: "The events could not be loaded" });
    await problem.waitFor();
    expect(await section.getByRole("status").textContent()).toMatch(/^Not connected, \d+ events?$/);
    expect(await list(page).count()).toBe(before);
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "events-offline");
    await upload();
    await page.context().setOffline(false);
    await problem.waitFor({ state: "detached" });
    await expect.poll(() => list(page).count(), PATIENT).toBe(before + 1);
    await page.context().close();
  });

  it("A stream that reaches the rate shows the error, and continues after the service's `Retry-After`", async () => {
    const { page, problems } = await open("/developers/events");
    const section = page.getByRole("region", { name: "Events" });
    await list(page).first().waitFor();
    const asked = await failFirst(page, { method: "GET", path: "**/events?*" }, (route) => refuseByRate(route, 9));
    const problem = section.getByRole("alert").filter({ hasText: "Rate limit exceeded" });
    await problem.waitFor();
    await problem.waitFor({ state: "detached" });
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(8000);
    await expect.poll(() => section.getByRole("status").textContent()).toMatch(/^Live/);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A session that ends asks for the password over the stream, which then continues", async () => {
    const { page, problems } = await open("/developers/events");
    await list(page).first().waitFor();
    const before = await list(page).count();
    await page.context().clearCookies();
    await page.getByRole("dialog", { name: "Log in again" }).waitFor();
    await upload();
    await submitLogIn(page, pro);
    await expect.poll(() => list(page).count(), PATIENT).toBe(before + 1);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("snippets", () => {
  it("The code has the key that was just made, and runs as it is copied", async () => {
    const { page, problems } = await open("/developers/snippets");
    const section = page.getByRole("region", { name: "Snippets" });
    const code = section.getByRole("region", { name: "curl", exact: true });
    expect(await code.textContent()).toContain("YOUR_KEY");
    await section.getByText("A key is shown only once").waitFor();
    await section.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("snippets");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "I saved the key" }).click();
    await section.getByText(/The code has the key .*snippets/).waitFor();
    await section.getByRole("button", { name: "Copy curl" }).click();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    const { output } = await runShell(copied, folder);
    expect(JSON.parse(output)).toMatchObject({ originalFilename: "photo.jpg" });

    // The arrow keys go through the languages. ShareX gets a file.
    await section.getByRole("tab", { name: "curl" }).focus();
    const seen: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      seen.push((await page.evaluate<string>("document.activeElement.textContent")) ?? "");
      if (seen.at(-1) !== "ShareX") expect(await section.getByRole("tabpanel").textContent()).toContain(stack.baseUrl);
      await page.keyboard.press("ArrowRight");
    }
    expect(seen).toEqual(["curl", "JavaScript", "React", "Next.js", "Python", "PHP", "Go", "ShareX"]);
    await section.getByRole("tab", { name: "Next.js" }).click();
    await section.getByRole("region", { name: "app/upload-token/route.ts" }).waitFor();
    for (const width of [390, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "snippets");

    // Another section keeps the key; a reload does not.
    await page.getByRole("navigation", { name: "Developers" }).getByRole("link", { name: "Keys" }).click();
    await page.getByRole("row", { name: /snippets/ }).waitFor();
    await page.goBack();
    expect(await code.textContent()).toContain("service_live_");
    await page.reload();
    await section.getByText("A key is shown only once").waitFor();
    expect(await page.content()).not.toContain("service_live_");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("The code loses a key that another tab has revoked", async () => {
    const { page, problems } = await open("/developers/snippets");
    const section = page.getByRole("region", { name: "Snippets" });
    await section.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("short life");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "I saved the key" }).click();
    await section.getByText(/The code has the key/).waitFor();
    const { keys } = await send<{ keys: { _id: string; name: string }[] }>("GET", "/keys");
    await send("DELETE", `/keys/${keys.find(({ name }) => name === "short life")?._id}`);
    // The list of keys is read again when the user returns to the tab.
    const code = section.getByRole("region", { name: "curl", exact: true });
    await expect
      .poll(async () => {
        await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
        return code.textContent();
      }, PATIENT)
      .toContain("YOUR_KEY");
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
