import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openPage } from "./browser.ts";
import { failFirst, loseAnswer, loseNetwork, refuseByRate } from "./faults.ts";
import { type Credentials, endSessionAt, openDashboard, submitLogIn } from "./log-in.ts";

/** A change that a user makes in the dashboard by one request. */
export interface Action {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** A glob of the address of the request that makes the change. */
  readonly path: string;
  /** Makes what the action needs. */
  readonly given?: () => Promise<unknown>;
  /** The page's path below `/dashboard`. */
  readonly at: () => string;
  /** Fills in the form. @returns the button that sends it */
  readonly prepare: (page: Page) => Promise<Locator>;
  /** Shown when the action is done. */
  readonly done: (page: Page) => Locator;
  /** The state that the API or the clipboard shows. */
  readonly state: (page: Page) => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
  /** The user, if it is another than the place's. */
  readonly who?: () => Credentials;
}

/** The browser and the user of an action. */
export interface Place {
  readonly browser: Browser;
  readonly baseUrl: string;
  readonly who: Credentials;
}

const RETRY_AFTER_SECONDS = 4;

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

/** The session of each account, by e-mail. One account may log in 60 times an hour (AUTH-14), less often than these tests begin. */
const sessions = new Map<string, { readonly cookies: Cookies; readonly since: number }>();

/** Some changes need a log-in of the last 15 minutes (SIGN-1). */
const SESSION_MS = 10 * 60_000;

/** Opens the dashboard with the account's last session, or logs in if it is old or over. */
async function openAction({ browser, baseUrl, who }: Place, path: string): Promise<Page> {
  const { page } = await openPage(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  const session = sessions.get(who.email);
  if (session !== undefined && Date.now() - session.since < SESSION_MS) {
    await page.context().addCookies(session.cookies);
    if ((await page.context().request.get(`${baseUrl}/account`)).ok()) {
      await page.goto(`${baseUrl}/dashboard${path}`);
      await page.locator("#main").waitFor();
      return page;
    }
  }
  await openDashboard(page, baseUrl, who, path);
  sessions.set(who.email, { cookies: await page.context().cookies(), since: Date.now() });
  return page;
}

/** Goes to the moment before an action's request. */
export async function begin(place: Place, action: Action) {
  const { given, at, prepare, state, before } = action;
  await given?.();
  const page = await openAction({ ...place, who: action.who?.() ?? place.who }, at());
  const button = await prepare(page);
  // Another tab may change the thing only when the page shows it.
  await button.waitFor();
  expect(await state(page)).toEqual(before);
  return { page, button };
}

/** Waits until an action is done, and closes the page. */
export async function finish(page: Page, { done, state, after }: Action): Promise<void> {
  await done(page).first().waitFor();
  expect(await state(page)).toEqual(after);
  await page.context().close();
}

/** Does an action in another tab of the same browser. */
export async function doElsewhere(page: Page, { baseUrl }: Place, { at, prepare, done }: Action): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(`${baseUrl}/dashboard${at()}`);
  await (await prepare(other)).click();
  await done(other).first().waitFor();
  await other.close();
  await page.bringToFront();
}

/** The page reports that another tab has removed the thing, and closes the dialog of the change. */
export async function expectGone(page: Page, words: string): Promise<void> {
  const title = "Nothing was changed";
  await page.getByRole("dialog", { name: title }).getByText(words).waitFor();
  await expect.poll(() => page.getByRole("dialog").filter({ hasNotText: title }).count()).toBe(0);
}

/** The service refuses the action's first request by the rate. The page shows the wait, and sends the request once more. */
export async function expectWait(place: Place, action: Action): Promise<void> {
  const { page, button } = await begin(place, action);
  const sent = await failFirst(page, action, (route) => refuseByRate(route, RETRY_AFTER_SECONDS));
  await button.click();
  await page
    .getByText(/^Waiting \d s\.$/)
    .first()
    .waitFor();
  await finish(page, action);
  expect(sent).toHaveLength(2);
  expect((sent[1] ?? 0) - (sent[0] ?? 0)).toBeGreaterThan(RETRY_AFTER_SECONDS * 1000 - 100);
}

/** The session is over when the action's request leaves. The page asks for the password, and then makes the change once. */
export async function expectRenewal(place: Place, action: Action): Promise<void> {
  const { page, button } = await begin(place, action);
  await endSessionAt(page, action.method);
  await button.click();
  const logIn = page.getByRole("dialog", { name: "Log in again" });
  await logIn.waitFor();
  expect(await action.state(page)).toEqual(action.before);
  await submitLogIn(logIn, action.who?.() ?? place.who);
  await logIn.waitFor({ state: "detached" });
  await finish(page, action);
}

/** The answer to the action's first request is lost. The page sends it again, and the change is made once. */
export async function expectRepetition(place: Place, action: Action): Promise<void> {
  const { page, button } = await begin(place, action);
  const sent = await failFirst(page, action, loseAnswer);
  await button.click();
  await finish(page, action);
  expect(sent).toHaveLength(2);
}

/** In this time a page that does not wait for the network has used up its tries. */
const OFFLINE_MS = 1500;

/**
 * The network is lost after the service has made the change. The page keeps the change until the network is back, sends it again, and it
 * has one effect.
 */
export async function expectResumption(place: Place, action: Action): Promise<void> {
  const { page, button } = await begin(place, action);
  // The page's waits between its tries are random parts of seconds.
  await page.evaluate("Math.random = () => 0");
  const sent = await failFirst(page, action, loseNetwork);
  await button.click();
  await page.getByText("Changes and uploads resume when you are online.").first().waitFor();
  await page.waitForTimeout(OFFLINE_MS);
  expect(sent).toHaveLength(1);
  await page.context().setOffline(false);
  await finish(page, action);
  expect(sent).toHaveLength(2);
}
