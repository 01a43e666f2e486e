import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, loseAnswer, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// The dashboard takes files by other ways than the plain file chooser, and copies their links. A browser uses the whole stack.

const PATIENT = { timeout: 60_000 };

let source: Server;
let sourceUrl: string;
let stack: Stack;
let browser: Browser;
let host: Client;
let who: { readonly email: string; readonly password: string };
let page: Page;
let problems: readonly string[];
let flat: Buffer;

beforeAll(async () => {
  // A picture that becomes smaller.
  flat = await sharp({ create: { width: 200, height: 150, channels: 3, background: "#468" } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  source = createServer(({ url }, response) => {
    if (url?.startsWith("/slow")) setTimeout(() => response.end(png(41, 8)), 8000);
    else if (url?.startsWith("/flat")) response.end(flat);
    else if (url?.endsWith(".png")) response.end(png(40, 8));
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(source, "listening");
  sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  [stack, browser] = await Promise.all([Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true" }), openBrowser()]);
  const accounts = await stack.demoAccounts();
  who = { email: accounts.pro.email, password: accounts.password };
  host = createClient({ baseUrl: stack.baseUrl, key: accounts.pro.apiKey });
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  source?.close();
});

beforeEach(async () => {
  ({ page, problems } = await openPage(browser));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openDashboard(page, stack.baseUrl, who);
});
afterEach(async () => {
  await page?.context().close();
});

const tray = () => page.getByRole("region", { name: "Uploads" });
const title = () => tray().getByRole("heading").textContent();
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const clipboard = () => page.evaluate<string>("navigator.clipboard.readText()");
const picture = (name: string, width: number) => ({ name, mimeType: "image/png", buffer: Buffer.from(png(width, 8)) });

it("The tray copies the links of all stored files in each format", async () => {
  const names = ["copy [1].png", "copy-2.png"];
  await page.getByLabel("Choose files to upload").setInputFiles(names.map((name, at) => picture(name, 10 + at)));
  await expect.poll(title, PATIENT).toBe("2 files uploaded");
  await tray().getByRole("button", { name: "Copy as…" }).press("Enter");
  const formats = dialog("Copy 2 files as");
  await formats.waitFor();
  await takeScreenshots(page, "upload-copy-as");
  expect(await findBarriers(page)).toEqual([]);
  await formats.getByRole("button", { name: "Markdown" }).press("Enter");
  await formats.waitFor({ state: "detached" });
  const { images } = await host.imagePage({ folderId: "all", q: "copy" });
  const urlOf = (name: string) => images.find(({ prompt }) => prompt === name)?.url;
  expect(await clipboard()).toBe(
    `![copy \\[1\\].png](${urlOf("copy [1].png")})\n![copy-2.png](${urlOf("copy-2.png")})`,
  );
  expect(problems).toEqual([]);
});

it("Files that are chosen with options are stored in the folder, private, tagged and with an end", async () => {
  const { _id: folderId } = await host.folders.create({ name: "Chosen before", parentId: null });
  await page.reload();
  const more = page.getByRole("button", { name: "More ways to upload" });
  await more.press("Enter");
  const item = page.getByRole("menuitem", { name: "Upload options" });
  await item.waitFor();
  expect(await page.getByRole("menuitem", { name: "Take a photo" }).count()).toBe(0);
  await takeScreenshots(page, "upload-menu");
  expect(await findBarriers(page)).toEqual([]);
  await item.press("Enter");
  const options = dialog("Upload options");
  await options.getByLabel("Folder").selectOption({ label: "Chosen before" });
  await options.getByLabel("Tags").fill(`press, ${"x".repeat(65)}`);
  await options.getByText("A tag has at most 64 characters").waitFor();
  await options.getByLabel("Tags").fill("press, 2026");
  await options.getByLabel("Delete").selectOption({ label: "In 30 days" });
  await options.getByLabel("Compression").selectOption({ label: "Compress images" });
  await options.getByLabel("Private").check();
  await takeScreenshots(page, "upload-options");
  expect(await findBarriers(page)).toEqual([]);
  const opened = page.waitForEvent("filechooser");
  await options.getByRole("button", { name: "Choose files" }).press("Enter");
  const startedAt = Date.now();
  await (await opened).setFiles([{ name: "optional.png", mimeType: "image/png", buffer: flat }]);
  // The tray folds, but not under the pointer.
  await tray().hover();
  await expect.poll(title, PATIENT).toBe("1 file uploaded");
  const row = tray().getByRole("listitem").filter({ hasText: "optional.png" });
  expect(await row.textContent()).toMatch(
    /In .?Chosen before.? · Private · Compressed · Deleted .+ · Tagged press, 2026/,
  );
  expect(await findBarriers(page)).toEqual([]);
  await takeScreenshots(page, "upload-options-tray");
  const [stored] = (await host.imagePage({ folderId, status: "active" })).images;
  expect(stored).toMatchObject({
    prompt: "optional.png",
    visibility: "private",
    tags: ["press", "2026"],
    compressed: true,
  });
  const days = (Date.parse(stored?.expiresAt ?? "") - startedAt) / 86_400_000;
  expect(days).toBeGreaterThan(29.99);
  expect(days).toBeLessThan(30.01);
  // The link of a private file is signed. A tray that has folded since offers it, too.
  await tray().getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Links of private files work for a day.").waitFor();
  expect((await fetch(await clipboard())).status).toBe(200);
  // The next upload has none of these options.
  await page.getByLabel("Choose files to upload").setInputFiles([picture("plain.png", 21)]);
  await expect.poll(title, PATIENT).toBe("2 files uploaded");
  const [plain] = (await host.imagePage({ folderId: "root", q: "plain" })).images;
  expect(plain).toMatchObject({ visibility: "public", tags: [], expiresAt: null });
  expect(problems).toEqual([]);
});

it("The tray stays open while the pointer is on it and for seconds after it has left, and then folds", async () => {
  const rows = tray().getByRole("listitem");
  await page.getByLabel("Choose files to upload").setInputFiles([picture("read.png", 24)]);
  await expect.poll(title, PATIENT).toBe("1 file uploaded");
  await tray().hover();
  await page.waitForTimeout(7500);
  expect(await rows.count()).toBe(1);
  await page.mouse.move(20, 20);
  await page.waitForTimeout(2000);
  expect(await rows.count()).toBe(1);
  await expect.poll(() => rows.count(), PATIENT).toBe(0);
  await tray().getByRole("button", { name: "Copy link" }).click();
  expect(await clipboard()).toContain("-read.png");
  expect(problems).toEqual([]);
});

it("A page on a touch screen offers the camera, and uploads the photo", async () => {
  await page.context().close();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  page = await context.newPage();
  await openDashboard(page, stack.baseUrl, who);
  await page.getByRole("button", { name: "More ways to upload" }).tap();
  const item = page.getByRole("menuitem", { name: "Take a photo" });
  await item.waitFor();
  await takeScreenshots(page, "upload-menu-touch");
  expect(await findBarriers(page)).toEqual([]);
  const opened = page.waitForEvent("filechooser");
  await item.tap();
  const chooser = await opened;
  expect(await chooser.element().getAttribute("capture")).toBe("environment");
  await chooser.setFiles([picture("camera.png", 30)]);
  await expect.poll(title, PATIENT).toBe("1 file uploaded");
  expect((await host.imagePage({ folderId: "all", q: "camera" })).images).toHaveLength(1);
});

it("Pasted URLs are imported after a question, and each one's outcome is shown", async () => {
  const text = `${sourceUrl}/web.png\n${sourceUrl}/missing`;
  await page.getByRole("button", { name: "More ways to upload" }).waitFor();
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  // A field takes the text itself.
  await page.getByLabel("Search files").click();
  await page.keyboard.press("Control+V");
  await expect.poll(() => page.getByLabel("Search files").inputValue()).toContain("web.png");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.getByRole("heading", { name: "All files" }).click();
  await page.keyboard.press("Control+V");
  const question = dialog("Import 2 files from the web?");
  await question.waitFor();
  // The paste into the field has opened none, which would have come before this one.
  expect(await page.getByRole("dialog", { includeHidden: true }).count()).toBe(1);
  await takeScreenshots(page, "import-question");
  expect(await findBarriers(page)).toEqual([]);
  await question.getByRole("button", { name: "Import" }).press("Enter");
  const outcome = dialog("1 file imported, 1 failed");
  await outcome.waitFor(PATIENT);
  const [stored, failed] = await outcome.getByRole("listitem").allTextContents();
  expect(stored).toBe(`${sourceUrl}/web.pngStored`);
  expect(failed).toBe(`${sourceUrl}/missingThe source did not send the file: status 404`);
  await takeScreenshots(page, "import-outcome");
  expect(await findBarriers(page)).toEqual([]);
  await outcome.getByRole("button", { name: "Done" }).press("Enter");
  await page.locator("[data-position]").filter({ hasText: "web.png" }).waitFor();
  expect((await host.imagePage({ folderId: "root", q: "web.png" })).images).toHaveLength(1);
});

it("An import from the menu names a wrong line, and a lost answer begins no second import", async () => {
  await page.getByRole("button", { name: "More ways to upload" }).press("Enter");
  await page.getByRole("menuitem", { name: "Import from the web" }).press("Enter");
  const form = page.getByRole("dialog");
  await form.getByRole("button", { name: "Import" }).press("Enter");
  await form.getByText("Enter an address such as").waitFor();
  await form.getByLabel("Addresses").fill(`${sourceUrl}/lost.png\nftp://files.example/a.png`);
  await form.getByRole("button", { name: "Import" }).press("Enter");
  await form.getByText("This line is not an http or https address: ftp://files.example/a.png").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await form.getByLabel("Addresses").fill(`${sourceUrl}/lost.png`);
  const sent = await failFirst(page, { method: "POST", path: "**/images/import" }, loseAnswer);
  await form.getByRole("button", { name: "Import" }).press("Enter");
  await dialog("1 file imported").waitFor(PATIENT);
  expect(sent).toHaveLength(2);
  expect((await host.imagePage({ folderId: "root", q: "lost.png" })).images).toHaveLength(1);
});

it("An import has the folder and the options that are chosen in its form, also after an answer was lost", async () => {
  const { _id: folderId } = await host.folders.create({ name: "Imported", parentId: null });
  const { _id: shownId } = await host.folders.create({ name: "Shown", parentId: null });
  await page.goto(`${stack.baseUrl}/dashboard/library?folder=${shownId}`);
  await page.getByRole("button", { name: "More ways to upload" }).press("Enter");
  await page.getByRole("menuitem", { name: "Import from the web" }).press("Enter");
  const form = page.getByRole("dialog");
  const folder = form.getByLabel("Folder");
  await expect.poll(() => folder.inputValue()).toBe(shownId);
  await form.getByLabel("Addresses").fill(`${sourceUrl}/flat.png`);
  await folder.selectOption({ label: "Imported" });
  await form.getByLabel("Tags").fill(`web, ${"x".repeat(65)}`);
  const sent = await failFirst(page, { method: "POST", path: "**/images/import" }, loseAnswer);
  await form.getByRole("button", { name: "Import" }).press("Enter");
  await form.getByText("A tag has at most 64 characters").waitFor();
  await form.getByLabel("Tags").fill("web, 2026");
  await form.getByLabel("Delete").selectOption({ label: "In 30 days" });
  await form.getByLabel("Compression").selectOption({ label: "Compress images" });
  await form.getByLabel("Private").check();
  await takeScreenshots(page, "import-options");
  expect(await findBarriers(page)).toEqual([]);
  const startedAt = Date.now();
  await form.getByRole("button", { name: "Import" }).press("Enter");
  await dialog("1 file imported").waitFor(PATIENT);
  expect(sent).toHaveLength(2);
  const { images } = await host.imagePage({ folderId, status: "active" });
  expect(images).toMatchObject([
    { prompt: "flat.png", visibility: "private", tags: ["web", "2026"], compressed: true },
  ]);
  const days = (Date.parse(images[0]?.expiresAt ?? "") - startedAt) / 86_400_000;
  expect(days).toBeGreaterThan(29.99);
  expect(days).toBeLessThan(30.01);
});

/** Begins an import from the menu. @returns its dialog, once the first file is fetched */
async function importUrls(...urls: readonly string[]) {
  await page.getByRole("button", { name: "More ways to upload" }).press("Enter");
  await page.getByRole("menuitem", { name: "Import from the web" }).press("Enter");
  await page.getByRole("dialog").getByLabel("Addresses").fill(urls.join("\n"));
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).press("Enter");
  const progress = dialog(/^Importing/);
  await progress.getByText("Being fetched").first().waitFor(PATIENT);
  return progress;
}

it("An import that is stopped fetches no further file, and keeps what it has stored", async () => {
  const urls = Array.from({ length: 10 }, (_, at) => `${sourceUrl}/slow-stopped-${at}.png`);
  const progress = await importUrls(...urls);
  // The first request is lost on the network, and sent again.
  const sent = await failFirst(page, { method: "DELETE", path: "**/imports/*" }, (route) => route.abort());
  await progress.getByRole("button", { name: "Stop the import" }).press("Enter");
  const outcome = dialog(/^\d+ files? imported, \d+ stopped$/);
  await outcome.waitFor(PATIENT);
  await takeScreenshots(page, "import-stopped");
  expect(await findBarriers(page)).toEqual([]);
  expect(sent).toHaveLength(2);
  const words = await outcome.getByRole("listitem").allTextContents();
  const stored = words.filter((text) => text.endsWith("Stored")).length;
  expect(stored).toBeLessThan(urls.length);
  expect((await host.imagePage({ folderId: "root", q: "slow-stopped" })).images).toHaveLength(stored);
});

it("An import continues while the page has no network, and its outcome is shown when the network is back", async () => {
  await importUrls(`${sourceUrl}/slow-offline.png`);
  await page.context().setOffline(true);
  await page.getByText("Offline").first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await takeScreenshots(page, "import-offline");
  await expect
    .poll(async () => (await host.imagePage({ folderId: "root", q: "slow-offline" })).images.length, PATIENT)
    .toBe(1);
  await page.context().setOffline(false);
  await dialog("1 file imported").waitFor(PATIENT);
});

it("An import whose session ends asks for the password, and then shows the outcome", async () => {
  await importUrls(`${sourceUrl}/slow-session.png`);
  await page.context().clearCookies();
  await dialog("Log in again").waitFor(PATIENT);
  await submitLogIn(page, who);
  await dialog("1 file imported").waitFor(PATIENT);
});

it("An import whose page reaches the rate shows the outcome after the service's `Retry-After`", async () => {
  await importUrls(`${sourceUrl}/slow-rate.png`);
  const asked = await failFirst(page, { method: "GET", path: "**/imports/*" }, (route) => refuseByRate(route, 5));
  await dialog("1 file imported").waitFor(PATIENT);
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(4500);
});

it("A closed import continues, and a toast shows its end", async () => {
  const progress = await importUrls(`${sourceUrl}/slow.png`);
  await takeScreenshots(page, "import-progress");
  expect(await findBarriers(page)).toEqual([]);
  await progress.getByRole("button", { name: "Close", exact: true }).last().press("Enter");
  await progress.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Show", exact: true }).click(PATIENT);
  const outcome = dialog("1 file imported");
  await outcome.getByRole("button", { name: "Done" }).press("Enter");
  await outcome.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});
