import type { Page } from "playwright-core";

/** The names of the files that the library shows, in their order. */
export function readShownNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    "[...document.querySelectorAll('[data-position] a[aria-label]')].map((link) => link.ariaLabel.split(', ')[0])",
  );
}
