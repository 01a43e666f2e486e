import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { SETTLED } from "./settled.ts";

/** The folder of pictures to look at; no test compares them. */
const FOLDER = process.env.SCREENSHOTS ?? ".wrangler/screenshots";

export interface Size {
  readonly width: number;
  readonly height: number;
  /** False keeps the height although the page scrolls. */
  readonly isWhole?: boolean;
}

const SIZES: readonly Size[] = [
  // 1280 by 1024 at 400 %.
  { width: 320, height: 256, isWhole: false },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
];
/** A taller picture would be too large to look at. */
const MAX_HEIGHT = 2600;

/** The window's height at which the page of the shell shows all of its content. The grid of files scrolls at any height. */
const WHOLE_HEIGHT = `(() => {
  const areas = [...document.querySelectorAll("main, main *")].filter((area) =>
    /auto|scroll/.test(getComputedStyle(area).overflowY) && area.querySelector("[role=grid]") === null && area.closest("[role=grid]") === null);
  return innerHeight + Math.max(0, ...areas.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight));
})()`;

/**
 * Takes a page's pictures at five widths, light and dark: `<name>-light-1280.png`. Leaves it at the last size and light.
 * @param check called after each picture
 * @param sizes the window's sizes, if others
 */
export async function takeScreenshots(
  page: Page,
  name: string,
  check: (width: number, colorScheme: "light" | "dark") => Promise<void> = async () => undefined,
  sizes: readonly Size[] = SIZES,
): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const { width, height, isWhole = true } of sizes) {
    await page.setViewportSize({ width, height });
    if (isWhole) {
      const whole = Math.min(MAX_HEIGHT, await page.evaluate<number>(WHOLE_HEIGHT));
      await page.setViewportSize({ width, height: whole });
    }
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(SETTLED);
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${width}.png`) });
      await check(width, colorScheme);
    }
  }
  const { width = 1280, height = 800 } = sizes.at(-1) ?? {};
  await page.setViewportSize({ width, height });
}
