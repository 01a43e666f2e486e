import type { Locator, Page } from "playwright-core";
import { LONG } from "./owners.ts";
import type { StateName } from "./states.ts";

export interface Entrance {
  /** The address, with the token of a mailed link. */
  readonly path: string;
  readonly title: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly button: string;
  /** Shown if the page is used without its fields, or without its token. */
  readonly missing: string;
  /** The service's answer to the fields. */
  readonly answer: string | RegExp;
}

const link = { fields: {}, missing: "This page needs the link of your mail.", answer: "The link is invalid" };

/** The pages of users who are not logged in. */
export const ENTRANCES: Readonly<Record<string, Entrance>> = {
  login: {
    path: "/login",
    title: "Log in",
    fields: { "E-mail": "few@example.com", Password: LONG },
    button: "Log in",
    missing: "E-mail is required",
    answer: /password/i,
  },
  register: {
    path: "/register",
    title: "Create an account",
    fields: { Name: LONG, "E-mail": "few@example.com", Password: LONG },
    button: "Create account",
    missing: "E-mail is required",
    answer: "An account with this email already exists",
  },
  forgot: {
    path: "/forgot",
    title: "Reset your password",
    fields: { "E-mail": `${LONG.slice(0, 60)}@example.com` },
    button: "Send the link",
    missing: "E-mail is required",
    answer: "If the address has an account",
  },
  reset: {
    ...link,
    path: "/reset#token",
    title: "New password",
    fields: { "New password": LONG },
    button: "Set the password",
  },
  verify: { ...link, path: "/verify#token", title: "Verify your address", button: "Verify the address" },
  "confirm-email": { ...link, path: "/confirm-email#token", title: "Change of address", button: "Confirm the change" },
};

/** Opens an entrance's page and uses it as far as a state needs. @returns the part that the state shows */
export async function openEntrance(
  page: Page,
  baseUrl: string,
  { path, title, fields, button, missing, answer }: Entrance,
  state: StateName,
): Promise<Locator> {
  const hasToken = path.includes("#");
  await page.goto("about:blank");
  await page.goto(`${baseUrl}/dashboard${state === "empty" ? path.replace(/#.*/, "") : path}`);
  const heading = page.getByRole("heading", { level: 1, name: title });
  await heading.waitFor();
  if (state === "rest") return heading;
  if (state !== "empty")
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  if (state !== "empty" || !hasToken) await page.getByRole("button", { name: button, exact: true }).press("Enter");
  switch (state) {
    case "empty":
      return page.getByText(missing).first();
    case "full":
      return page
        .getByRole("alert")
        .or(page.getByRole("status"))
        .filter({ hasText: answer })
        .or(page.getByText(answer))
        .first();
    case "loading":
      return page.locator("button[aria-busy=true]");
    case "failing":
      return page.getByRole("alert").filter({ hasText: "The database does not answer." });
  }
}
