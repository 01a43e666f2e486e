import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { drawPicture } from "../support/dashboard/draw-picture.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { openReceiver } from "../support/dashboard/receiver.ts";
import { readShownNames } from "../support/dashboard/shown-names.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

// One action in each part of the dashboard, by mouse and keyboard, in a browser against the whole stack. The other walks test each part in depth.

const SCREENSHOTS = process.env.SCREENSHOTS ?? ".wrangler/screenshots";
const PATIENT = { timeout: 60_000 };
/** `Alps.jpg` is wide enough for a smaller size. */
const FILES = ["harbour.jpg", "Alps.jpg", "chart.png", "wave.webp"] as const;

let source: Server;
let stack: Stack;
let browser: Browser;
let page: Page;
let problems: readonly string[];
let host: Client;
let who: { readonly email: string; readonly password: string };
let other: { readonly email: string; readonly uploadKey: string };

beforeAll(async () => {
  const picture = await drawPicture(9).png().toBuffer();
  source = createServer((_, answer) => answer.end(picture)).listen(0, "127.0.0.1");
  [stack, browser] = await Promise.all([
    Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true" }),
    openBrowser(),
    once(source, "listening"),
  ]);
  const { pro, free, password } = await stack.demoAccounts();
  [who, other] = [{ email: pro.email, password }, free];
  host = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  await stack.admin("mark-operator", pro.email, "Works the reports");
  for (const [at, name] of FILES.entries()) {
    const format = name.endsWith("jpg") ? "jpeg" : (name.slice(-4).replace(".", "") as "png" | "webp");
    const bytes = await drawPicture(at, name === "Alps.jpg" ? 4 : 1)
      .toFormat(format)
      .toBuffer();
    await host.upload(new File([bytes], name));
  }
  await host.folders.create({ name: "Clients" });
  ({ page, problems } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] }));
  await openDashboard(page, stack.baseUrl, who);
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  source?.close();
});

const goTo = (path: string) => page.goto(`${stack.baseUrl}/dashboard${path}`);
const tile = (position: number) => page.locator(`[data-position="${position}"]`);
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const told = (text: string) => page.getByText(text).first().waitFor();
const shownNames = () => readShownNames(page);
const find = async (name: string) => (await host.imagePage({ folderId: "all", q: name })).images[0];

it("Organise: F2 renames a file, its menu moves it into a folder, and the files are sorted by name", async () => {
  await goTo("/library?view=grid");
  await expect.poll(shownNames).toEqual(FILES.toReversed());
  await tile(3).focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("quay");
  await page.keyboard.press("Enter");
  await told("Renamed to");
  await expect.poll(async () => (await find("quay"))?.prompt).toBe("quay.jpg");

  await tile(3).click({ button: "right" });
  await page.getByRole("menuitem", { name: /^Move to a folder/ }).click();
  await page.getByRole("combobox", { name: "Find a folder" }).fill("cli");
  await page.keyboard.press("Enter");
  await told("1 file moved to Clients");
  await page.getByRole("treeitem", { name: "Clients 1" }).waitFor();

  await page.getByRole("button", { name: /^Sort: / }).click();
  await page.getByRole("menuitemradio", { name: "Name", exact: true }).click();
  await expect.poll(shownNames).toEqual(["Alps.jpg", "chart.png", "quay.jpg", "wave.webp"]);
  expect(problems).toEqual([]);
});

it("Find: files of two types at once are found, and the search is saved and opened again", async () => {
  await goTo("/library?view=grid");
  await page.getByRole("button", { name: "Type", exact: true }).press("Enter");
  for (const type of ["PNG", "WebP"]) {
    await page.getByLabel(type, { exact: true }).focus();
    await page.keyboard.press("Space");
  }
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await shownNames()).sort()).toEqual(["chart.png", "wave.webp"]);
  await page.getByRole("button", { name: "Save search" }).click();
  await dialog(/./).getByRole("textbox", { name: "Name" }).fill("Drawings");
  await page.keyboard.press("Enter");
  const saved = page.getByRole("region", { name: "Searches" }).getByRole("link", { name: "Drawings", exact: true });
  await saved.waitFor();
  await goTo("/library?view=grid");
  await expect.poll(async () => (await shownNames()).length).toBe(FILES.length);
  await saved.click();
  await expect.poll(async () => (await shownNames()).sort()).toEqual(["chart.png", "wave.webp"]);
  expect(problems).toEqual([]);
});

it("Sizes: U opens the sizes of a picture, and the copied URL serves the chosen width", async () => {
  await goTo(`/library/${(await find("Alps"))?._id}`);
  await page.getByRole("button", { name: "Use this picture" }).waitFor();
  await page.keyboard.press("u");
  const panel = dialog(/^Use /);
  await panel.getByText("640", { exact: true }).click();
  await panel.getByRole("status").filter({ hasText: "640 ×" }).waitFor();
  await panel.getByRole("button", { name: "Copy URL" }).click();
  const answer = await fetch(await page.evaluate<string>("navigator.clipboard.readText()"));
  expect(answer.status).toBe(200);
  expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width).toBe(640);
  expect(problems).toEqual([]);
});

it("Share: a folder is shared with a password, and a visitor opens its page with the password", async () => {
  await goTo("/library");
  await page.getByRole("treeitem", { name: /^Clients/ }).hover();
  await page.getByRole("button", { name: "Actions for Clients" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  const form = dialog("Share Clients");
  await form.getByLabel("Title").fill("Our summer");
  await form.getByLabel("Need a password").check();
  await form.getByLabel("Password", { exact: true }).fill("sesame");
  await page.keyboard.press("Enter");
  const url = (await dialog("Clients shared").getByLabel("Link", { exact: true }).textContent()) ?? "";
  const visitor = await openPage(browser);
  await visitor.page.goto(url);
  await visitor.page.getByLabel("Password").fill("sesame");
  await visitor.page.keyboard.press("Enter");
  await visitor.page.getByRole("heading", { name: "Our summer" }).waitFor();
  await visitor.page.getByText("1 file", { exact: false }).first().waitFor();
  await visitor.page.context().close();
  expect([...problems, ...visitor.problems]).toEqual([]);
});

it("Developers: a new key uploads, and a webhook gets a test", async () => {
  await goTo("/developers");
  await page.getByRole("button", { name: "New key" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("tour");
  await page.keyboard.press("Enter");
  const made = dialog("Key “tour” created");
  const key = (await made.getByLabel("Key", { exact: true }).textContent()) ?? "";
  await made.getByRole("button", { name: "I saved the key" }).click();
  const bytes = await drawPicture(5).jpeg().toBuffer();
  const uploader = createClient({ baseUrl: stack.baseUrl, key });
  expect(await uploader.upload(new File([bytes], "by key.jpg"))).toMatchObject({ originalFilename: "by key.jpg" });

  await using receiver = await openReceiver();
  await goTo("/developers/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).click();
  await dialog("Add webhook").getByRole("textbox", { name: "Name" }).fill("tour");
  await dialog("Add webhook").getByLabel("Address").fill(receiver.url);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I saved the secret" }).click();
  await page.getByRole("button", { name: "Send test to tour" }).click();
  await page.getByText(/200 in \d+ ms/).waitFor();
  expect(receiver.received).toMatchObject([{ type: "webhook.test" }]);
  expect(problems).toEqual([]);
});

it("Account: another session is ended at once", async () => {
  const { token } = await createClient({ baseUrl: stack.baseUrl }).auth.logIn(who);
  const status = async () => (await curl("-H", `Authorization: Bearer ${token}`, `${stack.baseUrl}/account`)).status;
  expect(await status()).toBe(200);
  await goTo("/settings/account");
  await page.getByRole("button", { name: "End all others" }).press("Enter");
  await dialog("End all other sessions?").getByRole("button", { name: "End all others" }).press("Enter");
  await told("All other sessions ended");
  expect(await status()).toBe(401);
  expect(problems).toEqual([]);
});

it("Operator's room: a marked account suspends another account, whose key stops", async () => {
  await goTo(`/operator/accounts?q=${other.email}`);
  await page.getByRole("link", { name: other.email }).click();
  await page.getByRole("button", { name: "Suspend" }).click();
  await dialog(/^Suspend/)
    .getByLabel("Reason")
    .fill("Spam, ticket 9");
  await page.keyboard.press("Enter");
  await page.getByText(/Suspended on .*: Spam, ticket 9\./).waitFor();
  const refused = await curl("-H", `Authorization: Bearer ${other.uploadKey}`, `${stack.baseUrl}/images/upload`);
  expect(refused.json()).toMatchObject({ code: "account_suspended" });
  expect(problems).toEqual([]);
});

it("Uploads: a file is fetched from a URL, and another is stored with options", async () => {
  const choose = async (item: string) => {
    await page.getByRole("button", { name: "More ways to upload" }).press("Enter");
    await page.getByRole("menuitem", { name: item }).press("Enter");
  };
  await goTo("/library");
  await choose("Import from the web");
  const { port } = source.address() as AddressInfo;
  await page.getByRole("dialog").getByLabel("Addresses").fill(`http://127.0.0.1:${port}/web.png`);
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).press("Enter");
  await dialog("1 file imported").getByRole("button", { name: "Done" }).click(PATIENT);
  expect(await find("web.png")).toMatchObject({ prompt: "web.png" });

  await choose("Upload options");
  const options = dialog("Upload options");
  await options.getByLabel("Tags").fill("tour");
  await options.getByLabel("Private").check();
  const opened = page.waitForEvent("filechooser");
  await options.getByRole("button", { name: "Choose files" }).press("Enter");
  const buffer = await drawPicture(6).png().toBuffer();
  await (await opened).setFiles([{ name: "chosen.png", mimeType: "image/png", buffer }]);
  const title = page.getByRole("region", { name: "Uploads" }).getByRole("heading");
  await expect.poll(() => title.textContent(), PATIENT).toBe("1 file uploaded");
  expect(await find("chosen")).toMatchObject({ visibility: "private", tags: ["tour"] });
  expect(problems).toEqual([]);
});

it("Chromium accepts the manifest of the app, and the tab has the name of the open file", async () => {
  await goTo(`/library/${(await find("Alps"))?._id}`);
  await expect.poll(() => page.title()).toBe("Alps.jpg · Media host");
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  await session.detach();
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? "")).toMatchObject({ name: "Media host" });
  await page.keyboard.press("Escape");
  await expect.poll(() => page.title()).toBe("All files · Media host");
  expect(problems).toEqual([]);
});

it("Looks: the library and the usage have no barrier and no overflow, dark, on a phone and on a wide screen", async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [name, path, ready] of [
    ["library", "/library?view=grid", tile(0)],
    ["usage", "/usage", page.getByRole("heading", { name: "Storage" }).first()],
  ] as const) {
    await goTo(path);
    await ready.waitFor();
    for (const width of [390, 1920]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 1080 });
      expect([name, width, await findBarriers(page)]).toEqual([name, width, []]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${name} ${width}`).toBe(true);
      await page.screenshot({ path: join(SCREENSHOTS, `tour-${name}-dark-${width}.png`) });
    }
  }
  expect(problems).toEqual([]);
});
