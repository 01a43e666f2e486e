import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openPage } from "../support/dashboard/browser.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { openDashboard } from "../support/dashboard/log-in.ts";
import { ENTRANCES, openEntrance } from "../support/dashboard/looks/entrances.ts";
import { hasFocus, OVERLAYS, type Overlay, openOverlay } from "../support/dashboard/looks/overlays.ts";
import { LOOKS_STACK, makeOwners, type Owners } from "../support/dashboard/looks/owners.ts";
import { PAGES } from "../support/dashboard/looks/pages.ts";
import { enterState, STATES, type StateName } from "../support/dashboard/looks/states.ts";
import { type Size, takeScreenshots } from "../support/dashboard/screenshots.ts";
import { Stack } from "../support/stack/stack.ts";

// Every page in every state, and every dialog and menu: pictures at five widths, axe, and 400 % zoom, light and dark, in a browser against
// the whole stack.

let stack: Stack;
let browser: Browser;
let owners: Owners;

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(LOOKS_STACK), openBrowser()]);
  owners = await makeOwners(stack);
}, 400_000);

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

/** A dialog or a menu is opened at each size. */
const OVERLAY_SIZES = [
  { width: 320, height: 256, isWhole: false },
  { width: 390, height: 844, isWhole: false },
  { width: 1280, height: 800, isWhole: false },
];
/** A phone and a desk. */
const AXE_WIDTHS = [390, 1280];

/** Takes the pictures of the page: axe finds nothing, and there is no second direction to scroll in, also at 400 % (320 pixels). */
async function look(page: Page, name: string, sizes?: readonly Size[]): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const check = async (width: number, colorScheme: string) => {
    if (AXE_WIDTHS.includes(width))
      expect.soft(await findBarriers(page), `axe at ${width}, ${colorScheme}`).toEqual([]);
    expect.soft(await page.evaluate("document.documentElement.scrollWidth"), "wide").toBeLessThanOrEqual(width);
  };
  await takeScreenshots(page, name, check, sizes);
}

describe.each(Object.keys(STATES) as StateName[])("state %s", (name) => {
  const state = STATES[name];
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser));
    await openDashboard(page, stack.baseUrl, owners[state.owner], "/usage");
  });
  afterAll(() => page?.context().close());

  it.each(Object.entries(PAGES))(`The page %s is complete in the state ${name}`, async (title, looked) => {
    await enterState(page, state, looked.passes);
    await page.goto(`${stack.baseUrl}/dashboard${looked.path(owners[state.owner].ids)}`);
    await looked.shows[name](page).waitFor();
    // The last part of the top bar.
    await page.locator('[aria-label="More ways to upload"]').waitFor({ state: "attached" });
    if (name !== "loading") await page.waitForLoadState("networkidle");
    await look(page, `state-${title}-${name}`);
    expect(await looked.shows[name](page).isVisible(), "The state is over").toBe(true);
  });
});

describe.each(Object.entries(ENTRANCES))("entrance %s", (title, entrance) => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser));
  });
  afterAll(() => page?.context().close());

  it.each(Object.keys(STATES) as StateName[])(`The page ${title} is complete in the state %s`, async (name) => {
    await enterState(page, { ...STATES[name], room: undefined, ...(name === "full" && { answer: undefined }) });
    const sight = await openEntrance(page, stack.baseUrl, entrance, name);
    await sight.waitFor();
    await look(page, `entrance-${title}-${name}`);
    expect(await sight.isVisible(), "The state is over").toBe(true);
  });
});

describe("dialogs and menus", () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser));
    await openDashboard(page, stack.baseUrl, owners.few, "/usage");
    await enterState(page, STATES.rest);
  });
  afterAll(() => page?.context().close());

  it.each(Object.entries(OVERLAYS))(
    "The overlay %s opens by keys, is complete, and Escape gives the focus back",
    async (title, overlay) => {
      let opened = 0;
      for (const size of OVERLAY_SIZES) {
        await page.setViewportSize(size);
        await openWith(page, overlay.path);
        const from = overlay.opener(page);
        // The sidebar is closed on phones.
        if (!(await from.isVisible())) continue;
        opened += 1;
        const shown = await openOverlay(page, from, overlay);
        await look(page, `overlay-${title}`, [size]);
        expect(await shown.isVisible(), "It closed").toBe(true);
        await page.keyboard.press("Escape");
        await shown.waitFor({ state: "detached" });
        await expect.poll(() => hasFocus(from), { message: `focus at ${size.width}` }).toBe(true);
      }
      expect(opened).toBeGreaterThan(0);
    },
  );

  async function openWith(on: Page, path: Overlay["path"]): Promise<void> {
    await on.goto(`${stack.baseUrl}/dashboard${typeof path === "string" ? path : path(owners.few.ids)}`);
    await on.locator('[aria-label="More ways to upload"]').waitFor({ state: "attached" });
    await on.waitForLoadState("networkidle");
  }
});
