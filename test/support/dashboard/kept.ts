import type { Page } from "playwright-core";

/** All that a page has kept where scripts can read it: every store of its origin. */
export function readKept(page: Page): Promise<string> {
  return page.evaluate<string>(`(async () => JSON.stringify({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }))()`);
}
