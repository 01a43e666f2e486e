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
} from "../support/dashboard/action.ts";
import { failFirst, loseAnswer } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// Folders while the network is lost, the session is over or the rate is reached, and as another tab changes them.

let stack: Stack;
let browser: Browser;
let host: Client;
let who: { readonly email: string; readonly password: string };

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  const { pro, password } = await stack.demoAccounts();
  who = { email: pro.email, password };
  host = createClient({ baseUrl: stack.baseUrl, key: pro.apiKey });
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});
beforeEach(async () => {
  for (const { _id, parentId } of await host.folders.list()) if (parentId === null) await host.folders.delete(_id);
});

const place = () => ({ browser, baseUrl: stack.baseUrl, who });
/** The folders' paths. */
async function paths(): Promise<string[]> {
  const folders = await host.folders.list();
  const pathOf = (id: string | null): string => {
    const folder = folders.find(({ _id }) => _id === id);
    return folder === undefined ? "" : `${pathOf(folder.parentId)}/${folder.name}`;
  };
  return folders.map(({ _id }) => pathOf(_id)).sort();
}
const makeNorway = () => host.folders.create({ name: "Norway" });
const makeBoth = async () => {
  await makeNorway();
  await host.folders.create({ name: "Europe" });
};

/** Chooses an item of Norway's menu. */
async function choose(page: Page, item: string) {
  await page.getByRole("treeitem", { name: /^Norway/ }).hover();
  await page.getByRole("button", { name: "Actions for Norway" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Fills in the name of a dialog. @returns its button */
async function fill(page: Page, title: string, name: string, button: string) {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Name").fill(name);
  return dialog.getByRole("button", { name: button });
}

const FOLDERS = { at: () => "/library", state: paths } as const;

const NEW: Action = {
  ...FOLDERS,
  method: "POST",
  path: "**/folders",
  prepare: async (page) => {
    await page.getByRole("button", { name: "New folder", exact: true }).first().click();
    return fill(page, "New folder", "Norway", "Create");
  },
  done: (page) => page.getByRole("treeitem", { name: "Norway 0" }),
  before: [],
  after: ["/Norway"],
};
const SUBFOLDER: Action = {
  ...FOLDERS,
  method: "POST",
  path: "**/folders",
  given: makeNorway,
  prepare: async (page) => {
    await choose(page, "New subfolder");
    return fill(page, "New folder in Norway", "Fjords", "Create");
  },
  done: (page) => page.getByRole("treeitem", { name: "Fjords 0" }),
  before: ["/Norway"],
  after: ["/Norway", "/Norway/Fjords"],
};
const RENAMED: Action = {
  ...FOLDERS,
  method: "PATCH",
  path: "**/folders/*",
  given: makeNorway,
  prepare: async (page) => {
    await choose(page, "Rename");
    return fill(page, "Rename Norway", "Sweden", "Rename");
  },
  done: (page) => page.getByText("Norway renamed to Sweden"),
  before: ["/Norway"],
  after: ["/Sweden"],
};
const MOVED: Action = {
  ...FOLDERS,
  method: "PATCH",
  path: "**/folders/*",
  given: makeBoth,
  prepare: async (page) => {
    await choose(page, "Move");
    const dialog = page.getByRole("dialog", { name: "Move Norway" });
    await dialog.getByLabel("Find a folder").fill("Europe");
    return dialog.getByRole("button", { name: "Move here" });
  },
  done: (page) => page.getByText("Norway moved"),
  before: ["/Europe", "/Norway"],
  after: ["/Europe", "/Europe/Norway"],
};
const DELETED: Action = {
  ...FOLDERS,
  method: "DELETE",
  path: "**/folders/*",
  given: makeNorway,
  prepare: async (page) => {
    await choose(page, "Delete");
    return page.getByRole("dialog", { name: "Delete Norway?" }).getByRole("button", { name: "Delete" });
  },
  done: (page) => page.getByText("No folders yet."),
  before: ["/Norway"],
  after: [],
};
const ACTIONS: Readonly<Record<string, Action>> = {
  "Making a folder": NEW,
  "Making a subfolder": SUBFOLDER,
  "Renaming a folder": RENAMED,
  "Moving a folder": MOVED,
  "Deleting a folder": DELETED,
};

describe.each(Object.entries(ACTIONS))("%s", (name, action) => {
  it(`${name} waits for the service's \`Retry-After\` if the rate is reached, and is then done once`, () =>
    expectWait(place(), action));

  it(`${name} asks for the password if the session is over, and is then done once`, () =>
    expectRenewal(place(), action));
});

describe("a lost network", () => {
  it.each(Object.entries(ACTIONS).filter(([, { method }]) => method !== "POST"))(
    "%s is repeated if its answer is lost, and has one effect",
    (_, action) => expectRepetition(place(), action),
  );

  it("A folder whose answer is lost is not made twice, and is in the tree", async () => {
    const { page, button } = await begin(place(), NEW);
    const sent = await failFirst(page, NEW, loseAnswer);
    await button.click();
    const dialog = page.getByRole("dialog", { name: "New folder" });
    await dialog.getByText("No answer came from the server.").waitFor();
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("A folder here has this name").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await NEW.done(page).waitFor();
    expect(await paths()).toEqual(["/Norway"]);
    expect(sent).toHaveLength(2);
    await page.context().close();
  });
});

describe("another tab", () => {
  it.each([
    ["renamed", RENAMED, []],
    ["moved", MOVED, ["/Europe"]],
    ["deleted", DELETED, []],
    ["filled", SUBFOLDER, []],
  ] as const)(
    "A folder that another tab has deleted cannot be %s, and the page says so",
    async (name, action, left) => {
      const { page, button } = await begin(place(), action);
      const { given: _, done, ...deletion } = DELETED;
      const isGone = (other: Page) =>
        left.length === 0 ? done(other) : other.getByRole("treeitem", { name: "Europe 0" });
      await doElsewhere(page, place(), { ...deletion, done: isGone });
      await expect.poll(paths).toEqual(left);
      // The other tab announces the deletion, and this one reads the tree again while its dialog is open.
      await page.getByRole("treeitem", { name: /^Norway/, includeHidden: true }).waitFor({ state: "detached" });
      expect(await page.getByRole("dialog").count()).toBe(1);
      await button.click();
      await expectGone(page, "Folder not found.");
      expect(await findBarriers(page)).toEqual([]);
      await takeScreenshots(page, `folder-gone-${name}`);
      expect(await paths()).toEqual(left);
      await page.context().close();
    },
  );

  it("If another tab deletes the folder of the view, the page explains that its files are in Root", async () => {
    const { page } = await begin(place(), { ...DELETED, at: () => "/library?folder=root" });
    await page.keyboard.press("Escape");
    await page
      .getByRole("treeitem", { name: /^Norway/ })
      .getByRole("link")
      .click();
    await page.getByText("Files are uploaded into this folder.").waitFor();
    const { given: _, ...deletion } = DELETED;
    await doElsewhere(page, place(), deletion);
    await page.getByRole("heading", { name: "Folder not found" }).waitFor();
    await page.getByRole("link", { name: "Open all files" }).click();
    await page.waitForURL("**/dashboard/library");
    await page.context().close();
  });

  it("A folder that another tab has renamed takes the name that is given last", async () => {
    const { page, button } = await begin(place(), RENAMED);
    const [norway] = await host.folders.list();
    await host.folders.update(norway?._id ?? "", { name: "Noreg" });
    await button.click();
    await RENAMED.done(page).first().waitFor();
    expect(await paths()).toEqual(["/Sweden"]);
    await page.context().close();
  });

  it("A name that another tab has taken is refused in the dialog", async () => {
    const { page, button } = await begin(place(), RENAMED);
    await host.folders.create({ name: "Sweden" });
    await button.click();
    const dialog = page.getByRole("dialog", { name: "Rename Norway" });
    await dialog.getByText("A folder here has this name").waitFor();
    expect(await paths()).toEqual(["/Norway", "/Sweden"]);
    await page.context().close();
  });
});
