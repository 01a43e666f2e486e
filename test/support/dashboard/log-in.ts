import type { Page } from "playwright-core";

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Fills in and submits the visible log-in form. @param part a page or a dialog with one such form */
export async function submitLogIn(
  part: Pick<Page, "getByLabel" | "getByRole">,
  { email, password }: Credentials,
): Promise<void> {
  const field = part.getByLabel("E-mail");
  if (await field.isEditable()) await field.fill(email);
  await part.getByLabel("Password", { exact: true }).fill(password);
  await part.getByRole("button", { name: "Log in" }).click();
}

/** Opens the dashboard as an account. @param path below `/dashboard` */
export async function openDashboard(page: Page, baseUrl: string, who: Credentials, path = "/library"): Promise<void> {
  await page.goto(`${baseUrl}/dashboard/login?next=${encodeURIComponent(`/dashboard${path}`)}`);
  await submitLogIn(page, who);
  await page.locator("#main").waitFor();
}

/** Ends the page's session at the service. A cookie that is only removed from the browser may already be in a held request. */
export async function endSession(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  const answer = await page.context().request.post(`${origin}/auth/logout`, { headers: { Origin: origin } });
  if (!answer.ok()) throw new Error(`The log-out was answered ${answer.status()}`);
}

/**
 * Ends the page's session, as a log-out of another tab does, when its first request with this method leaves.
 * If the session ended before the action, a read of the page could ask for the password first.
 */
export async function endSessionAt(page: Page, method: "POST" | "PUT" | "PATCH" | "DELETE"): Promise<void> {
  let hasEnded = false;
  // The route stays, because Chromium lets a held request go when no route is left.
  await page.route("**", async (route) => {
    if (!hasEnded && route.request().method() === method) {
      hasEnded = true;
      await endSession(page);
    }
    await route.fallback();
  });
}
