import type { Page } from "playwright-core";

/** All data that a page has stored where scripts can read it: every store of its origin. */
export function readKept(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate<Record<string, unknown>>(`(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }))()`);
}
