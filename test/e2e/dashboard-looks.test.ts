import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { drawPicture } from "../support/dashboard/draw-picture.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// Every page in every state: pictures at four widths, light and dark, axe, and 400 % zoom, in a browser against the whole stack.

const PASSWORD = "correct horse battery";
/** A name without spaces, as long as cameras and exports make them. */
const LONG = "Client-presentation-final-approved-by-everybody-2026-11-22T12-00-00-original-size";

interface Owner {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly client: Client;
  /** Ids that paths contain. */
  readonly ids: { readonly file: string; readonly folder: string; readonly key: string };
}

let stack: Stack;
let browser: Browser;
let owners: { readonly empty: Owner; readonly few: Owner; readonly many: Owner };

beforeAll(async () => {
  [stack, browser] = await Promise.all([
    Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true", METRICS_FLUSH_SECONDS: "1" }),
    openBrowser(),
  ]);
  const [empty, few, many] = await Promise.all(["empty", "few", "many"].map(register));
  if (empty === undefined || few === undefined || many === undefined) throw new Error("An account is missing");
  owners = { empty, few: await fill(few, 24, 3), many: await fill(many, 60, 30) };
}, 400_000);

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

async function register(name: string): Promise<Owner> {
  const who = { email: `${name}@example.com`, password: PASSWORD };
  const open = createClient({ baseUrl: stack.baseUrl });
  await open.auth.register({ ...who, name: name === "many" ? LONG : "Ines Kallevik" });
  await stack.setTier(who.email, "pro");
  const { token } = await open.auth.logIn(who);
  return {
    ...who,
    token,
    client: createClient({ baseUrl: stack.baseUrl, key: token }),
    ids: { file: "no-file", folder: "root", key: "no-key" },
  };
}

/** Uploads pictures, and makes some of everything else. @param of how many of everything else */
async function fill(owner: Owner, files: number, of: number): Promise<Owner> {
  const { client, token } = owner;
  const name = (what: string, at: number) => (of > 3 && at % 3 === 0 ? `${LONG}-${at}` : `${what} ${at + 1}`);
  const each = <Made>(make: (at: number) => Promise<Made>) =>
    Promise.all(Array.from({ length: of }, (_, at) => make(at)));
  const folders = await each((at) => client.folders.create({ name: name("Folder", at), parentId: null }));
  const { key } = await client.keys
    .regenerateUploadKey()
    .catch(() => client.keys.create({ name: "Uploads", scopes: ["upload"] }));
  const uploader = createClient({ baseUrl: stack.baseUrl, key });
  const stored: string[] = [];
  for (let at = 0; at < files; at += 1) {
    const bytes = await drawPicture(at, 4).jpeg().toBuffer();
    const file = new File([bytes], `${name("IMG", at).replaceAll(" ", "_")}.jpg`, { type: "image/jpeg" });
    const { _id } = await uploader.upload(file, { folderId: (at % 4 === 0 && folders[at % of]?._id) || null });
    stored.push(_id);
  }
  const [first = "", second = "", ...rest] = stored;
  await client.updateAll({
    ids: stored.filter((_, at) => at % 3 === 0),
    addTags: ["press", "hero", "2026"],
    favorite: true,
  } as never);
  await client.trash([first, second]);
  const keys = await each((at) => client.keys.create({ name: name("Key", at), scopes: ["upload"] }));
  const post = async (method: string, path: string, body: object) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const answer = await fetch(stack.baseUrl + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  };
  await each((at) => client.uploadTokens.create({ maxFiles: at + 1, tags: at % 2 === 0 ? ["guest"] : [] }));
  await each((at) => client.shares.create({ folderId: folders[at]?._id ?? null, title: name("Share", at) }));
  for (let at = 0; at < Math.min(of, 5); at += 1) {
    const url = `https://hooks.example.com/${name("media", at).replaceAll(" ", "-")}`;
    await post("PUT", `/settings/webhooks/hook-${at}`, { url, events: ["upload.completed", "image.deleted"] });
    await post("PUT", `/settings/presets/size-${at}`, { parameters: `w=${320 * (at + 1)}&format=auto` });
  }
  return { ...owner, ids: { file: rest[0] ?? "", folder: folders[0]?._id ?? "", key: keys[0]?._id ?? "" } };
}

/** Holds every request of the page's data. */
const hold = async () => {
  await new Promise(() => undefined);
};

const LIMITS = ["storage", "operations"];

/** Passes the service's answer on, with the storage and the month's operations used up. */
const useUp = async (route: Route) => {
  if (route.request().resourceType() === "image" || route.request().url().includes("/events")) return route.fallback();
  const answer = await route.fetch();
  const headers = answer.headers();
  for (const limit of LIMITS) headers[`x-${limit}-used`] = headers[`x-${limit}-limit`] ?? "";
  if (!route.request().url().endsWith("/stats/overview")) return route.fulfill({ response: answer, headers });
  const body = await answer.json();
  for (const limit of LIMITS) Object.assign(body[limit], { used: body[limit].limit, percent: 100 });
  return route.fulfill({ response: answer, headers, json: body });
};

const refuse = (route: Route) =>
  route.fulfill({
    status: 503,
    headers: { "Retry-After": "0", "X-Request-Id": "8f2b1c0d4e5a6978-FRA" },
    json: { error: "The database does not answer. Please try again.", code: "unavailable", statusCode: 503 },
  });

interface State {
  readonly owner: "empty" | "few" | "many";
  /** Answers the requests of the page's data in place of the service. */
  readonly answer?: (route: Route) => Promise<void>;
}

const STATES: Readonly<Record<string, State>> = {
  rest: { owner: "few" },
  empty: { owner: "empty" },
  full: { owner: "many", answer: useUp },
  loading: { owner: "few", answer: hold },
  failing: { owner: "few", answer: refuse },
};

const PAGES: Readonly<Record<string, (ids: Owner["ids"]) => string>> = {
  library: () => "/library",
  table: () => "/library?view=table",
  folder: ({ folder }) => `/library?folder=${folder}`,
  search: () => "/library?q=nothing-has-this-name",
  file: ({ file }) => `/library/${file}`,
  trash: () => "/trash",
  usage: () => "/usage",
  log: () => "/usage/log",
  keys: () => "/developers",
  key: ({ key }) => `/developers/keys/${key}`,
  "upload-tokens": () => "/developers/upload-tokens",
  webhooks: () => "/developers/webhooks",
  events: () => "/developers/events",
  snippets: () => "/developers/snippets",
  duplicates: () => "/duplicates",
  shares: () => "/shares",
  settings: () => "/settings",
  account: () => "/settings/account",
  welcome: () => "/welcome",
  "not-found": () => "/nowhere",
};

const DATA = ["fetch", "xhr", "eventsource", "image"];

/** Lets a state answer the requests of the page's data. The page itself and its code come from the service. */
async function enter(page: Page, { answer }: State): Promise<void> {
  if (answer === undefined) return;
  await page.route(`${stack.baseUrl}/**`, (route) =>
    DATA.includes(route.request().resourceType()) && !route.request().url().includes("/dashboard/")
      ? answer(route)
      : route.fallback(),
  );
}

/** Checks what a state of a page shows: no axe fault, and at 400 % (1280 by 1024) no second direction to scroll in. */
async function inspect(page: Page): Promise<void> {
  for (const [width, height, colorScheme] of [
    [1280, 800, "light"],
    [390, 844, "dark"],
    [320, 256, "light"],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    expect.soft(await findBarriers(page), `axe at ${width}`).toEqual([]);
    expect.soft(await page.evaluate("document.documentElement.scrollWidth"), "wide").toBeLessThanOrEqual(width);
  }
}

describe.each(Object.entries(STATES))("state %s", (name, state) => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser));
    await openDashboard(page, stack.baseUrl, owners[state.owner], "/usage");
    await enter(page, state);
  });
  afterAll(() => page?.context().close());

  it.each(Object.entries(PAGES))(`The page %s is complete in the state ${name}`, async (title, path) => {
    await page.goto(`${stack.baseUrl}/dashboard${path(owners[state.owner].ids)}`);
    await page.locator("#main").waitFor();
    if (state.answer === hold) await page.waitForTimeout(1000);
    else await page.waitForLoadState("networkidle");
    await takeScreenshots(page, `state-${title}-${name}`);
    await inspect(page);
  });
});
