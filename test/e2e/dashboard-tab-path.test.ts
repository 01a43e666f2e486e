import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { ENTRANCES, openEntrance } from "../support/dashboard/looks/entrances.ts";
import { LOOKS_STACK, makeOwners, type Owners } from "../support/dashboard/looks/owners.ts";
import { PAGES } from "../support/dashboard/looks/pages.ts";
import { enterState, STATES, type StateName } from "../support/dashboard/looks/states.ts";
import { walkByTab } from "../support/dashboard/tab-path.ts";
import { Stack } from "../support/stack/stack.ts";

// The Tab path of every page: each control is reached, in the order of reading, with a visible focus, and no part keeps the focus.

let stack: Stack;
let browser: Browser;
let owners: Owners;
/** Kinds of controls whose focus was measured. */
const kinds = new Set<string>();

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(LOOKS_STACK), openBrowser()]);
  owners = await makeOwners(stack);
}, 400_000);

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

describe.each([
  ["rest", DESK],
  ["rest", PHONE],
  ["empty", DESK],
  ["failing", DESK],
] as const)("state %s, %o", (name: StateName, viewport) => {
  const state = STATES[name];
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser, { viewport, reducedMotion: "reduce" }));
    await openDashboard(page, stack.baseUrl, owners[state.owner], "/usage");
  });
  afterAll(() => page?.context().close());

  it.each(Object.entries(PAGES))("Tab walks the page %s with a visible focus", async (_, { path, shows, passes }) => {
    await enterState(page, state, passes);
    await page.goto(`${stack.baseUrl}/dashboard${path(owners[state.owner].ids)}`);
    await shows[name](page).waitFor();
    await page.locator('[aria-label="More ways to upload"]').waitFor({ state: "attached" });
    await page.waitForLoadState("networkidle");
    expect(await walkByTab(page, kinds)).toEqual([]);
  });
});

describe.each([DESK, PHONE])("entrances, %o", (viewport) => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser, { viewport, reducedMotion: "reduce" }));
  });
  afterAll(() => page?.context().close());

  it.each(Object.entries(ENTRANCES))("Tab walks the page %s with a visible focus", async (_, entrance) => {
    for (const name of ["rest", "empty", "full"] as const) {
      await (await openEntrance(page, stack.baseUrl, entrance, name)).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await walkByTab(page, kinds), name).toEqual([]);
    }
  });
});
