import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAdmin } from "../../src/client/admin.ts";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import {
  type Action,
  begin,
  doElsewhere,
  expectRenewal,
  expectResumption,
  expectWait,
  finish,
} from "../support/dashboard/action.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { failFirst, loseAnswer } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { makePhoto } from "../support/dashboard/photo.ts";
import { png } from "../support/media/samples.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";
import type { UploadResult } from "../support/uploads/upload-result.ts";

// The operator's room, in a browser against the whole stack.

const SCREENSHOTS = process.env.SCREENSHOTS ?? ".wrangler/screenshots";
const PASSWORD = "correct horse battery staple";

let stack: Stack;
let browser: Browser;
let folder: string;
let operator: { readonly email: string; readonly password: string };
let free: { readonly email: string; readonly password: string; readonly uploadKey: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dashboard-operator-room-"));
  [stack, browser] = await Promise.all([
    // Each test of faults registers an account.
    Stack.start({ METRICS_FLUSH_SECONDS: "1", ADDRESS_REGISTRATIONS_PER_HOUR: "1000" }),
    openBrowser(),
    makePhoto(join(folder, "photo.jpg")),
  ]);
  const { password, ...accounts } = await stack.demoAccounts();
  operator = { ...accounts.pro, password };
  free = { ...accounts.free, password };
  await stack.admin("mark-operator", operator.email, "Works the reports");
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function open(path: string, who = operator) {
  const opened = await openPage(browser);
  await openDashboard(opened.page, stack.baseUrl, who, path);
  return opened;
}

async function upload(name = "photo.jpg"): Promise<UploadResult> {
  const file = `file=@${join(folder, name)}`;
  const answer = await curl(
    ...["-H", `Authorization: Bearer ${free.uploadKey}`, "-F", file, `${stack.baseUrl}/images/upload`],
  );
  return answer.json<UploadResult>();
}

async function report(url: string, reason: string): Promise<void> {
  const body = JSON.stringify({ url, reason, email: "visitor@example.com" });
  const answer = await curl("-H", "Content-Type: application/json", "-d", body, `${stack.baseUrl}/reports`);
  expect(answer.status).toBe(201);
}

async function register(email: string): Promise<void> {
  const body = JSON.stringify({ email, password: PASSWORD });
  const answer = await curl("-H", "Content-Type: application/json", "-d", body, `${stack.baseUrl}/auth/register`);
  expect(answer.status).toBe(201);
}

/** Checks the page with axe, in light and dark, and takes its pictures at all widths. 320 pixels are a wide page at 400 % zoom. */
async function inspect(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: width < 700 ? 844 : 900 });
      if (width === 320 || width === 1280) expect([name, width, await findBarriers(page)]).toEqual([name, width, []]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.screenshot({ path: join(SCREENSHOTS, `operator-${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Types the reason of the open dialog and confirms it, by keys alone. */
async function confirm(page: Page, title: string | RegExp, reason: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Reason").fill(reason);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

describe("access", () => {
  it("An account without the mark sees no link and no such page, and the operator sees both", async () => {
    const { page, problems } = await open("/operator", free);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    const library = page.getByRole("navigation", { name: "Library" });
    await library.getByRole("link", { name: "Settings" }).waitFor();
    expect(await library.getByRole("link", { name: "Operator" }).count()).toBe(0);
    await page.context().close();

    const marked = await open("/library");
    await marked.page
      .getByRole("navigation", { name: "Library" })
      .getByRole("link", { name: "Operator" })
      .press("Enter");
    await marked.page.getByRole("heading", { name: "Everything works" }).waitFor();
    await marked.page.keyboard.press("Control+k");
    await marked.page.getByRole("combobox").fill("operator: audit");
    await marked.page.keyboard.press("Enter");
    await marked.page.getByRole("region", { name: "Audit log", exact: true }).waitFor();
    expect(await marked.page.title()).toBe("Audit log · Media host");
    expect([...problems, ...marked.problems]).toEqual([]);
    await marked.page.context().close();
  });

  it("The room closes at once when the mark is taken in another place, and opens again with it", async () => {
    const { page, problems } = await open("/operator/accounts");
    await page.getByRole("link", { name: free.email }).waitFor();
    await stack.admin("unmark-operator", operator.email, "A test");
    await page.getByLabel("Search accounts").fill("free");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
    await stack.admin("mark-operator", operator.email, "A test");
    await page.reload();
    await page.getByRole("link", { name: free.email }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("accounts", () => {
  it("The operator finds an account, changes its tier, suspends and restores it, each with a reason in the audit log", async () => {
    const { page, problems } = await open("/operator/accounts");
    await page.getByRole("link", { name: free.email }).waitFor();
    await inspect(page, "accounts");
    const search = page.getByLabel("Search accounts");
    await search.fill("nobody-has-this");
    await page.getByText("No account matches").waitFor();
    await inspect(page, "accounts-empty");
    await search.fill(free.email.slice(0, 6));
    const link = page.getByRole("link", { name: free.email });
    await link.press("Enter");
    await page.getByRole("heading", { name: free.email }).waitFor();

    await page.getByRole("button", { name: "Change tier" }).press("Enter");
    const asking = page.getByRole("dialog", { name: `Change the tier of ${free.email}?` });
    await asking.getByLabel("Tier").selectOption("starter");
    await asking.getByRole("button", { name: "Change tier" }).click();
    await asking.getByText("Reason is required").waitFor();
    await confirm(page, /^Change the tier/, "Paid by invoice");
    await page.getByText("Starter", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Suspend" }).press("Enter");
    await inspect(page, "suspend-dialog");
    await confirm(page, /^Suspend/, "Spam, ticket 9");
    await page.getByText(/Suspended on .*: Spam, ticket 9\./).waitFor();
    const listed = () => curl("-H", `Authorization: Bearer ${free.uploadKey}`, `${stack.baseUrl}/images/upload`);
    expect((await listed()).status).toBe(403);
    await inspect(page, "account");
    await page.getByRole("button", { name: "Restore" }).press("Enter");
    await confirm(page, /^Restore/, "A mistake");
    await page.getByRole("button", { name: "Suspend" }).waitFor();

    const actions = page.getByRole("table").last();
    for (const text of ["Set tier", "Paid by invoice", "Suspend account", "Spam, ticket 9", "Unsuspend account"])
      await actions.getByText(text, { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("An account is erased only when its e-mail is typed, and an operator's account has no actions", async () => {
    await register("to-erase@example.com");
    const { page, problems } = await open("/operator/accounts?q=to-erase");
    await page.getByRole("link", { name: "to-erase@example.com" }).press("Enter");
    await page.getByRole("button", { name: "Erase" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Erase to-erase@example.com?" });
    await dialog.getByLabel("Reason").fill("Asked by mail");
    const erase = dialog.getByRole("button", { name: "Erase everything" });
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type the account/).fill("other@example.com");
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type the account/).fill("to-erase@example.com");
    await erase.press("Enter");
    await page
      .getByText("No account matches")
      .or(page.getByRole("list", { name: "Accounts" }))
      .first()
      .waitFor();
    await page.getByLabel("Search accounts").fill("to-erase");
    await page.getByText("No account matches").waitFor();

    await page.getByLabel("Search accounts").fill(operator.email);
    await page.getByRole("link", { name: operator.email }).press("Enter");
    await page.getByText("This account has the operator's mark.").waitFor();
    expect(await page.getByRole("button", { name: "Suspend" }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("reports and takedowns", () => {
  it("The operator decides reports by keys, with the picture covered until it is wanted, and restores a file", async () => {
    const [first, second] = [await upload(), await upload()];
    await report(first.url, "It is my photo");
    await report(second.url, "Not allowed here");
    await report("https://elsewhere.example/a.png", "A page of others");
    const { page, problems } = await open("/operator/reports");
    const article = page.getByRole("article", { name: "Report 1 of 3" });
    await article.getByText("Nothing of the file is loaded yet.").waitFor();
    const previews: string[] = [];
    page.on("request", (request) => request.url().includes("/previews/") && previews.push(request.url()));
    await inspect(page, "report-covered");
    expect(previews).toEqual([]);
    await page.keyboard.press("v");
    const picture = article.getByRole("img", { name: "The reported file, blurred" });
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0);
    await inspect(page, "report-blurred");
    await page.keyboard.press("v");
    await article.getByRole("link", { name: "Open the file" }).waitFor();
    await inspect(page, "report-clear");

    await page.keyboard.press("j");
    await page
      .getByRole("article", { name: "Report 2 of 3" })
      .getByText("Nothing of the file is loaded yet.")
      .waitFor();
    await page.keyboard.press("k");
    await article.getByText("Nothing of the file is loaded yet.").waitFor();
    await page.keyboard.press("t");
    await confirm(page, "Take down “photo.jpg”?", "Copyright, ticket 4711");
    expect((await curl(first.url)).status).toBe(451);
    await page.getByRole("article", { name: "Report 1 of 2" }).waitFor();
    await page.keyboard.press("d");
    await confirm(page, "Dismiss the report?", "Allowed");
    await page.getByRole("article", { name: "Report 1 of 1" }).getByText("The file is gone.").waitFor();
    await page.keyboard.press("d");
    await confirm(page, "Dismiss the report?", "Not ours");
    await page.getByText("No reports wait").waitFor();
    await inspect(page, "reports-empty");
    expect((await curl(second.url)).status).toBe(200);

    await page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name: "Takedowns" }).press("Enter");
    await page.getByText(/^Copyright, ticket 4711/).waitFor();
    await inspect(page, "takedowns");
    await page.getByRole("button", { name: "Restore photo.jpg" }).press("Enter");
    await confirm(page, "Restore “photo.jpg”?", "A counter-notice");
    await page.getByText("Restored: the file is served again.").waitFor();
    expect((await curl(first.url)).status).toBe(200);

    await page.getByRole("button", { name: "Take a file down" }).press("Enter");
    await page.getByLabel("The file's address or id").fill(second._id);
    await confirm(page, "Take a file down?", "Malware");
    expect((await curl(second.url)).status).toBe(451);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe("the list of takedowns", () => {
  it("The list names each file, its account and the actor, and finds a file by its address or id", async () => {
    // The bytes of `photo.jpg` may be blocked.
    for (const [index, name] of ["one.png", "two.png"].entries())
      await writeFile(join(folder, name), png(3, 2, 7100 + index));
    const [first, second] = [await upload("one.png"), await upload("two.png")];
    await stack.admin("take-down", first._id, "Ticket 12");
    const { page, problems } = await open("/operator/takedowns");
    await page.getByRole("button", { name: "Take a file down" }).press("Enter");
    await page.getByLabel("The file's address or id").fill(second.url);
    await confirm(page, "Take a file down?", "Ticket 13");
    const items = page.getByRole("list", { name: "Takedowns" }).getByRole("listitem");
    const newest = items.first();
    await newest.getByText("Taken down by you").waitFor();
    await newest.getByText(/^Ticket 13 · /).waitFor();
    await newest.getByRole("link", { name: free.email }).waitFor();
    await items.nth(1).getByText(`Taken down by ${userInfo().username} with the operator's token`).waitFor();

    const search = page.getByLabel("Search takedowns");
    await search.fill(first.url);
    await expect.poll(() => items.count()).toBe(1);
    await items.getByText(/^Ticket 12 · /).waitFor();
    await search.fill(second._id);
    await items.getByText(/^Ticket 13 · /).waitFor();
    expect(new URL(page.url()).search).toBe(`?file=${second._id}`);
    await search.fill("nothing-has-this");
    await page.getByText("No takedown matches").waitFor();
    await inspect(page, "takedowns-none");
    await search.fill(second._id);
    await page.getByRole("button", { name: "Restore two.png" }).press("Enter");
    await confirm(page, "Restore “two.png”?", "A counter-notice");
    await page.getByText("Restored: the file is served again.").waitFor();
    expect((await curl(second.url)).status).toBe(200);
    await items.getByRole("link", { name: free.email }).press("Enter");
    await page.getByRole("heading", { name: free.email }).waitFor();
    await page.goBack();
    await page.getByText("Restored: the file is served again.").waitFor();
    expect(await search.inputValue()).toBe(second._id);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

const OVERDUE = "delete:01arz3ndektsv4rrffq69g5fav";
const INTENTS = "**/admin/intents?*";
const LETTERS = "**/admin/dead-letters?*";

/** Lists an overdue change and a dead letter, until `isGone`. A real failure takes hours to get there; the actions on it are real. */
async function listFailures(page: Page, isGone: () => boolean = () => false): Promise<void> {
  const failedAt = new Date(Date.now() - 7_200_000).toISOString();
  const nextAt = new Date(Date.now() + 1_500_000).toISOString();
  const accountId = OVERDUE.slice("delete:".length);
  const failed = { id: OVERDUE, kind: "delete", attempts: 9, failedAt, nextAt, reason: "R2 is away" };
  const queued = { id: "one", queue: "uploads-dead", type: "upload.stored", state: "given-up" };
  const letter = { ...queued, attempts: 40, failedAt, nextAt: null, reason: "The processor is away" };
  const list = (path: string, name: string, item: object) =>
    page.route(path, (route) =>
      route.fulfill({ json: { [name]: isGone() ? [] : [item], pagination: { nextCursor: null }, next: null } }),
    );
  await list(INTENTS, "intents", { accountId, ...failed });
  await list(LETTERS, "letters", letter);
}

describe("health, queues, shards, audit log", () => {
  it("Health, shards and the audit log are shown at all widths, and charts are read as tables, too", async () => {
    const { page, problems } = await open("/operator");
    await page.getByRole("heading", { name: "Everything works" }).waitFor();
    await page.getByRole("table", { name: "" }).first().waitFor();
    const requests = page.getByRole("region", { name: "Requests", exact: true });
    await expect
      .poll(
        () =>
          requests
            .getByRole("slider")
            .getAttribute("aria-valuetext")
            .then((text) => /[1-9]\d* answered/.test(text ?? "")),
        {
          timeout: 90_000,
          interval: 2000,
        },
      )
      .toBe(true);
    await requests.getByRole("slider").press("ArrowLeft");
    await inspect(page, "health");
    await requests.getByRole("radio", { name: "Table" }).check({ force: true });
    await requests.getByRole("columnheader", { name: "Failed (5xx)" }).waitFor();
    await requests.getByRole("radio", { name: "14 days" }).check({ force: true });
    await requests.getByRole("columnheader", { name: "Day" }).waitFor();
    expect(await requests.getByRole("row").count()).toBe(15);
    await page
      .getByRole("row", { name: /directory/ })
      .first()
      .waitFor();

    const nav = page.getByRole("navigation", { name: "Operator" });
    await nav.getByRole("link", { name: "Shards" }).press("Enter");
    await page.getByRole("button", { name: "Close shard 00" }).press("Enter");
    await confirm(page, "Close shard 00?", "Nearly full");
    await page.getByRole("button", { name: "Open shard 00" }).press("Enter");
    await confirm(page, "Open shard 00?", "Room again");
    await page.getByRole("button", { name: "Close shard 00" }).waitFor();
    await inspect(page, "shards");
    await nav.getByRole("link", { name: "Audit log" }).press("Enter");
    await page.getByRole("cell", { name: "Nearly full" }).waitFor();
    await inspect(page, "audit");
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("An overdue change is tried again, and a dead letter is sent again or dropped", async () => {
    const { page, problems } = await open("/library");
    await listFailures(page);
    await page.goto(`${stack.baseUrl}/dashboard/operator/queues`);
    await page.getByText("R2 is away").waitFor();
    await inspect(page, "queues");
    await page.getByRole("button", { name: `Retry ${OVERDUE}` }).press("Enter");
    await page.getByText("The change was finished before").waitFor();
    await page.getByRole("button", { name: "Send again: upload.stored" }).press("Enter");
    await page.getByText("The message was sent again or dropped before").waitFor();
    const found = (route: Route) => route.fulfill({ json: { letters: 1 } });
    await page.route("**/admin/dead-letters/retry", found);
    await page.getByRole("button", { name: "Send again: upload.stored" }).press("Enter");
    await page.getByText("Message sent again").waitFor();
    await page.unroute("**/admin/dead-letters/retry", found);
    await page.getByRole("button", { name: "Drop: upload.stored" }).press("Enter");
    await confirm(page, "Drop the message?", "The video is gone");
    await expect.poll(() => page.getByText("The message was sent again or dropped before").count()).toBe(2);
    await page.unroute(INTENTS);
    await page.unroute(LETTERS);
    await page.reload();
    await page.getByText("No change is overdue").waitFor();
    await page.getByText("Every message was delivered").waitFor();
    await inspect(page, "queues-empty");
    const log = await stack.admin("audit");
    for (const action of ["retryIntent", "retryDeadLetters", "dropDeadLetters", "The video is gone"])
      expect(log).toContain(action);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it("A page that fails to load shows why, and Retry loads it", async () => {
    const { page } = await open("/library");
    const fail = (route: Route) =>
      route.fulfill({ status: 404, json: { error: "The list is away", code: "not_found", statusCode: 404 } });
    for (const [path, title] of [
      ["", "The health could not be loaded"],
      ["/accounts", "The accounts could not be loaded"],
      ["/takedowns", "The takedowns could not be loaded"],
      ["/audit", "The entries could not be loaded"],
    ] as const) {
      await page.route("**/admin/**", fail);
      await page.goto(`${stack.baseUrl}/dashboard/operator${path}`);
      await page.getByText(title).waitFor();
      if (path !== "/audit") await inspect(page, `failing${path.replace("/", "-")}`);
      await page.unroute("**/admin/**", fail);
      await page.getByRole("button", { name: "Retry" }).press("Enter");
      await page.getByText(title).waitFor({ state: "detached" });
    }
    await page.context().close();
  });
});

describe("faults in the middle of an action", () => {
  const END_SESSIONS = { method: "POST", path: "**/end-sessions" };

  async function openFree() {
    const opened = await open(`/operator/accounts?q=${free.email}`);
    await opened.page.getByRole("link", { name: free.email }).press("Enter");
    await opened.page.getByRole("button", { name: "End sessions" }).press("Enter");
    const dialog = opened.page.getByRole("dialog", { name: /^End the sessions/ });
    await dialog.getByLabel("Reason").fill("Stolen laptop");
    return { ...opened, dialog };
  }

  it("An action whose answer is lost keeps its dialog and its reason, and may be repeated", async () => {
    const { page, dialog } = await openFree();
    // The client sends the request again, so each answer is lost.
    await page.route(END_SESSIONS.path, loseAnswer);
    await page.keyboard.press("Enter");
    await dialog.getByText("Nothing was confirmed.").waitFor();
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("Stolen laptop");
    expect(await findBarriers(page)).toEqual([]);
    await page.unroute(END_SESSIONS.path, loseAnswer);
    await dialog.getByRole("button", { name: "End sessions" }).press("Enter");
    await page.getByText("Sessions ended").waitFor();
    await page.context().close();
  });

  it("An action asks for a proof if the last one is old, and continues after it", async () => {
    const { page } = await openFree();
    const sent = await failFirst(page, END_SESSIONS, (route) => {
      const json = {
        error: "Confirm your password to make this change",
        code: "reauthentication_required",
        statusCode: 403,
      };
      return route.fulfill({ status: 403, json });
    });
    await page.keyboard.press("Enter");
    await page.getByLabel("Password").fill(operator.password);
    await page.keyboard.press("Enter");
    await page.getByText("Sessions ended").waitFor();
    expect(sent).toHaveLength(2);
    await page.context().close();
  });

  it("An action after the mark was taken does nothing, and the room closes", async () => {
    const { email, password } = free;
    const { token } = await createClient({ baseUrl: stack.baseUrl }).auth.logIn({ email, password });
    const session = createClient({ baseUrl: stack.baseUrl, key: token });
    const { page } = await openFree();
    await stack.admin("unmark-operator", operator.email, "A test");
    const answered = page.waitForResponse((response) => response.url().endsWith("/end-sessions"));
    await page.keyboard.press("Enter");
    expect((await answered).status()).toBe(403);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await stack.admin("mark-operator", operator.email, "A test");
    expect((await session.account.get()).email).toBe(free.email);
    expect(await page.getByText("Sessions ended").count()).toBe(0);
    await page.context().close();
  });

  /** An account with a file of its own, whose bytes no takedown has blocked. */
  let made: { readonly email: string; readonly token: string; readonly file: string; readonly url: string };
  let accounts = 0;
  let room: Client;

  beforeAll(async () => {
    // These tests make more requests a minute than Pro has.
    await stack.setTier(operator.email, "business");
    const { email, password } = operator;
    const { token } = await createClient({ baseUrl: stack.baseUrl }).auth.logIn({ email, password });
    room = createClient({ baseUrl: stack.baseUrl, key: token });
  });
  beforeEach(async () => {
    // A closed shard takes no new accounts.
    await setShard(true);
    accounts += 1;
    const who = { email: `faults-${accounts}@example.com`, password: PASSWORD };
    await register(who.email);
    const { token } = await createClient({ baseUrl: stack.baseUrl }).auth.logIn(who);
    const host = createClient({ baseUrl: stack.baseUrl, key: token });
    const { _id, url } = await host.upload(new File([png(3, 2, 7200 + accounts)], "pier.png"));
    made = { email: who.email, token, file: _id, url };
    for (const { id } of await openReports()) await room.connection.call("POST", `/admin/reports/${id}`, dismissal);
  });

  const dismissal = { body: { decision: "dismissed", reason: "A test" } };
  const place = () => ({ browser, baseUrl: stack.baseUrl, who: operator });
  const read = <Answer>(path: string) => room.connection.call<Answer>("GET", path);
  const account = () => createAdmin(room).account(made.email);
  const openReports = async () => (await read<{ reports: { id: string }[] }>("/admin/reports?status=open")).reports;
  const takedowns = async () =>
    (await read<{ takedowns: { state: string }[] }>(`/admin/takedowns?file=${made.file}`)).takedowns.map(
      ({ state }) => state,
    );
  /** Gives the reason in the open dialog. @returns the dialog's button */
  async function giveReason(page: Page, button: string) {
    await page.getByRole("dialog").getByLabel("Reason").fill("Ticket 7");
    // The button that closes the dialog may have the same name, but has no text.
    return page.getByRole("dialog").getByRole("button", { name: button, exact: true }).filter({ hasText: button });
  }
  const onAccount = (button: string, action: string) => ({
    method: "POST" as const,
    path: `**/${action}`,
    at: () => `/operator/accounts?q=${made.email}`,
    prepare: async (page: Page) => {
      await page.getByRole("link", { name: made.email }).click();
      await page.getByRole("button", { name: button, exact: true }).click();
      return giveReason(page, button);
    },
  });
  const suspend = () => stack.admin("suspend", made.email, "A test");
  const takeDown = () => stack.admin("take-down", made.file, "A test");
  const isSuspended = async () => (await account()).suspension !== null;

  const SUSPENDED: Action = {
    ...onAccount("Suspend", "suspend"),
    done: (page) => page.getByText(`${made.email} is suspended`),
    state: isSuspended,
    before: false,
    after: true,
  };
  const LOGGED_OUT: Action = {
    ...onAccount("End sessions", "end-sessions"),
    done: (page) => page.getByText("Sessions ended"),
    state: async () => (await curl("-H", `Authorization: Bearer ${made.token}`, `${stack.baseUrl}/account`)).status,
    before: 200,
    after: 401,
  };
  const UNSUSPENDED: Action = {
    ...onAccount("Restore", "unsuspend"),
    given: suspend,
    done: (page) => page.getByText(`${made.email} is restored`),
    state: isSuspended,
    before: true,
    after: false,
  };
  const NEW_TIER: Action = {
    ...onAccount("Change tier", ""),
    method: "PUT",
    path: "**/admin/accounts/*",
    prepare: async (page) => {
      await page.getByRole("link", { name: made.email }).click();
      await page.getByRole("button", { name: "Change tier" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Tier").selectOption("starter");
      const id = dialog.getByLabel(/^Account's id/);
      if ((await id.count()) > 0) await id.fill((await account())._id);
      return giveReason(page, "Change tier");
    },
    done: (page) => page.getByText(`${made.email} is on Starter`),
    state: async () => (await account()).tier,
    before: "free",
    after: "starter",
  };
  const ERASED: Action = {
    ...onAccount("Erase", "erase"),
    prepare: async (page) => {
      await page.getByRole("link", { name: made.email }).click();
      await page.getByRole("button", { name: "Erase", exact: true }).click();
      await page
        .getByRole("dialog")
        .getByLabel(/^Type the account/)
        .fill(made.email);
      return giveReason(page, "Erase everything");
    },
    done: (page) => page.getByText(`${made.email} is being erased`),
    state: async () => (await read<{ accounts: object[] }>(`/admin/accounts?q=${made.email}`)).accounts.length,
    before: 1,
    after: 0,
  };
  const TAKEN_DOWN: Action = {
    method: "POST",
    path: "**/admin/takedowns",
    at: () => "/operator/takedowns",
    prepare: async (page) => {
      await page.getByRole("button", { name: "Take a file down" }).click();
      await page.getByLabel("The file's address or id").fill(made.file);
      return giveReason(page, "Take down");
    },
    done: (page) => page.getByText("File taken down"),
    state: takedowns,
    before: [],
    after: ["kept"],
  };
  const PUT_BACK: Action = {
    method: "DELETE",
    path: "**/admin/takedowns/*",
    at: () => `/operator/takedowns?file=${made.file}`,
    given: takeDown,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Restore pier.png" }).click();
      return giveReason(page, "Restore");
    },
    done: (page) => page.getByText("“pier.png” is served again"),
    state: takedowns,
    before: ["kept"],
    after: ["restored"],
  };
  // An address may send ten reports an hour, so one of the two decisions with a second request is tried.
  const onReport = (button: RegExp, action: string) => ({
    method: "POST" as const,
    path: "**/admin/reports/*",
    at: () => "/operator/reports",
    given: () => report(made.url, "Not allowed here"),
    prepare: async (page: Page) => {
      await page.getByRole("button", { name: button }).click();
      return giveReason(page, action);
    },
  });
  const DISMISSED: Action = {
    ...onReport(/^Dismiss/, "Dismiss"),
    done: (page) => page.getByText("Report dismissed"),
    state: async () => (await openReports()).length,
    before: 1,
    after: 0,
  };
  const REPORTED_DOWN: Action = {
    ...onReport(/^Take down/, "Take down"),
    done: (page) => page.getByText("File taken down"),
    state: async () => [(await openReports()).length, await takedowns()],
    before: [1, []],
    after: [0, ["kept"]],
  };
  const SHARD = "00";
  const setShard = (open: boolean) => room.connection.call("PUT", `/admin/shards/${SHARD}`, { body: { open } });
  const isShardOpen = async () =>
    (await read<{ shards: { shard: string; open: boolean }[] }>("/admin/shards")).shards.find(
      ({ shard }) => shard === SHARD,
    )?.open;
  const onShard = (button: string) => ({
    method: "PUT" as const,
    path: `**/admin/shards/${SHARD}`,
    at: () => "/operator/shards",
    prepare: async (page: Page) => {
      await page.getByRole("button", { name: `${button} shard ${SHARD}` }).click();
      return giveReason(page, button);
    },
    state: isShardOpen,
  });
  const CLOSED: Action = {
    ...onShard("Close"),
    done: (page) => page.getByText(`Shard ${SHARD} is closed`),
    before: true,
    after: false,
  };
  const OPENED: Action = {
    ...onShard("Open"),
    given: () => setShard(false),
    done: (page) => page.getByText(`Shard ${SHARD} is open`),
    before: false,
    after: true,
  };
  let entry: string | undefined;
  /** The newest entry of an action that the service carried out. */
  const newest = async (action: string) =>
    (
      await read<{ entries: { id: string; action: string; status: number | null }[] }>("/admin/audit?limit=100")
    ).entries.find((each) => each.action === action && each.status === 200)?.id;
  /** An action on a failure. The service's log shows that it was carried out. */
  const onFailure = (path: string, action: string, prepare: (page: Page) => Promise<Locator>) => ({
    method: "POST" as const,
    path: `**/admin/${path}`,
    given: async () => {
      entry = await newest(action);
    },
    at: () => "/operator",
    prepare: async (page: Page) => {
      await listFailures(page);
      await page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name: "Queues" }).click();
      return prepare(page);
    },
    state: async () => (await newest(action)) !== entry,
    before: false,
    after: true,
  });
  const RETRIED: Action = {
    ...onFailure("intents/retry", "retryIntent", async (page) =>
      page.getByRole("button", { name: `Retry ${OVERDUE}` }),
    ),
    done: (page) => page.getByText("The change was finished before"),
  };
  const HANDLED = "The message was sent again or dropped before";
  const RESENT: Action = {
    ...onFailure("dead-letters/retry", "retryDeadLetters", async (page) =>
      page.getByRole("button", { name: "Send again: upload.stored" }),
    ),
    done: (page) => page.getByText(HANDLED),
  };
  const DROPPED: Action = {
    ...onFailure("dead-letters/drop", "dropDeadLetters", async (page) => {
      await page.getByRole("button", { name: "Drop: upload.stored" }).click();
      return giveReason(page, "Drop");
    }),
    done: (page) => page.getByText(HANDLED),
  };
  const ACTIONS: Readonly<Record<string, Action>> = {
    "Retrying an overdue change": RETRIED,
    "Sending a dead letter again": RESENT,
    "Dropping a dead letter": DROPPED,
    "Closing a shard": CLOSED,
    "Opening a shard": OPENED,
    "Ending sessions": LOGGED_OUT,
    "Suspending an account": SUSPENDED,
    "Restoring an account": UNSUSPENDED,
    "Changing a tier": NEW_TIER,
    "Erasing an account": ERASED,
    "Taking a file down": TAKEN_DOWN,
    "Restoring a file": PUT_BACK,
    "Dismissing a report": DISMISSED,
    "Taking a reported file down": REPORTED_DOWN,
  };

  describe.each(Object.entries(ACTIONS))("%s", (name, action) => {
    it(`${name} waits for the service's \`Retry-After\` if the rate is reached, and is then done once`, () =>
      expectWait(place(), action));

    it(`${name} asks for the password if the session is over, and is then done once`, () =>
      expectRenewal(place(), action));

    it(`${name} is sent again when the network is back if the answer was lost with it, and has one effect`, () =>
      expectResumption(place(), action));
  });

  it.each([
    ["overdue change", RETRIED, "No change is overdue"],
    ["dead letter", RESENT, "Every message was delivered"],
    ["dead letter that is to be dropped", DROPPED, "Every message was delivered"],
  ] as const)("The %s that another operator has handled is reported, and leaves the list", async (_, action, empty) => {
    let isGone = false;
    const { page, button } = await begin(place(), {
      ...action,
      prepare: async (page) => {
        const last = await action.prepare(page);
        await last.waitFor();
        // The page shows the list that it has read until the action.
        await listFailures(page, () => isGone);
        return last;
      },
    });
    isGone = true;
    await button.click();
    await action.done(page).first().waitFor();
    await page.getByText(empty).waitFor();
    await expect.poll(() => page.getByLabel("Reason").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["closed", CLOSED, "Open"],
    ["opened", OPENED, "Close"],
  ] as const)(
    "A shard that another tab has %s meanwhile stays so, and the page shows it",
    async (_, action, button) => {
      const { page, button: confirmed } = await begin(place(), action);
      const { given: _given, ...again } = action;
      await doElsewhere(page, place(), again);
      await confirmed.click();
      await action.done(page).first().waitFor();
      await page.getByRole("button", { name: `${button} shard ${SHARD}` }).waitFor();
      expect(await isShardOpen()).toBe(action.after);
      await page.context().close();
    },
  );

  it("A report that another operator has decided is decided once more, and leaves the list", async () => {
    const { page, button } = await begin(place(), REPORTED_DOWN);
    for (const { id } of await openReports()) await room.connection.call("POST", `/admin/reports/${id}`, dismissal);
    await button.click();
    await finish(page, REPORTED_DOWN);
  });
});
