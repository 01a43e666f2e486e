import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import {
  type Action,
  begin,
  doElsewhere,
  expectGone,
  expectRenewal,
  expectRepetition,
  expectWait,
  finish,
} from "../support/dashboard/action.ts";
import { failFirst, loseAnswer, refuseByRate } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { photo } from "../support/media/pictures.ts";
import { Stack } from "../support/stack/stack.ts";

// Shares, private files and signed links while the network is lost, the session is over or the rate is reached, and as another tab changes them.

let stack: Stack;
let browser: Browser;
let host: Client;
let who: { readonly email: string; readonly password: string };
let folderId: string;
let fileId: string;

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const { pro, password } = await stack.demoAccounts();
  who = { email: pro.email, password };
  host = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
  folderId = (await host.folders.create({ name: "Holidays" }))._id;
  const picture = await photo(240, 180).png().toBuffer();
  fileId = (await host.upload(new File([picture], "pier.png"), { folderId }))._id;
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});
beforeEach(async () => {
  for (const { _id } of (await host.shares.list()).shares) await host.shares.delete(_id);
  await host.update(fileId, { visibility: "public" });
});

const place = () => ({ browser, baseUrl: stack.baseUrl, who });
const titles = async () => (await host.shares.list()).shares.map(({ title }) => title);
const shareSpring = () => host.shares.create({ folderId, title: "Spring" });
const atFile = () => `/library/${fileId}`;

const NEW_SHARE: Action = {
  method: "POST",
  path: "**/shares",
  at: () => "/library",
  prepare: async (page) => {
    await page.getByRole("treeitem", { name: /^Holidays/ }).hover();
    await page.getByRole("button", { name: "Actions for Holidays" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    const form = page.getByRole("dialog", { name: "Share Holidays" });
    await form.getByLabel("Title").fill("Summer");
    return form.getByRole("button", { name: "Share" });
  },
  done: (page) => page.getByRole("dialog", { name: "Holidays shared" }).getByLabel("Link", { exact: true }),
  state: titles,
  before: [],
  after: ["Summer"],
};
const CHANGED_SHARE: Action = {
  method: "PATCH",
  path: "**/shares/*",
  given: shareSpring,
  at: () => "/shares",
  prepare: async (page) => {
    await page.getByRole("button", { name: "Edit Spring" }).click();
    const form = page.getByRole("dialog", { name: "Edit “Spring”" });
    await form.getByLabel("Title").fill("Summer");
    return form.getByRole("button", { name: "Save" });
  },
  done: (page) => page.getByRole("list", { name: "Shares" }).getByRole("link", { name: "Summer" }),
  state: titles,
  before: ["Spring"],
  after: ["Summer"],
};
const ENDED_SHARE: Action = {
  method: "DELETE",
  path: "**/shares/*",
  given: shareSpring,
  at: () => "/shares",
  prepare: async (page) => {
    await page.getByRole("button", { name: "End Spring" }).click();
    return page.getByRole("dialog", { name: "End “Spring”?" }).getByRole("button", { name: "End share" });
  },
  done: (page) => page.getByText("“Spring” ended"),
  state: titles,
  before: ["Spring"],
  after: [],
};
const PRIVATE_FILE: Action = {
  method: "POST",
  path: "**/images/bulk-update",
  at: atFile,
  prepare: async (page) => page.getByRole("button", { name: "Private", exact: true }),
  done: (page) => page.getByText("1 file made private"),
  state: async () => (await host.image(fileId)).visibility,
  before: "public",
  after: "private",
};
const SIGNED_LINK: Action = {
  method: "POST",
  path: "**/images/*/sign",
  given: () => host.update(fileId, { visibility: "private" }),
  at: atFile,
  prepare: async (page) => {
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.getByRole("button", { name: "Copy link" }).click();
    return page.getByRole("menuitem", { name: "For 1 hour" });
  },
  done: (page) => page.getByText("It works for 1 hour."),
  state: readSigned,
  before: undefined,
  after: { status: 200, hours: 1 },
};
const copyAs = (page: Page) =>
  page.getByRole("toolbar", { name: "Selected files" }).getByRole("button", { name: "Copy as…" });
const COPIED_AS: Action = {
  ...SIGNED_LINK,
  at: () => `/library?folder=${folderId}&view=grid`,
  prepare: async (page) => {
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.locator('[data-position="0"]').focus();
    await page.keyboard.press("x");
    await copyAs(page).click();
    const dialog = page.getByRole("dialog", { name: "Copy 1 file as" });
    await dialog.getByRole("radio", { name: "1 hour" }).check({ force: true });
    return dialog.getByRole("button", { name: "Link", exact: true });
  },
  done: (page) => page.getByText("Links of private files work for 1 hour."),
};
const ACTIONS: Readonly<Record<string, Action>> = {
  "Sharing a folder": NEW_SHARE,
  "Changing a share": CHANGED_SHARE,
  "Ending a share": ENDED_SHARE,
  "Making a file private": PRIVATE_FILE,
  "Copying a signed link": SIGNED_LINK,
  "Copying signed links as text": COPIED_AS,
};

/** The answer of the copied link and the hours for which it works; undefined if nothing is copied. */
async function readSigned(page: Page) {
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  if (copied === "") return undefined;
  const expires = Number(new URL(copied).searchParams.get("exp")) * 1000;
  return { status: (await fetch(copied)).status, hours: Math.round((expires - Date.now()) / 3_600_000) };
}

describe.each(Object.entries(ACTIONS))("%s", (name, action) => {
  it(`${name} waits for the service's \`Retry-After\` if the rate is reached, and is then done once`, () =>
    expectWait(place(), action));

  it(`${name} asks for the password if the session is over, and is then done once`, () =>
    expectRenewal(place(), action));
});

it.each([
  ["1 day", 24],
  ["1 week", 168],
])("A copied link of a private file opens it for %s", async (age, hours) => {
  const link: Action = {
    ...SIGNED_LINK,
    prepare: async (page) => {
      await SIGNED_LINK.prepare(page);
      return page.getByRole("menuitem", { name: `For ${age}` });
    },
    done: (page) => page.getByText(`It works for ${age}.`),
    after: { status: 200, hours },
  };
  const { page, button } = await begin(place(), link);
  await button.click();
  await finish(page, link);
});

it("HTML of a private and a public file that are copied together shows both to strangers for a week", async () => {
  const other = await photo(320, 180).png().toBuffer();
  const { _id: otherId } = await host.upload(new File([other], "public.png"), { folderId });
  const { page } = await begin(place(), {
    ...COPIED_AS,
    prepare: async (page) => page.locator("#main"),
    state: async () => undefined,
  });
  await page.locator('[data-position="0"]').focus();
  await page.keyboard.press("Control+a");
  await copyAs(page).click();
  const dialog = page.getByRole("dialog", { name: "Copy 2 files as" });
  await dialog.getByRole("radio", { name: "1 week" }).check({ force: true });
  expect(await dialog.locator("code").first().textContent()).toContain("?exp=…&sig=…");
  expect(await findBarriers(page)).toEqual([]);
  await takeScreenshots(page, "copy-private-as");
  await dialog.getByRole("button", { name: "HTML" }).click();
  await page.getByText("Links of private files work for 1 week.").waitFor();
  const html = await page.evaluate<string>("navigator.clipboard.readText()");
  const urls = Array.from(html.matchAll(/src="([^"]+)"/g), ([, url = ""]) => url.replaceAll("&#38;", "&"));
  expect(urls.map((url) => new URL(url).searchParams.has("sig")).sort()).toEqual([false, true]);
  for (const url of urls) expect((await fetch(url)).status).toBe(200);
  await host.delete(otherId);
  await page.context().close();
});

describe("an open file", () => {
  it.each([1280, 390])("The wait is shown over an open file, %i pixels wide", async (width) => {
    const { page, button } = await begin(place(), PRIVATE_FILE);
    await page.setViewportSize({ width, height: 844 });
    const sent = await failFirst(page, PRIVATE_FILE, (route) => refuseByRate(route, 8));
    await button.click();
    const wait = page.locator("[role=dialog]:has(h1)").getByText(/^Waiting \d s\.$/);
    // Fails if something covers the banner.
    await wait.click({ trial: true });
    expect(await findBarriers(page)).toEqual([]);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `.wrangler/screenshots/file-wait-${colorScheme}-${width}.png` });
    }
    expect(sent).toHaveLength(1);
    await finish(page, PRIVATE_FILE);
  });
});

describe("a lost network", () => {
  it.each(Object.entries(ACTIONS).filter(([, action]) => action !== NEW_SHARE))(
    "%s is sent again if its answer is lost, and has one effect",
    (_, action) => expectRepetition(place(), action),
  );

  const notConfirmed = (page: Page) =>
    page
      .getByRole("dialog", { name: "Share Holidays" })
      .getByText("The service did not confirm the share. If it exists, the page Shares has it.");

  it("A share whose request is lost keeps its form, and the next try makes it once", async () => {
    const { page, button } = await begin(place(), NEW_SHARE);
    const sent = await failFirst(page, NEW_SHARE, (route) => route.abort());
    await button.click();
    await notConfirmed(page).waitFor();
    expect(await titles()).toEqual([]);
    expect(await page.getByLabel("Title").inputValue()).toBe("Summer");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "share-lost");
    await button.click();
    await finish(page, NEW_SHARE);
    expect(sent).toHaveLength(2);
  });

  it("A share whose answer is lost is not made twice, and is on the page Shares", async () => {
    const { page, button } = await begin(place(), NEW_SHARE);
    const sent = await failFirst(page, NEW_SHARE, loseAnswer);
    await button.click();
    await notConfirmed(page).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("navigation", { name: "Library" }).getByRole("link", { name: "Shares" }).click();
    await page.getByRole("list", { name: "Shares" }).getByRole("link", { name: "Summer" }).waitFor();
    expect(await titles()).toEqual(["Summer"]);
    expect(sent).toHaveLength(1);
    await page.context().close();
  });
});

describe("another tab", () => {
  it.each([
    ["changed", CHANGED_SHARE],
    ["ended", ENDED_SHARE],
  ] as const)("A share that another tab has ended cannot be %s, and leaves the page", async (_, action) => {
    const { page, button } = await begin(place(), action);
    const url = (await host.shares.list()).shares[0]?.url ?? "";
    await doElsewhere(page, place(), ENDED_SHARE);
    await button.click();
    await expectGone(page, "Share not found.");
    await page.getByRole("heading", { name: "Nothing shared yet" }).waitFor();
    expect(await titles()).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    await page.context().close();
  });

  it("A file that another tab makes private is shown as private, and its links are signed", async () => {
    const { page, button } = await begin(place(), PRIVATE_FILE);
    const { url } = await host.image(fileId);
    expect((await fetch(url)).status).toBe(200);
    await doElsewhere(page, place(), PRIVATE_FILE);
    await expect.poll(() => button.getAttribute("aria-pressed")).toBe("true");
    await (await SIGNED_LINK.prepare(page)).click();
    await finish(page, SIGNED_LINK);
    expect((await fetch(url)).status).toBe(403);
  });

  it("A file that a program makes private at the same moment stays private", async () => {
    const { page, button } = await begin(place(), PRIVATE_FILE);
    const sent = await failFirst(page, PRIVATE_FILE, async (route) => {
      await host.update(fileId, { visibility: "private" });
      await route.fallback();
    });
    await button.click();
    await finish(page, PRIVATE_FILE);
    expect(sent).toHaveLength(1);
  });
});
