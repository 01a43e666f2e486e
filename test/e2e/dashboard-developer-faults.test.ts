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
import { failFirst, loseAnswer } from "../support/dashboard/faults.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openReceiver } from "../support/dashboard/receiver.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// Keys, upload tokens and webhooks while the network is lost, the session is over or the rate is reached, and as another tab changes them.

let stack: Stack;
let browser: Browser;
let host: Client;
let freeHost: Client;
let token: string;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let who: { readonly email: string; readonly password: string };
let free: { readonly email: string; readonly password: string };
/** The keys of the demo account. */
let kept: readonly string[];

beforeAll(async () => {
  // The webhook's receiver is on this machine.
  [stack, browser, receiver] = await Promise.all([
    Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true" }),
    openBrowser(),
    openReceiver(),
  ]);
  const { password, ...accounts } = await stack.demoAccounts();
  who = { email: accounts.pro.email, password };
  free = { email: accounts.free.email, password };
  // These tests make more requests a minute than Pro and Free have.
  await stack.setTier(who.email, "business");
  await stack.setTier(free.email, "starter");
  token = (await createClient({ baseUrl: stack.baseUrl }).auth.logIn(who)).token;
  host = createClient({ baseUrl: stack.baseUrl, key: token });
  const { token: freeToken } = await createClient({ baseUrl: stack.baseUrl }).auth.logIn(free);
  freeHost = createClient({ baseUrl: stack.baseUrl, key: freeToken });
  kept = (await host.keys.list()).map(({ _id }) => _id);
});
afterAll(async () => {
  await browser?.close();
  await receiver?.[Symbol.asyncDispose]();
  await stack?.dispose();
});
beforeEach(async () => {
  for (const { _id } of await host.keys.list()) if (!kept.includes(_id)) await host.keys.delete(_id);
  for (const { _id } of (await host.uploadTokens.list()).uploadTokens) await host.uploadTokens.revoke(_id);
  for (const { name } of await webhooks()) await send("DELETE", `/settings/webhooks/${name}`);
  receiver.received.length = 0;
});

const place = () => ({ browser, baseUrl: stack.baseUrl, who });

/** Sends a request as the account's owner. */
async function send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const answer = await fetch(stack.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
  return (await answer.json()) as Answer;
}

const keyNames = async () => {
  const keys = await host.keys.list();
  return keys.filter(({ _id }) => !kept.includes(_id)).map(({ name }) => name);
};
const tokenLimits = async () => (await host.uploadTokens.list()).uploadTokens.map(({ maxFiles }) => maxFiles);
const webhooks = async () =>
  (await send<{ webhooks: { name: string; url: string }[] }>("GET", "/settings/webhooks")).webhooks;
const addresses = async () => (await webhooks()).map(({ url }) => url);
const messages = async (type: string) => receiver.received.filter((message) => message.type === type).length;

const OTHER_ADDRESS = "https://hooks.example.com/media";
const makeKey = () => host.keys.create({ name: "harbour", scopes: ["upload"] });
const makeToken = () => host.uploadTokens.create({ maxFiles: 3, expiresIn: 3600 });
const makeWebhook = () => send("PUT", "/settings/webhooks/shop", { url: receiver.url, events: ["upload.completed"] });
/** Makes a webhook with one delivery. */
const deliver = async () => {
  await makeWebhook();
  await host.upload(new File([png()], "pier.png"));
  const list = () => send<{ deliveries: object[] }>("GET", "/settings/webhooks/shop/deliveries");
  await expect.poll(async () => (await list()).deliveries.length).toBe(1);
};

const atKeys = { at: () => "/developers", state: keyNames } as const;
const atTokens = { at: () => "/developers/upload-tokens", state: tokenLimits } as const;
const atWebhooks = { at: () => "/developers/webhooks", state: addresses } as const;

const NEW_KEY: Action = {
  ...atKeys,
  method: "POST",
  path: "**/keys",
  prepare: async (page) => {
    await page.getByRole("button", { name: "New key" }).click();
    const form = page.getByRole("dialog", { name: "New key" });
    await form.getByRole("textbox", { name: "Name" }).fill("harbour");
    return form.getByRole("button", { name: "Create key" });
  },
  done: (page) => page.getByRole("dialog", { name: "Key “harbour” created" }).getByLabel("Key", { exact: true }),
  before: [],
  after: ["harbour"],
};
const REVOKED_KEY: Action = {
  ...atKeys,
  method: "DELETE",
  path: "**/keys/*",
  given: makeKey,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Actions for harbour" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    return page.getByRole("dialog", { name: "Revoke “harbour”?" }).getByRole("button", { name: "Revoke" });
  },
  done: (page) => page.getByText("Key “harbour” revoked"),
  before: ["harbour"],
  after: [],
};
const uploadKeyEnd = async () => (await freeHost.keys.list()).find(({ kind }) => kind === "upload")?.lastFour;
let formerEnd: string | undefined;
const UPLOAD_KEY: Action = {
  at: () => "/developers",
  who: () => free,
  method: "POST",
  path: "**/keys/upload/regenerate",
  given: async () => {
    formerEnd = await uploadKeyEnd();
  },
  prepare: async (page) => {
    await page.getByRole("button", { name: "Regenerate" }).click();
    return page.getByRole("dialog", { name: "Regenerate the upload key?" }).getByRole("button", { name: "Regenerate" });
  },
  done: (page) => page.getByRole("dialog", { name: "Your new upload key" }).getByLabel("Key", { exact: true }),
  state: async () => (await uploadKeyEnd()) === formerEnd,
  before: true,
  after: false,
};
const NEW_TOKEN: Action = {
  ...atTokens,
  method: "POST",
  path: "**/upload-tokens",
  prepare: async (page) => {
    await page.getByRole("button", { name: "New token" }).click();
    const form = page.getByRole("dialog", { name: "New upload token" });
    await form.getByLabel("Most files").fill("3");
    return form.getByRole("button", { name: "Create token" });
  },
  done: (page) => page.getByRole("dialog", { name: "Upload token created" }).getByLabel("Token", { exact: true }),
  before: [],
  after: [3],
};
const REVOKED_TOKEN: Action = {
  ...atTokens,
  method: "DELETE",
  path: "**/upload-tokens/*",
  given: makeToken,
  prepare: async (page) => {
    await page
      .getByRole("listitem")
      .getByRole("button", { name: /^Revoke/ })
      .click();
    return page.getByRole("dialog").getByRole("button", { name: "Revoke" });
  },
  done: (page) => page.getByText(/^Token …\w+ revoked$/),
  before: [3],
  after: [],
};
const NEW_WEBHOOK: Action = {
  ...atWebhooks,
  method: "PUT",
  path: "**/settings/webhooks/*",
  prepare: async (page) => {
    await page.getByRole("button", { name: "Add webhook" }).click();
    const form = page.getByRole("dialog", { name: "Add webhook" });
    await form.getByLabel("Address").fill(OTHER_ADDRESS);
    return form.getByRole("button", { name: "Save" });
  },
  done: (page) => page.getByRole("dialog", { name: "The webhook's secret" }).getByLabel("Secret", { exact: true }),
  before: [],
  after: [OTHER_ADDRESS],
};
const CHANGED_WEBHOOK: Action = {
  ...NEW_WEBHOOK,
  given: makeWebhook,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Edit shop" }).click();
    const form = page.getByRole("dialog", { name: "Edit “shop”" });
    await form.getByLabel("Address").fill(OTHER_ADDRESS);
    return form.getByRole("button", { name: "Save" });
  },
  state: async () => (await addresses()).includes(OTHER_ADDRESS),
  before: false,
  after: true,
};
const REMOVED_WEBHOOK: Action = {
  ...atWebhooks,
  method: "DELETE",
  path: "**/settings/webhooks/*",
  given: makeWebhook,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Remove shop" }).click();
    return page.getByRole("dialog", { name: /^Remove the webhook/ }).getByRole("button", { name: "Remove" });
  },
  done: (page) => page.getByText("Webhook “shop” removed"),
  state: async () => (await addresses()).length,
  before: 1,
  after: 0,
};
const TEST_MESSAGE: Action = {
  ...atWebhooks,
  method: "POST",
  path: "**/settings/webhooks/*/test",
  given: makeWebhook,
  prepare: async (page) => page.getByRole("button", { name: "Send test to shop" }),
  done: (page) => page.getByText(/200 in \d+ ms/),
  state: () => messages("webhook.test"),
  before: 0,
  after: 1,
};
const deliveries = (page: Page) => page.getByRole("dialog", { name: "Deliveries of shop" });
const SENT_AGAIN: Action = {
  ...atWebhooks,
  method: "POST",
  path: "**/redeliver",
  given: deliver,
  prepare: async (page) => {
    await page.getByRole("button", { name: "Deliveries of shop" }).click();
    return deliveries(page).getByRole("button", { name: /^Send again: upload.completed/ });
  },
  done: (page) => deliveries(page).getByText("Request and answer").nth(1),
  state: () => messages("upload.completed"),
  before: 1,
  after: 2,
};
const ACTIONS: Readonly<Record<string, Action>> = {
  "Making a key": NEW_KEY,
  "Revoking a key": REVOKED_KEY,
  "Regenerating the upload key": UPLOAD_KEY,
  "Making an upload token": NEW_TOKEN,
  "Revoking an upload token": REVOKED_TOKEN,
  "Adding a webhook": NEW_WEBHOOK,
  "Changing a webhook": CHANGED_WEBHOOK,
  "Removing a webhook": REMOVED_WEBHOOK,
  "Testing a webhook": TEST_MESSAGE,
  "Sending a message again": SENT_AGAIN,
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

  it.each([
    [
      "key",
      NEW_KEY,
      "The key was not confirmed. If it was made, revoke it on the page Keys, because it cannot be shown again.",
      (page: Page) => page.getByRole("row", { name: /harbour/ }),
    ],
    [
      "upload token",
      NEW_TOKEN,
      "The token was not confirmed. If it was made, revoke it in the list, because it cannot be shown again.",
      (page: Page) => page.getByRole("list", { name: "Upload tokens" }).getByRole("listitem"),
    ],
  ] as const)(
    "A new %s whose answer is lost is reported as not confirmed, and is in the list",
    async (name, action, words, listed) => {
      const { page, button } = await begin(place(), action);
      const sent = await failFirst(page, action, loseAnswer);
      await button.click();
      await page.getByRole("alert").getByText(words).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await takeScreenshots(page, `${name.replace(" ", "-")}-lost`);
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await listed(page).waitFor();
      expect(await action.state(page)).toEqual(action.after);
      expect(sent).toHaveLength(1);
      await page.context().close();
    },
  );

  it("A message whose answer is lost is reported as not confirmed, and is in the list of deliveries", async () => {
    const { page, button } = await begin(place(), SENT_AGAIN);
    const sent = await failFirst(page, SENT_AGAIN, loseAnswer);
    await button.click();
    await deliveries(page)
      .getByText("The message was not confirmed. If it was sent, it is the first of this list.")
      .waitFor();
    await SENT_AGAIN.done(page).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await messages("upload.completed")).toBe(2);
    expect(sent).toHaveLength(1);
    // The failure is forgotten when the dialog opens again.
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Deliveries of shop" }).click();
    await SENT_AGAIN.done(page).waitFor();
    expect(await deliveries(page).getByRole("alert").count()).toBe(0);
    await page.context().close();
  });

  it("An upload key whose answer is lost is reported as not confirmed, and the next try shows another", async () => {
    const { page, button } = await begin(place(), UPLOAD_KEY);
    const sent = await failFirst(page, UPLOAD_KEY, loseAnswer);
    await button.click();
    await page.getByRole("alert").getByText("the old key may have stopped working").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await button.click();
    expect(await UPLOAD_KEY.done(page).textContent()).toMatch(/^service_upload_/);
    expect(sent).toHaveLength(2);
    await page.context().close();
  });
});

describe("another tab", () => {
  /** Lets the page read its list again, as it does when the user returns to the tab, until the thing is not in it. */
  async function expectLeft(page: Page, thing: string) {
    const listed = page.locator("#main").locator("li, tr").filter({ hasText: thing });
    const count = async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return listed.count();
    };
    await expect.poll(count).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(1);
  }

  it.each([
    ["key", REVOKED_KEY, "harbour", "Key not found."],
    ["upload token", REVOKED_TOKEN, "3 files", "Upload token not found."],
    ["webhook", REMOVED_WEBHOOK, "shop", "No webhook is set."],
  ] as const)(
    "The dialog of a %s that another tab has removed stays, and reports it",
    async (_, action, thing, words) => {
      const { page, button } = await begin(place(), action);
      const { given: _given, ...again } = action;
      await doElsewhere(page, place(), again);
      await expectLeft(page, thing);
      await button.click();
      await expectGone(page, words);
      expect(await action.state(page)).toEqual(action.after);
      await page.context().close();
    },
  );

  it("The form of a webhook that another tab has removed keeps its address, and saves the webhook again", async () => {
    const { page, button } = await begin(place(), CHANGED_WEBHOOK);
    const { given: _given, ...removal } = REMOVED_WEBHOOK;
    await doElsewhere(page, place(), removal);
    await expectLeft(page, "shop");
    await button.click();
    await finish(page, CHANGED_WEBHOOK);
  });
});
