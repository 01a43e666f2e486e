import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** Error messages of a browser that tests cause on purpose: error answers. */
const EXPECTED = /Failed to load resource: the server responded with a status of (400|401|403|404|409|413|415|429)/;

/** A busy machine takes long for a first picture. */
const PATIENCE_MS = 60_000;

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console, of scripts and of the page's policy. */
  readonly problems: readonly string[];
}

/** A page with its own profile. Its error messages are collected. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  return { page, problems: watch(page) };
}

/** Collects a page's error messages from now on. */
export function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    const isProblem = message.type() === "error" || /Content Security Policy|Trusted Type/i.test(message.text());
    if (isProblem && !EXPECTED.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  return problems;
}
