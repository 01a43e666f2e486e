import type { Page, Route } from "playwright-core";
import type { Owners } from "./owners.ts";
import { emptyRoom, fewInRoom, fullRoom } from "./room.ts";

export type StateName = "rest" | "empty" | "full" | "loading" | "failing";

export interface State {
  readonly owner: keyof Owners;
  /** Answers the requests of the page's data in place of the service. */
  readonly answer?: (route: Route) => Promise<void>;
  /** Changes the service's answers to the operator. */
  readonly room?: (path: string, answer: object) => object;
}

/** Holds every request of the page's data. */
const hold = async () => {
  await new Promise(() => undefined);
};

const LIMITS = ["storage", "operations"];

/** Passes the service's answer on, with the storage and the month's operations used up. */
const useUp = async (route: Route) => {
  if (route.request().resourceType() === "image" || route.request().url().includes("/events")) return route.fallback();
  const answer = await route.fetch();
  const headers = answer.headers();
  for (const limit of LIMITS) headers[`x-${limit}-used`] = headers[`x-${limit}-limit`] ?? "";
  if (!route.request().url().endsWith("/stats/overview")) return route.fulfill({ response: answer, headers });
  const body = await answer.json();
  for (const limit of LIMITS) Object.assign(body[limit], { used: body[limit].limit, percent: 100 });
  body.operations.classB = body.operations.limit - body.operations.classA;
  return route.fulfill({ response: answer, headers, json: body });
};

const refuse = (route: Route) =>
  route.fulfill({
    status: 503,
    headers: { "Retry-After": "0", "X-Request-Id": "8f2b1c0d4e5a6978-FRA" },
    json: { error: "The database does not answer. Please try again.", code: "unavailable", statusCode: 503 },
  });

export const STATES: Readonly<Record<StateName, State>> = {
  rest: { owner: "few", room: fewInRoom },
  empty: { owner: "empty", room: emptyRoom },
  full: { owner: "many", answer: useUp, room: fullRoom },
  loading: { owner: "few", answer: hold },
  failing: { owner: "few", answer: refuse },
};

const DATA = ["fetch", "xhr", "eventsource", "image"];

/**
 * Lets a state answer the requests of the page's data. The page itself and its code come from the service.
 * @param passes addresses that the service answers in every state
 */
export async function enterState(page: Page, { answer, room }: State, passes?: RegExp): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (answer !== undefined) {
    await page.route("**", (route) => {
      const { pathname } = new URL(route.request().url());
      const isData = DATA.includes(route.request().resourceType()) && !pathname.startsWith("/dashboard/");
      return isData && passes?.test(pathname) !== true ? answer(route) : route.fallback();
    });
  }
  if (room !== undefined) {
    await page.route("**/admin/**", async (route) => {
      const response = await route.fetch();
      const json = room(new URL(route.request().url()).pathname, await response.json());
      return route.fulfill({ response, json });
    });
  }
}
