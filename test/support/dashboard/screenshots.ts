import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** The folder of pictures to look at; no test compares them. */
const FOLDER = process.env.SCREENSHOTS ?? ".wrangler/screenshots";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

/** Takes a page's pictures at both sizes, light and dark: `<name>-light-1280.png`. Leaves it wide and light. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${size.width}.png`) });
    }
  }
  await page.setViewportSize(SIZES[0]);
}
