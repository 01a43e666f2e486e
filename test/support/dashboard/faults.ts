import type { Page, Route } from "playwright-core";

/** The service makes the change, and its answer is lost. */
export async function loseAnswer(route: Route): Promise<void> {
  await makeChange(route);
  await route.abort();
}

/** The service makes the change. Then the network is lost, and the answer with it. */
export async function loseNetwork(route: Route): Promise<void> {
  await makeChange(route);
  await route.request().frame().page().context().setOffline(true);
  await route.abort("internetdisconnected");
}

async function makeChange(route: Route): Promise<void> {
  const answer = await route.fetch();
  if (!answer.ok()) throw new Error(`The service answered ${answer.status()}: ${await answer.text()}`);
}

/** Answers as the service does when the account's rate is reached. */
export function refuseByRate(route: Route, retryAfterSeconds: number): Promise<void> {
  const json = { error: "Rate limit exceeded", code: "rate_limited", statusCode: 429, details: { reason: "rate" } };
  return route.fulfill({ status: 429, headers: { "Retry-After": String(retryAfterSeconds) }, json });
}

interface Failing {
  readonly method: string;
  /** A glob of the request's address. */
  readonly path: string;
}

/**
 * Lets the page's first request of a kind fail.
 * @returns the times in ms at which the page sent it and the later requests of the kind
 */
export async function failFirst(
  page: Page,
  { method, path }: Failing,
  fail: (route: Route) => Promise<void>,
): Promise<readonly number[]> {
  const sent: number[] = [];
  await page.route(path, (route) => {
    if (route.request().method() !== method) return route.fallback();
    return sent.push(Date.now()) === 1 ? fail(route) : route.fallback();
  });
  return sent;
}
