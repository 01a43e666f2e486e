import type { Page } from "playwright-core";

/** The least time of the minute that must be left, so that a busy machine shows the wait, too. */
const LEAST_LEFT_SECONDS = 20;

/** Sends requests of the logged-in user until the account's rate is used up. */
export async function useUpRate(page: Page): Promise<void> {
  await page.evaluate(async (leastLeftSeconds) => {
    for (;;) {
      const { status, headers } = await fetch("/settings");
      const leftSeconds = Number(headers.get("X-RateLimit-Reset")) - Date.now() / 1000;
      if (status === 429 && leftSeconds > leastLeftSeconds) return;
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }, LEAST_LEFT_SECONDS);
}
