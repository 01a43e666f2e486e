import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import type { MediaObject, Preset } from "../../src/client/types.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import {
  type Action,
  begin,
  doElsewhere,
  expectGone,
  expectRenewal,
  expectResumption,
  expectWait,
  finish,
} from "../support/dashboard/action.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { photo } from "../support/media/pictures.ts";
import { Stack } from "../support/stack/stack.ts";

// Files, presets, settings and saved searches while the network is lost, the session is over or the rate is reached, and as another tab
// changes them.

let stack: Stack;
let browser: Browser;
let host: Client;
let who: { readonly email: string; readonly password: string };
let pictures: readonly Buffer[];
let fileId: string;

beforeAll(async () => {
  const draw = (width: number) => photo(width, 180).png().toBuffer();
  [stack, browser, pictures] = await Promise.all([Stack.start(), openBrowser(), Promise.all([draw(240), draw(320)])]);
  const { pro, password } = await stack.demoAccounts();
  who = { email: pro.email, password };
  // These tests make more requests a minute than Pro has.
  await stack.setTier(who.email, "business");
  host = createClient({
    baseUrl: stack.baseUrl,
    key: (await createClient({ baseUrl: stack.baseUrl }).auth.logIn(who)).token,
  });
});
afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});
beforeEach(async () => {
  for (const { _id } of await files()) await host.delete(_id);
  for (const { _id } of await host.folders.list()) await host.folders.delete(_id);
  for (const { name } of await presets()) await call("DELETE", `/settings/presets/${name}`);
  for (const { _id } of await searches()) await call("DELETE", `/searches/${_id}`);
  await host.settings.update({ autoCompress: false, compressionQuality: 80, variants: "open" });
  fileId = (await host.upload(new File([pictures[0] ?? ""], "pier.png")))._id;
});

/** The files that one request of the dashboard deletes. */
const BATCH = 100;

const place = () => ({ browser, baseUrl: stack.baseUrl, who });

/** Sends a request as the account's owner. */
const call = <Answer>(method: string, path: string, body?: object) =>
  host.connection.call<Answer>(method, path, { body });
const file = () => host.image(fileId);
/** The files of the library and of the trash. */
const files = async () => {
  const all: MediaObject[] = [];
  for await (const image of host.images({ folderId: "all", status: "all" })) all.push(image);
  return all;
};
const presets = async () => (await call<{ presets: Preset[] }>("GET", "/settings/presets")).presets;
interface Search {
  readonly _id: string;
  readonly name: string;
  readonly address: string;
}
const searches = async () => (await call<{ searches: Search[] }>("GET", "/searches")).searches;

/** Chooses the only file of the list and presses a button of the bar. */
async function press(page: Page, name: string) {
  await page.locator('[data-position="0"]').focus();
  await page.keyboard.press("x");
  return page.getByRole("toolbar", { name: "Selected files" }).getByRole("button", { name, exact: true });
}

/** Edits a fact of the open file. @returns the button that saves it */
async function edit(page: Page, label: string, text: string) {
  await page.getByRole("button", { name: `Edit ${label.toLowerCase()}` }).click();
  await page.getByLabel(label, { exact: true }).fill(text);
  return page.getByRole("button", { name: "Save", exact: true });
}

const atFile = { at: () => `/library/${fileId}`, method: "PATCH", path: "**/images/*" } as const;
const inTrash = {
  at: () => "/trash?view=grid",
  given: () => host.trash([fileId]),
  state: async () => (await files()).map(({ status }) => status),
  before: ["trash"],
} as const;
const inList = { at: () => "/library?view=grid", method: "POST", path: "**/images/bulk-update" } as const;

const RESTORED: Action = {
  ...inTrash,
  method: "POST",
  path: "**/images/bulk-restore",
  prepare: (page) => press(page, "Restore"),
  done: (page) => page.getByText("1 file restored"),
  after: ["active"],
};
const DELETED: Action = {
  ...inTrash,
  method: "POST",
  path: "**/images/bulk-delete",
  prepare: async (page) => {
    await (await press(page, "Delete permanently")).click();
    return page
      .getByRole("dialog", { name: "Delete 1 file permanently?" })
      .getByRole("button", { name: "Delete 1 file" });
  },
  done: (page) => page.getByText("1 file deleted permanently"),
  after: [],
};
const EMPTIED: Action = {
  ...DELETED,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Empty the trash" }).click();
    return page
      .getByRole("dialog", { name: "Delete 1 file permanently?" })
      .getByRole("button", { name: "Delete 1 file" });
  },
};
const TRASHED: Action = {
  ...atFile,
  method: "POST",
  path: "**/images/bulk-trash",
  prepare: async (page) => page.getByRole("button", { name: "Move to the trash" }),
  done: (page) => page.getByText("1 file moved to the trash"),
  state: inTrash.state,
  before: ["active"],
  after: ["trash"],
};
const TAGGED: Action = {
  ...inList,
  prepare: async (page) => {
    await (await press(page, "Tag")).click();
    const dialog = page.getByRole("dialog", { name: "Tags of 1 file" });
    await dialog.getByLabel("Add tags").fill("press");
    return dialog.getByRole("button", { name: "Save" });
  },
  done: (page) => page.getByText("1 file tagged press"),
  state: async () => (await file()).tags,
  before: [],
  after: ["press"],
};
const FAVOURITE: Action = {
  ...atFile,
  method: "POST",
  path: "**/images/bulk-update",
  prepare: async (page) => page.getByRole("button", { name: "Favourite", exact: true }),
  done: (page) => page.getByText("1 file added to favourites"),
  state: async () => (await file()).favorite,
  before: false,
  after: true,
};
const MOVED: Action = {
  ...inList,
  given: () => host.folders.create({ name: "Norway" }),
  prepare: async (page) => {
    await (await press(page, "Move")).click();
    const dialog = page.getByRole("dialog", { name: "Move 1 file" });
    await dialog.getByLabel("Find a folder").fill("Norway");
    return dialog.getByRole("button", { name: "Move here" });
  },
  done: (page) => page.getByText("1 file moved to Norway"),
  state: async () => {
    const [norway] = await host.folders.list();
    return (await file()).folderId === norway?._id;
  },
  before: false,
  after: true,
};
const ALT: Action = {
  ...atFile,
  prepare: (page) => edit(page, "Alt text", "A pier"),
  done: (page) => page.getByText("Alt text saved"),
  state: async () => (await file()).alt,
  before: null,
  after: "A pier",
};
const METADATA: Action = {
  ...atFile,
  prepare: (page) => edit(page, "Metadata", '{"order": 7}'),
  done: (page) => page.getByText("Metadata saved"),
  state: async () => (await file()).metadata,
  before: null,
  after: { order: 7 },
};
const OWN_ID: Action = {
  ...atFile,
  prepare: (page) => edit(page, "Your id", "order-7"),
  done: (page) => page.getByText("Id saved"),
  state: async () => (await file()).externalId,
  before: null,
  after: "order-7",
};
const EXPIRY: Action = {
  ...atFile,
  prepare: (page) => edit(page, "Expiry", new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 16)),
  done: (page) => page.getByText("Expiry changed"),
  state: async () => (await file()).expiresAt !== null,
  before: false,
  after: true,
};
const FOCAL_POINT: Action = {
  ...atFile,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Use this picture" }).click();
    const panel = page.getByRole("dialog", { name: /^Use / });
    await panel.getByText("Cut to shape").click();
    await panel.getByText("1:1", { exact: true }).click();
    return panel.getByRole("button", { name: /^Focal point/ });
  },
  done: (page) => page.getByText("Focal point saved"),
  state: async () => (await file()).focalPoint !== null,
  before: false,
  after: true,
};
const REPLACED: Action = {
  ...atFile,
  method: "PUT",
  path: "**/images/*/content",
  prepare: async (page) => {
    const [, buffer = Buffer.of()] = pictures;
    await page.getByLabel("The new file").setInputFiles({ name: "new.png", mimeType: "image/png", buffer });
    return page.getByRole("dialog", { name: "Replace pier.png?" }).getByRole("button", { name: "Replace" });
  },
  done: (page) => page.getByText(/pier\.png.* has new content/),
  state: async () => (await file()).size.width,
  before: 240,
  after: 320,
};

const makePreset = () => call("PUT", "/settings/presets/card", { parameters: "w=300" });
const atPresets = {
  at: () => "/settings",
  path: "**/settings/presets/*",
  state: async () => (await presets()).map(({ name, parameters }) => `${name} ${parameters}`),
} as const;
const savePreset = (page: Page) =>
  page.getByRole("dialog", { name: /preset|“card”/ }).getByRole("button", { name: "Save" });
const NEW_PRESET: Action = {
  ...atPresets,
  method: "PUT",
  prepare: async (page) => {
    await page.getByRole("button", { name: "New preset" }).click();
    const form = page.getByRole("dialog", { name: "New preset" });
    await form.getByLabel("Name").fill("card");
    await form.getByLabel("Parameters").fill("w=300");
    return savePreset(page);
  },
  done: (page) => page.getByText("Preset “card” saved"),
  before: [],
  after: ["card w=300"],
};
const CHANGED_PRESET: Action = {
  ...atPresets,
  method: "PUT",
  given: makePreset,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Edit card" }).click();
    await page.getByRole("dialog", { name: "Edit “card”" }).getByLabel("Parameters").fill("w=400");
    return savePreset(page);
  },
  done: (page) => page.getByText("Preset “card” saved"),
  before: ["card w=300"],
  after: ["card w=400"],
};
const DELETED_PRESET: Action = {
  ...atPresets,
  method: "DELETE",
  given: makePreset,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Delete card" }).click();
    return page.getByRole("dialog", { name: /^Delete the preset/ }).getByRole("button", { name: "Delete" });
  },
  done: (page) => page.getByText("Preset “card” deleted"),
  before: ["card w=300"],
  after: [],
};
const SIZES: Action = {
  at: () => "/settings",
  method: "PATCH",
  path: "**/settings",
  prepare: async (page) => {
    const section = page.getByRole("region", { name: "Sizes" });
    await section.getByLabel("Served sizes").selectOption("presets");
    return section.getByRole("button", { name: "Save" });
  },
  done: (page) => page.getByText("The choice of sizes takes effect within a minute."),
  state: async () => (await host.settings.get()).variants,
  before: "open",
  after: "presets",
};
const COMPRESSION: Action = {
  ...SIZES,
  prepare: async (page) => {
    const section = page.getByRole("region", { name: "Compression" });
    await section.getByLabel("Compress images on upload").check({ force: true });
    return section.getByRole("button", { name: "Save" });
  },
  done: (page) => page.getByText(/^Images are compressed at quality/),
  state: async () => (await host.settings.get()).autoCompress,
  before: false,
  after: true,
};

const saveSearch = () => call("POST", "/searches", { name: "PNGs", address: "/library?type=png" });
const atSearches = {
  at: () => "/library?type=jpeg",
  path: "**/searches/*",
  given: saveSearch,
  state: async () => (await searches()).map(({ name, address }) => `${name} ${address}`),
  before: ["PNGs /library?type=png"],
} as const;
const choose = async (page: Page, item: string) => {
  await page.getByRole("button", { name: "Actions for PNGs" }).press("Enter");
  return page.getByRole("menuitem", { name: item });
};
const RENAMED_SEARCH: Action = {
  ...atSearches,
  method: "PATCH",
  prepare: async (page) => {
    await (await choose(page, "Rename")).click();
    const dialog = page.getByRole("dialog", { name: "Rename PNGs" });
    await dialog.getByLabel("Name").fill("Drawings");
    return dialog.getByRole("button", { name: "Rename" });
  },
  done: (page) => page.getByRole("link", { name: "Drawings" }),
  after: ["Drawings /library?type=png"],
};
const UPDATED_SEARCH: Action = {
  ...atSearches,
  method: "PATCH",
  prepare: (page) => choose(page, "Use the filters shown"),
  done: (page) => page.getByText("PNGs updated"),
  after: ["PNGs /library?type=jpeg"],
};
const DELETED_SEARCH: Action = {
  ...atSearches,
  method: "DELETE",
  prepare: (page) => choose(page, "Delete"),
  done: (page) => page.getByText("PNGs deleted"),
  after: [],
};

const imports = async () => (await call<{ imports: object[] }>("GET", "/imports")).imports.length;
let importsBefore = 0;
const IMPORT: Action = {
  at: () => "/library",
  method: "POST",
  path: "**/images/import",
  given: async () => {
    importsBefore = await imports();
  },
  prepare: async (page) => {
    await page.getByRole("button", { name: "More ways to upload" }).click();
    await page.getByRole("menuitem", { name: "Import from the web" }).click();
    const form = page.getByRole("dialog", { name: "Import from the web" });
    await form.getByLabel("Addresses").fill("https://files.example/beach.png");
    return page.getByRole("dialog").getByRole("button", { name: "Import" });
  },
  done: (page) => page.getByRole("dialog").getByRole("list", { name: "Files" }),
  state: async () => (await imports()) - importsBefore,
  before: 0,
  after: 1,
};

const ACTIONS: Readonly<Record<string, Action>> = {
  "Restoring a file": RESTORED,
  "Deleting a file permanently": DELETED,
  "Emptying the trash": EMPTIED,
  "Moving a file to the trash": TRASHED,
  "Tagging a file": TAGGED,
  "Marking a favourite": FAVOURITE,
  "Moving a file": MOVED,
  "Writing an alt text": ALT,
  "Writing metadata": METADATA,
  "Setting an id": OWN_ID,
  "Setting an expiry": EXPIRY,
  "Setting a focal point": FOCAL_POINT,
  "Replacing a file": REPLACED,
  "Beginning an import": IMPORT,
  "Making a preset": NEW_PRESET,
  "Changing a preset": CHANGED_PRESET,
  "Deleting a preset": DELETED_PRESET,
  "Choosing the served sizes": SIZES,
  "Choosing the compression": COMPRESSION,
  "Renaming a saved search": RENAMED_SEARCH,
  "Updating a saved search": UPDATED_SEARCH,
  "Deleting a saved search": DELETED_SEARCH,
};

describe.each(Object.entries(ACTIONS))("%s", (name, action) => {
  it(`${name} waits for the service's \`Retry-After\` if the rate is reached, and is then done once`, () =>
    expectWait(place(), action));

  it(`${name} asks for the password if the session is over, and is then done once`, () =>
    expectRenewal(place(), action));

  it(`${name} is sent again when the network is back if the answer was lost with it, and has one effect`, () =>
    expectResumption(place(), action));
});

describe("another tab", () => {
  /** Lets the page read its lists again, as it does when the user returns to the tab, until the thing is in none. */
  async function expectLeft(page: Page, thing: string) {
    const listed = page.locator("li").filter({ hasText: thing });
    const count = async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return listed.count();
    };
    await expect.poll(count).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(1);
  }

  const GONE = /pier\.png.* was deleted in the meantime\./;
  it.each([
    ["restored", RESTORED, "1 file could not be restored", GONE],
    ["tagged", TAGGED, "The tags of 1 file could not be changed", GONE],
    ["marked", FAVOURITE, "1 file could not be added to favourites", GONE],
    ["moved", MOVED, "1 file could not be moved", GONE],
    ["put into the trash", TRASHED, "1 file could not be moved to the trash", GONE],
    ["given a focal point", FOCAL_POINT, "The file could not be changed", "Image not found"],
  ] as const)(
    "A file that another tab has deleted cannot be %s, and the page says so",
    async (_, action, words, why) => {
      const { page, button } = await begin(place(), action);
      await host.delete(fileId);
      await button.click();
      await page.getByText(words).first().waitFor();
      await page.getByText(why).first().waitFor();
      expect(await action.done(page).count()).toBe(0);
      await page.context().close();
    },
  );

  it.each([
    ["alt text", ALT, "Alt text"],
    ["metadata", METADATA, "Metadata"],
    ["id", OWN_ID, "Your id"],
    ["expiry", EXPIRY, "Expiry"],
  ] as const)(
    "The %s of a file that another tab has deleted stays in its field with the reason",
    async (_, action, label) => {
      const { page, button } = await begin(place(), action);
      const typed = await page.getByLabel(label, { exact: true }).inputValue();
      await host.delete(fileId);
      await button.click();
      await page.getByRole("alert").filter({ hasText: "Image not found" }).waitFor();
      expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(typed);
      expect(await findBarriers(page)).toEqual([]);
      await page.context().close();
    },
  );

  it("A file that another tab has deleted cannot be replaced, and the page says so", async () => {
    const { page, button } = await begin(place(), REPLACED);
    await host.delete(fileId);
    await button.click();
    await page.getByRole("dialog", { name: "Nothing was changed" }).getByText("Image not found.").waitFor();
    await page.getByRole("dialog", { name: "Replace pier.png?" }).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("A file that another tab has put into the trash is not replaced, and the dialog says why", async () => {
    const { page, button } = await begin(place(), REPLACED);
    await host.trash([fileId]);
    await button.click();
    await page.getByRole("dialog").getByText("The file is in the trash; restore it first.").waitFor();
    expect((await file()).size.width).toBe(240);
    await page.context().close();
  });

  it("A file that another tab has deleted permanently is deleted once, and the trash is empty", async () => {
    const { page, button } = await begin(place(), DELETED);
    const { given: _, ...again } = DELETED;
    await doElsewhere(page, place(), again);
    await button.click();
    await page.getByText("The trash is empty").waitFor();
    expect(await files()).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["deletes it permanently", DELETED],
    ["empties the trash", EMPTIED],
  ] as const)(
    "A file that another tab restores while the dialog that %s is open is kept, and the page says so",
    async (_, action) => {
      const { page, button } = await begin(place(), action);
      const { given: _given, ...restoration } = RESTORED;
      await doElsewhere(page, place(), restoration);
      await button.click();
      await page.getByText("1 file was restored in the meantime and is kept.").first().waitFor();
      await page.getByText("Nothing was deleted").first().waitFor();
      expect(await action.state(page)).toEqual(["active"]);
      await page.getByText("The trash is empty").waitFor();
      await page.getByRole("navigation").getByRole("link", { name: "All files" }).click();
      await page.locator('[data-position="0"]').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.context().close();
    },
  );

  it("A file that a program restores between two batches of a deletion is kept, and the others are deleted", async () => {
    const names = Array.from({ length: BATCH }, (_, at) => `${at}.png`);
    await host.uploadAll(names.map((name) => new File([pictures[1] ?? ""], name)));
    const all = (await files()).map(({ _id }) => _id);
    expect(all).toHaveLength(BATCH + 1);
    await host.trash(all);
    const { page, button } = await begin(place(), {
      ...EMPTIED,
      given: async () => undefined,
      prepare: async (page) => {
        await page.getByRole("button", { name: "Empty the trash" }).click();
        return page.getByRole("dialog").getByRole("button", { name: `Delete ${BATCH + 1} files` });
      },
      before: Array(BATCH + 1).fill("trash"),
    });
    let batches = 0;
    await page.route("**/images/bulk-delete", async (route) => {
      batches += 1;
      // The last file of the list is in the second batch.
      if (batches === 1) expect((await host.restore([fileId])).updated).toBe(1);
      await route.fallback();
    });
    await button.click();
    await page.getByText("1 file was restored in the meantime and is kept.").first().waitFor();
    await page.getByText(`${BATCH} files deleted permanently`).first().waitFor();
    expect(batches).toBe(2);
    expect((await files()).map(({ _id, status }) => [_id, status])).toEqual([[fileId, "active"]]);
    await page.context().close();
  });

  /** Uploads more files, so that the trash has several, and chooses all. @returns the button that restores them */
  const ofSeveral = (names: readonly string[]): Action => ({
    ...RESTORED,
    given: async () => {
      await host.uploadAll(names.map((name) => new File([pictures[1] ?? ""], name)));
      await host.trash((await files()).map(({ _id }) => _id));
    },
    prepare: async (page) => {
      await page.locator('[data-position="0"]').focus();
      await page.keyboard.press("Control+a");
      return page
        .getByRole("toolbar", { name: "Selected files" })
        .getByRole("button", { name: "Restore", exact: true });
    },
    before: Array(names.length + 1).fill("trash"),
  });
  const idOf = async (name: string) => (await files()).find(({ prompt }) => prompt === name)?._id ?? "";
  const described = (page: Page) => page.getByRole("dialog").filter({ hasText: "in the meantime" });

  it("A restoration of several files names the file that another tab has deleted, and counts the others", async () => {
    const { page, button } = await begin(place(), ofSeveral(["bridge.png", "canal.png"]));
    await host.delete(await idOf("canal.png"));
    await button.click();
    await described(page).getByText("2 files restored").waitFor();
    await described(page)
      .getByText(/^.canal\.png. was deleted in the meantime\.$/)
      .waitFor();
    expect((await files()).map(({ prompt, status }) => [prompt, status]).sort()).toEqual([
      ["bridge.png", "active"],
      ["pier.png", "active"],
    ]);
    await takeScreenshots(page, "restored-in-part");
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Control+z");
    await page.getByText("Undone").first().waitFor();
    expect((await files()).map(({ status }) => status)).toEqual(["trash", "trash"]);
    await page.context().close();
  });

  it("An undo of a restoration names the file that another tab has deleted since, and undoes the others", async () => {
    const { page, button } = await begin(place(), ofSeveral(["bridge.png", "canal.png"]));
    await button.click();
    await page.getByText("3 files restored").first().waitFor();
    await host.delete(await idOf("bridge.png"));
    await page.keyboard.press("Control+z");
    await described(page).getByText("Undone").waitFor();
    await described(page)
      .getByText(/^.bridge\.png. was deleted in the meantime\.$/)
      .waitFor();
    expect((await files()).map(({ status }) => status)).toEqual(["trash", "trash"]);
    await page.context().close();
  });

  it("An undo whose answer is late is shown as in progress", async () => {
    const { page, button } = await begin(place(), RESTORED);
    await button.click();
    await RESTORED.done(page).first().waitFor();
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route("**/images/bulk-trash", async (route) => {
      await held;
      await route.fallback();
    });
    await page.keyboard.press("Control+z");
    await page.getByText("Undoing…").first().waitFor();
    go();
    await page.getByText("Undone").first().waitFor();
    await page.getByText("Undoing…").first().waitFor({ state: "detached" });
    expect(await RESTORED.state(page)).toEqual(["trash"]);
    await page.context().close();
  });

  it("A restoration of several files whose answer was lost counts them all", async () => {
    await expectResumption(place(), {
      ...ofSeveral(["bridge.png", "canal.png"]),
      done: (page) => page.getByText("3 files restored"),
      after: ["active", "active", "active"],
    });
  });

  it("Files that another tab has deleted cannot be restored, and each is named", async () => {
    const { page, button } = await begin(place(), ofSeveral(["bridge.png"]));
    await host.delete(fileId);
    await host.delete(await idOf("bridge.png"));
    await button.click();
    await described(page).getByText("2 files could not be restored").waitFor();
    await described(page)
      .getByText(/pier\.png.* and .*bridge\.png.* were deleted|bridge\.png.* and .*pier\.png.* were deleted/)
      .waitFor();
    await page.getByText("The trash is empty").waitFor();
    await page.context().close();
  });

  it("A restoration of more than twenty files counts the files that another tab has deleted", async () => {
    const names = Array.from({ length: 21 }, (_, at) => `${at}.png`);
    const { page, button } = await begin(place(), ofSeveral(names));
    await host.delete(await idOf("3.png"));
    await button.click();
    await described(page).getByText("21 files restored").waitFor();
    await described(page).getByText("1 file was deleted or changed in the meantime.").waitFor();
    await page.context().close();
  });

  it("A file cannot be moved into a folder that another tab has deleted", async () => {
    const { page, button } = await begin(place(), MOVED);
    for (const { _id } of await host.folders.list()) await host.folders.delete(_id);
    await button.click();
    await page.getByText("1 file could not be moved").first().waitFor();
    await page.getByText("Folder not found").first().waitFor();
    expect((await file()).folderId).toBe(null);
    await page.context().close();
  });

  it("The alt text that is saved last stays, and undo brings back the text that was shown", async () => {
    const { page, button } = await begin(place(), ALT);
    await host.update(fileId, { alt: "A bridge" });
    await button.click();
    await ALT.done(page).first().waitFor();
    expect(await ALT.state(page)).toBe("A pier");
    await page.keyboard.press("Control+z");
    await expect.poll(() => ALT.state(page)).toBe(null);
    await page.context().close();
  });

  it("An id that another tab has given to another file is refused in its field", async () => {
    const { page, button } = await begin(place(), OWN_ID);
    await host.upload(new File([pictures[1] ?? ""], "other.png"), { externalId: "order-7" });
    await button.click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Your id", { exact: true }).inputValue()).toBe("order-7");
    expect((await file()).externalId).toBe(null);
    await page.context().close();
  });

  it("The dialog of a preset that another tab has deleted stays, and reports it", async () => {
    const { page, button } = await begin(place(), DELETED_PRESET);
    const { given: _, ...again } = DELETED_PRESET;
    await doElsewhere(page, place(), again);
    await expectLeft(page, "card");
    await button.click();
    await expectGone(page, "Preset not found.");
    await page.context().close();
  });

  it("The form of a preset that another tab has deleted keeps its parameters, and saves the preset again", async () => {
    const { page, button } = await begin(place(), CHANGED_PRESET);
    const { given: _, ...removal } = DELETED_PRESET;
    await doElsewhere(page, place(), removal);
    await expectLeft(page, "card");
    await button.click();
    await finish(page, CHANGED_PRESET);
  });

  it("A setting that another tab has saved is kept by the next change of another setting", async () => {
    const { page, button } = await begin(place(), COMPRESSION);
    await host.settings.update({ compressionQuality: 60 });
    await button.click();
    await COMPRESSION.done(page).first().waitFor();
    expect(await host.settings.get()).toMatchObject({ autoCompress: true, compressionQuality: 60 });
    await expect.poll(() => page.getByRole("region", { name: "Compression" }).getByText("Not saved").count()).toBe(0);
    await page.context().close();
  });

  it("The dialog that renames a saved search stays if another tab deletes the search, and reports it", async () => {
    const { page, button } = await begin(place(), RENAMED_SEARCH);
    const { given: _, ...removal } = DELETED_SEARCH;
    await doElsewhere(page, place(), removal);
    await expectLeft(page, "PNGs");
    expect(await findBarriers(page)).toEqual([]);
    await takeScreenshots(page, "saved-search-gone");
    await button.click();
    await expectGone(page, "Saved search not found.");
    expect(await searches()).toEqual([]);
    await page.context().close();
  });

  it("The dialog that saves a search stays if another tab saves the same search, and saves it under its own name", async () => {
    const { page } = await begin(place(), { ...RENAMED_SEARCH, prepare: async (page) => page.locator("#main") });
    await page.getByRole("button", { name: "Save search" }).click();
    const dialog = page.getByRole("dialog", { name: "Save this search" });
    await dialog.getByLabel("Name").fill("JPEGs");
    await call("POST", "/searches", { name: "Photos", address: "/library?type=jpeg" });
    await expect
      .poll(async () => {
        await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
        return page.locator("li").filter({ hasText: "Photos" }).count();
      })
      .toBe(1);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await searches()).map(({ name }) => name).sort()).toEqual(["JPEGs", "PNGs", "Photos"]);
    await page.context().close();
  });

  it.each([
    ["updated", UPDATED_SEARCH],
    ["deleted", DELETED_SEARCH],
  ] as const)("A saved search that another tab has deleted cannot be %s, and leaves the sidebar", async (_, action) => {
    const { page, button } = await begin(place(), action);
    for (const { _id } of await searches()) await call("DELETE", `/searches/${_id}`);
    await button.click();
    await page.getByText("Saved search not found").first().waitFor();
    await page.getByRole("link", { name: "PNGs" }).waitFor({ state: "detached" });
    await page.context().close();
  });
});
