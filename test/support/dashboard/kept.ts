import type { Page } from "playwright-core";

/** All that a page has kept where scripts can read it: every store of its origin. */
export function readKept(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate<Record<string, unknown>>(`(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }))()`);
}
