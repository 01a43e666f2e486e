import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatBytes } from "../../src/dashboard/design/format.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard, submitLogIn } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { openReceiver } from "../support/dashboard/receiver.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { runShell } from "../support/dashboard/shell.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

// Usage, keys, webhooks, settings, account and the first run, in a browser against the whole stack.

const PASSWORD = "correct horse battery";

let stack: Stack;
let browser: Browser;
let folder: string;
let pro: { readonly email: string; readonly password: string; readonly apiKey: string };
let free: { readonly email: string; readonly password: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-pages-"));
  [stack, browser] = await Promise.all([
    // The webhook's receiver is on this machine.
    Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true", METRICS_FLUSH_SECONDS: "1" }),
    openBrowser(),
    makePhoto(join(folder, "photo.jpg")),
  ]);
  const { password, ...accounts } = await stack.demoAccounts();
  pro = { ...accounts.pro, password };
  free = { ...accounts.free, password };
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page of the dashboard as an account. Its browser must report no error. */
async function open(who: { email: string; password: string }, path: string) {
  const opened = await openPage(browser, { acceptDownloads: true });
  await openDashboard(opened.page, stack.baseUrl, who, path);
  return opened;
}

async function end({ page, problems }: Awaited<ReturnType<typeof open>>) {
  expect(problems).toEqual([]);
  await page.context().close();
}

/** Closes the dialog that shows a new webhook's secret. */
async function saveSecret(page: Page) {
  const shown = page.getByRole("dialog", { name: "The webhook's secret" });
  expect(await shown.getByLabel("Secret", { exact: true }).textContent()).toMatch(/^whsec_/);
  await shown.getByRole("button", { name: "I saved the secret" }).click();
}

const upload = (key: string) =>
  curl(
    "-H",
    `Authorization: Bearer ${key}`,
    "-F",
    `file=@${join(folder, "photo.jpg")}`,
    `${stack.baseUrl}/images/upload`,
  );

/** The number of the account's files. */
async function listed(): Promise<number> {
  const answer = await curl(
    "-H",
    `Authorization: Bearer ${pro.apiKey}`,
    `${stack.baseUrl}/images?folderId=all&limit=1`,
  );
  return answer.json<{ pagination: { total: number } }>().pagination.total;
}

/** The file that a click makes the browser save. */
async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const text = await readFile(await download.path(), "utf8");
  return { name: download.suggestedFilename(), text };
}

async function register(page: Page, email: string): Promise<void> {
  await page.goto(`${stack.baseUrl}/dashboard/register`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/dashboard/welcome");
}

describe("first API key", () => {
  it("The first API key is shown, works, and then appears in the list", async () => {
    const opened = await openPage(browser);
    const { page } = opened;
    await register(page, "first-key@example.com");
    await stack.setTier("first-key@example.com", "pro");
    await page.goto(`${stack.baseUrl}/dashboard/developers/webhooks`);
    await page.getByRole("link", { name: "Keys", exact: true }).click();
    await page.getByRole("heading", { name: "No API key yet" }).waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("first");
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("dialog", { name: "Key “first” created" });
    const secret = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
    await page.locator("tr", { hasText: "first" }).waitFor();
    expect(await shown.isVisible()).toBe(true);
    expect((await upload(secret)).status).toBe(201);
    // Back leads to another section of the same document, so the browser fires `navigate` and not `beforeunload`.
    await page.evaluate("history.back()");
    await page.waitForTimeout(500);
    expect(await shown.getByLabel("Key", { exact: true }).textContent()).toBe(secret);
    await shown.getByRole("button", { name: "I saved the key" }).click();
    await shown.waitFor({ state: "detached" });
    await end(opened);
  });
});

describe("API keys", () => {
  it("An API key is shown once, works in its snippet, shows its requests, and stops when revoked", async () => {
    const opened = await open(pro, "/developers");
    const { page } = opened;
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("website");
    await page.getByRole("radio", { name: "Everything" }).check({ force: true });
    await page.getByLabel("Manage folders").uncheck();
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("dialog", { name: "Key “website” created" });
    const secret = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
    expect(secret).toMatch(/^service_live_\w{43}$/);
    await page.keyboard.press("Escape");
    expect(await shown.isVisible()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);

    const snippet = (await shown.getByRole("region", { name: "curl" }).textContent()) ?? "";
    const { output } = await runShell(snippet, folder);
    expect(JSON.parse(output)).toMatchObject({ originalFilename: "photo.jpg" });
    await shown.getByRole("button", { name: "I saved the key" }).click();
    await shown.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);

    await page.reload();
    const row = page.getByRole("row", { name: /website/ });
    await expect.poll(() => row.textContent()).toMatch(/Files, view folders.*just now/);
    await row.getByRole("link", { name: "website" }).click();
    await page.getByRole("heading", { name: "By endpoint" }).waitFor();
    // Counts arrive a second later at the earliest.
    const counted = page.getByRole("cell", { name: "POST /images/upload" });
    await expect
      .poll(() => page.reload().then(() => counted.waitFor({ timeout: 3000 })), { timeout: 40_000, interval: 1000 })
      .toBeUndefined();
    await page.getByRole("link", { name: "Operations" }).click();
    await page.getByRole("cell", { name: "Uploaded" }).waitFor();
    await page.getByRole("cell").getByRole("link", { name: "photo.jpg" }).waitFor();

    await page.goto(`${stack.baseUrl}/dashboard/developers`);
    await page.getByRole("button", { name: "Actions for website" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    const asking = page.getByRole("dialog", { name: "Revoke “website”?" });
    await expect.poll(() => asking.textContent()).toMatch(/1 request in the last 30 days/);
    await asking.getByRole("button", { name: "Revoke" }).click();
    await row.waitFor({ state: "detached" });
    expect((await upload(secret)).status).toBe(401);
    await end(opened);
  });
});

describe("upload key", () => {
  it("The upload key is regenerated after a warning: the old key stops, and tool files get the new one", async () => {
    const { uploadKey } = (await stack.demoAccounts()).free;
    const opened = await open(free, "/developers");
    const { page } = opened;
    await page.getByRole("button", { name: "Regenerate" }).click();
    const asking = page.getByRole("dialog", { name: "Regenerate the upload key?" });
    expect(await asking.textContent()).toContain("The old key stops working at once");
    expect((await upload(uploadKey)).status).toBe(201);
    await asking.getByRole("button", { name: "Regenerate" }).click();
    const shown = page.getByRole("dialog", { name: "Your new upload key" });
    await shown.getByRole("tab", { name: "ShareX" }).click();
    const { name, text } = await downloaded(page, () =>
      shown.getByRole("button", { name: "Download ShareX file" }).click(),
    );
    expect(name).toBe("media-host.sxcu");
    const { RequestURL, Headers, FileFormName } = JSON.parse(text);
    expect((await upload(uploadKey)).status).toBe(401);
    const answer = await curl(
      ...[
        "-H",
        `Authorization: ${Headers.Authorization}`,
        "-F",
        `${FileFormName}=@${join(folder, "photo.jpg")}`,
        RequestURL,
      ],
    );
    expect(answer.status).toBe(201);
    await shown.getByRole("tab", { name: "Others" }).click();
    await takeScreenshots(page, "other-tools");
    const script = await downloaded(page, () => shown.getByRole("button", { name: "Download shell script" }).click());
    expect(script.name).toBe("media-host-upload.sh");
    await writeFile(join(folder, script.name), script.text, { mode: 0o700 });
    const { output } = await runShell(`./${script.name} photo.jpg`, folder);
    expect(output).toMatch(/^http.*-photo\.jpg\n$/);
    await end(opened);
  });
});

describe("settings", () => {
  it("A lower quality makes the next photo smaller, and stays after a reload", async () => {
    const opened = await open(pro, "/settings");
    const { page } = opened;
    const save = page.getByRole("button", { name: "Save", exact: true }).first();
    const store = async (level: string) => {
      await page.getByRole("radio", { name: level }).check({ force: true });
      await save.click();
      await expect.poll(() => save.isDisabled()).toBe(true);
      return (await upload(pro.apiKey)).json<UploadResult>().fileSize;
    };
    const high = await store("High");
    const optimized = await store("Optimized");
    expect(optimized).toBeLessThan(high * 0.85);
    await page.reload();
    await expect.poll(() => page.getByRole("radio", { name: "Optimized" }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: "Other" }).check({ force: true });
    await page.getByLabel("Quality as a number").fill("49");
    expect(await save.isDisabled()).toBe(true);
    await end(opened);
  });

  it("The quality preview shows a photo before and after, and stores nothing", async () => {
    const opened = await open(pro, "/settings");
    const { page } = opened;
    const before = await listed();
    await page.getByRole("radio", { name: "High" }).check({ force: true });
    await page.getByLabel("Photo to try").setInputFiles(join(folder, "photo.jpg"));
    const sizes = page.getByRole("status").filter({ hasText: "→" });
    const sizeAt = async (quality: number) => {
      await sizes.filter({ hasText: `at ${quality}` }).waitFor();
      const [, after = ""] = /→ ([\d.]+) (?:KB|MB) at/.exec((await sizes.textContent()) ?? "") ?? [];
      return Number(after);
    };
    const high = await sizeAt(80);
    await page.getByRole("radio", { name: "Other" }).check({ force: true });
    await page.getByLabel("Quality as a number").fill("50");
    expect(await sizeAt(50)).toBeLessThan(high);
    const line = page.getByRole("slider", { name: "Divider between before and after" });
    await line.focus();
    await page.keyboard.press("Home");
    expect(await line.getAttribute("aria-valuetext")).toBe("0 % before");
    await expect
      .poll(() => page.evaluate<number>(`document.querySelector('img[alt="After"]').naturalWidth`))
      .toBeGreaterThan(0);
    await line.fill("50");
    await takeScreenshots(page, "settings-compare");
    expect(await findBarriers(page)).toEqual([]);
    expect(await listed()).toBe(before);
    await end(opened);
  });

  it("A webhook is added, tested, edited and removed, and its deliveries are shown and sent again", async () => {
    await using receiver = await openReceiver();
    const opened = await open(pro, "/developers/webhooks");
    const { page } = opened;
    const section = page.getByRole("region", { name: "Webhooks" });
    await section.getByRole("button", { name: "Add webhook" }).click();
    const form = page.getByRole("dialog", { name: "Add webhook" });
    expect(await form.getByRole("textbox", { name: "Name" }).inputValue()).toBe("default");
    await form.getByRole("textbox", { name: "Name" }).fill("Shop");
    await form.getByLabel("Address").fill("nonsense://x");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Lower-case letters, digits and hyphens only").waitFor();
    await form.getByRole("textbox", { name: "Name" }).fill("shop");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText(/Must be http/).waitFor();
    await form.getByLabel("Address").fill(receiver.url);
    expect(await findBarriers(page)).toEqual([]);
    await form.getByRole("button", { name: "Save" }).click();
    await saveSecret(page);

    await section.getByRole("button", { name: "Send test to shop" }).click();
    await section.getByText(/200 in \d+ ms/).waitFor();
    expect(receiver.received).toEqual([{ type: "webhook.test", signature: expect.stringMatching(/^v1,/) }]);
    await section.getByRole("button", { name: "Add webhook" }).click();
    await form.getByRole("textbox", { name: "Name" }).fill("shop");
    await form.getByText("A webhook has this name").waitFor();
    expect(await form.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");

    await upload(pro.apiKey);
    await expect.poll(() => receiver.received.at(-1)?.type, { timeout: 20_000 }).toBe("upload.completed");
    await section.getByRole("button", { name: "Deliveries of shop" }).click();
    const deliveries = page.getByRole("dialog", { name: "Deliveries of shop" });
    await deliveries.getByText("Request and answer").click();
    await expect.poll(() => deliveries.textContent()).toContain("photo.jpg");
    expect(await findBarriers(page)).toEqual([]);
    await deliveries.getByRole("button", { name: /^Send again: upload.completed/ }).click();
    await expect.poll(() => deliveries.getByText("Request and answer").count()).toBe(2);
    await page.keyboard.press("Escape");

    await section.getByRole("button", { name: "Edit shop" }).click();
    const edited = page.getByRole("dialog", { name: "Edit “shop”" });
    await edited.getByRole("checkbox", { name: /^File deleted/ }).check();
    await edited.getByRole("button", { name: "Save" }).click();
    await saveSecret(page);
    await section.getByText("Upload completed, File deleted").waitFor();

    // A receiver that answers 410 is left alone until its owner saves it again.
    receiver.status = 410;
    await upload(pro.apiKey);
    await expect
      .poll(
        async () => {
          await page.reload();
          await section.getByRole("listitem").waitFor();
          return section.textContent();
        },
        { timeout: 20_000, interval: 1000 },
      )
      .toMatch(/Disabled on .* The receiver answered 410/);
    expect(await findBarriers(page)).toEqual([]);
    for (const width of [390, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    await takeScreenshots(page, "webhooks");
    await section.getByRole("button", { name: "Remove shop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await section.getByText("No webhook yet").waitFor();
    await end(opened);
  });

  it("A Free account has room for one webhook", async () => {
    const opened = await open(free, "/developers/webhooks");
    const { page } = opened;
    const section = page.getByRole("region", { name: "Webhooks" });
    await section.getByRole("button", { name: "Add webhook" }).click();
    const form = page.getByRole("dialog", { name: "Add webhook" });
    await form.getByLabel("Address").fill("https://hooks.example.com/media");
    expect(await form.getByRole("checkbox", { name: /^Usage alert/ }).count()).toBe(0);
    await form.getByRole("button", { name: "Save" }).click();
    await saveSecret(page);
    await section.getByText("Free has room for 1 webhook.").waitFor();
    expect(await section.getByRole("button", { name: "Add webhook" }).count()).toBe(0);
    await end(opened);
  });

  it("The export has every file, as CSV and as JSON", async () => {
    const stored = (await upload(pro.apiKey)).json<UploadResult>();
    const opened = await open(pro, "/settings");
    const { page } = opened;
    const csv = await downloaded(page, () => page.getByRole("button", { name: "Files as CSV" }).click());
    expect(csv.name).toMatch(/^files-\d{4}-\d\d-\d\d\.csv$/);
    expect(csv.text).toContain(`${stored._id},${stored.url},photo.jpg,image/jpeg,${stored.fileSize},`);
    const json = await downloaded(page, () => page.getByRole("button", { name: "Files as JSON" }).click());
    const files = JSON.parse(json.text) as UploadResult[];
    expect(files).toHaveLength(csv.text.trim().split("\r\n").length - 1);
    expect(files.map(({ _id }) => _id)).toContain(stored._id);
    const all = await downloaded(page, () => page.getByRole("link", { name: "All data as JSON Lines" }).click());
    expect(JSON.parse(all.text.trim().split("\n").at(-1) ?? "")).toMatchObject({ type: "end" });
    await end(opened);
  });
});

describe("account", () => {
  it("A changed password ends the session on another device, but not this one", async () => {
    const here = await openPage(browser);
    await register(here.page, "two-devices@example.com");
    const who = { email: "two-devices@example.com", password: PASSWORD };
    const there = await open(who, "/usage");
    await here.page.goto(`${stack.baseUrl}/dashboard/settings/account`);
    const change = async (current: string) => {
      await here.page.getByLabel("Current password").fill(current);
      await here.page.getByLabel("New password").fill("another horse battery");
      await here.page.getByRole("button", { name: "Change password" }).click();
    };
    await change("not my password");
    await here.page.getByText("Wrong password").waitFor();
    await change(PASSWORD);
    await here.page.getByText("Password changed").waitFor();
    // The page's next request is refused. This link causes a request if the page has sent none.
    await there.page.evaluate(`document.querySelector('a[href="/dashboard/settings"]').click()`);
    await there.page.getByRole("dialog", { name: "Log in again" }).waitFor();
    await here.page.reload();
    await here.page.getByRole("heading", { name: "Password" }).waitFor();
    await submitLogIn(there.page, { ...who, password: "another horse battery" });
    await there.page.getByRole("dialog").waitFor({ state: "detached" });
    await end(there);
    await end(here);
  });

  it("An account is erased by its e-mail and password: links stop, and log-ins fail", async () => {
    const opened = await openPage(browser);
    const { page } = opened;
    await register(page, "leaving@example.com");
    await page.getByLabel("File", { exact: true }).setInputFiles(join(folder, "photo.jpg"));
    await page.getByText("Uploaded").waitFor();
    const url = (await page.getByRole("region", { name: "link" }).textContent()) ?? "";
    expect((await curl(url)).status).toBe(200);

    await page.goto(`${stack.baseUrl}/dashboard/settings/account`);
    await page.getByRole("button", { name: "Erase everything" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase your account?" });
    const erase = dialog.getByRole("button", { name: "Erase everything" });
    await dialog.getByLabel("Password").fill(PASSWORD);
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel("Your e-mail").fill("leaving@example.com");
    await erase.click();
    const erased = page.getByRole("dialog", { name: "Your account is erased" });
    const receipt = (await erased.getByRole("region").textContent()) ?? "";
    expect((await curl(receipt)).json()).toMatchObject({ status: "erased" });
    expect((await curl(url)).status).toBe(404);
    await erased.getByRole("button", { name: "Close" }).click();
    await page.waitForURL("**/dashboard/login*");
    await submitLogIn(page, { email: "leaving@example.com", password: PASSWORD });
    await page.getByRole("alert").waitFor();
    await end(opened);
  });
});

describe("usage", () => {
  it("The usage page shows stored bytes and operations, also by day", async () => {
    const opened = await openPage(browser);
    const { page } = opened;
    await register(page, "figures@example.com");
    await page.getByLabel("File", { exact: true }).setInputFiles(join(folder, "photo.jpg"));
    await page.getByText("Uploaded").waitFor();
    await page.goto(`${stack.baseUrl}/dashboard/usage`);
    const { size } = await stat(join(folder, "photo.jpg"));
    const storage = page.getByRole("region", { name: "Storage" });
    await expect.poll(() => storage.textContent()).toContain(`${formatBytes(size)} of 1 GB`);
    expect(await page.getByRole("region", { name: "Operations this month" }).textContent()).toContain("1 of 10,000");
    await page.getByRole("radio", { name: "Table" }).check({ force: true });
    const today = page.getByRole("group", { name: "Operations by day" }).getByRole("row").nth(1);
    expect(await today.textContent()).toMatch(/101$/);
    await page.getByRole("radio", { name: "Chart" }).check({ force: true });
    const chart = page.getByRole("slider", { name: "Operations, day" });
    await chart.focus();
    await page.keyboard.press("End");
    expect(await chart.getAttribute("aria-valuetext")).toContain("1 upload or deletion, 0 views");
    await end(opened);
  });
});

describe("first run", () => {
  it("The first run shows the key with a working command, and asks before the user leaves", async () => {
    const opened = await openPage(browser);
    const { page } = opened;
    await register(page, "first-run@example.com");
    await takeScreenshots(page, "welcome");
    expect(await findBarriers(page)).toEqual([]);
    const { output } = await runShell((await page.getByRole("region", { name: "curl" }).textContent()) ?? "", folder);
    expect(JSON.parse(output)).toMatchObject({ originalFilename: "photo.jpg" });
    const refused = { name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 no picture") };
    await page.getByLabel("File", { exact: true }).setInputFiles(refused);
    const problem = page.getByRole("region", { name: "First file" }).getByRole("alert");
    await problem.waitFor();
    const words =
      "Only images and videos are allowed. This is a PDF file. Supported: JPEG, PNG, WebP, GIF, MP4, WebM, MOV, AVI.";
    expect(await problem.textContent()).toContain(words);
    expect(await problem.getByRole("button", { name: "Retry" }).count()).toBe(0);
    await page.getByRole("link", { name: "Usage", exact: true }).first().click();
    const asking = page.getByRole("dialog", { name: "Did you save the key?" });
    await asking.getByRole("button", { name: "Cancel" }).click();
    expect(new URL(page.url()).pathname).toBe("/dashboard/welcome");
    await page.getByRole("button", { name: "I saved the key" }).click();
    await page.waitForURL("**/dashboard/library");
    await page.goBack().catch(() => undefined);
    expect(await page.content()).not.toContain("service_upload_");
    await end(opened);
  });
});

describe("pages that fail to load", () => {
  it.each([
    ["/developers", "/keys", "The keys could not be loaded"],
    ["/developers/upload-tokens", "/upload-tokens?limit=50", "The upload tokens could not be loaded"],
    ["/developers/webhooks", "/settings/webhooks", "The webhooks could not be loaded"],
    ["/developers/events", "/events?from=recent&limit=100", "The events could not be loaded"],
    ["/settings", "/settings", "The settings could not be loaded"],
    ["/usage", "/alerts", "The alerts could not be loaded"],
  ])(
    "A failure to load %s is shown in place with the service's message, and Retry loads it",
    async (path, endpoint, title) => {
      const opened = await openPage(browser);
      const { page } = opened;
      const body = { error: "The service is in a mood", statusCode: 403 };
      await page.route(stack.baseUrl + endpoint, (route) => route.fulfill({ status: 403, json: body }));
      await openDashboard(page, stack.baseUrl, pro, path);
      const problem = page.getByRole("alert").filter({ hasText: title });
      await problem.waitFor();
      expect(await problem.textContent()).toContain("The service is in a mood.");
      expect(await findBarriers(page)).toEqual([]);
      await page.unroute(stack.baseUrl + endpoint);
      await problem.getByRole("button", { name: "Retry" }).click();
      await problem.waitFor({ state: "detached" });
      await end(opened);
    },
  );
});
