import type { Locator, Page } from "playwright-core";
import type { Ids } from "./owners.ts";
import type { StateName } from "./states.ts";

type Sight = (page: Page) => Locator;

export interface LookedPage {
  readonly path: (ids: Ids) => string;
  /** The part that each state shows, and no other state. */
  readonly shows: Readonly<Record<StateName, Sight>>;
  /** Addresses that the service answers in every state, so that the part is shown that needs the answers. */
  readonly passes?: RegExp;
}

const text =
  (words: string | RegExp): Sight =>
  (page) =>
    page.locator("#main").getByText(words).first();
const heading =
  (name: string | RegExp): Sight =>
  (page) =>
    page.getByRole("heading", { name }).first();
const problem =
  (title: string): Sight =>
  (page) =>
    page.getByRole("alert").filter({ hasText: title }).filter({ hasText: "8f2b1c0d4e5a6978-FRA" }).first();
/** A grey shape in place of the page's content. */
const shape: Sight = (page) => page.locator('#main [class*="_shape_"]').first();
/** A row with a name that only the full account has. */
const long: Sight = (page) =>
  page
    .locator("#main")
    .getByText(/^Client-presentation-final.*-original-size/)
    .first();
const tile: Sight = (page) => page.locator('[data-position="0"] img');
const everywhere = (sight: Sight) => ({ rest: sight, empty: sight, full: sight, loading: sight, failing: sight });

const ACCOUNT = /^\/account$/;
/** A section of the page Developers. */
const section = (path: string, what: string, shows: Pick<LookedPage["shows"], "rest" | "empty" | "full">) => ({
  path: () => path,
  shows: { ...shows, loading: shape, failing: problem(`The ${what} could not be loaded`) },
  passes: ACCOUNT,
});
const files = { loading: shape, failing: problem("The files could not be loaded") };
const room = (path: string, what: string, shows: Pick<LookedPage["shows"], "rest" | "empty" | "full">): LookedPage =>
  section(`/operator${path}`, what, shows);

/** Each page of the dashboard's shell, with the part that shows its state. */
export const PAGES: Readonly<Record<string, LookedPage>> = {
  library: {
    path: () => "/library",
    shows: { ...files, rest: tile, empty: heading("Drop your first files here"), full: text("Storage is full") },
  },
  table: {
    path: () => "/library?view=table",
    shows: {
      ...files,
      rest: text("IMG_24.jpg"),
      empty: heading("Drop your first files here"),
      full: long,
    },
  },
  folder: {
    path: ({ folder }) => `/library?folder=${folder}`,
    shows: {
      ...files,
      rest: tile,
      empty: heading("Drop files here"),
      full: (page) => page.getByRole("heading", { level: 1, name: /Client-presentation/ }),
    },
  },
  search: {
    path: () => "/library?q=nothing-has-this-name",
    shows: {
      ...files,
      rest: heading("No files match"),
      empty: heading("No files match"),
      full: text("Storage is full"),
    },
  },
  file: {
    path: ({ file }) => `/library/${file}`,
    shows: {
      rest: (page) => page.getByRole("dialog", { name: "IMG_5.jpg" }).getByText("IMG_5.jpg").first(),
      empty: (page) => page.getByRole("dialog").getByText("File not found"),
      full: (page) => page.getByRole("dialog").getByRole("heading", { level: 1, name: "IMG_5.jpg" }),
      loading: (page) => page.getByRole("dialog", { name: "File" }).locator('[class*="_shape_"]').first(),
      failing: problem("The file could not be loaded"),
    },
  },
  trash: {
    path: () => "/trash",
    shows: { ...files, rest: tile, empty: heading("The trash is empty"), full: text("Storage is full") },
  },
  usage: {
    path: () => "/usage",
    shows: {
      rest: heading("Operations this month"),
      empty: text("No operations in this period."),
      full: text("Storage is full"),
      loading: shape,
      failing: problem("The usage could not be loaded"),
    },
  },
  log: section("/usage/log", "log", {
    rest: (page) => page.getByRole("navigation", { name: "Pages of the log" }),
    empty: heading("No operations yet"),
    full: (page) => page.getByRole("navigation", { name: "Pages of the log" }).getByText(/of \d+ operations/),
  }),
  keys: section("/developers", "keys", {
    rest: (page) => page.getByRole("cell", { name: "Key 1 Upload files" }),
    empty: heading("No API key yet"),
    full: long,
  }),
  key: {
    path: ({ key }) => `/developers/keys/${key}`,
    shows: {
      rest: heading("Key 1"),
      empty: heading("Key not found"),
      full: (page) => page.getByRole("heading", { level: 1, name: /Client-presentation/ }),
      loading: shape,
      failing: problem("The key could not be loaded"),
    },
  },
  "upload-tokens": section("/developers/upload-tokens", "upload tokens", {
    rest: (page) => page.getByRole("list", { name: "Upload tokens" }),
    empty: heading("No upload token"),
    full: text("Storage is full"),
  }),
  webhooks: section("/developers/webhooks", "webhooks", {
    rest: text("https://hooks.example.com/media-2"),
    empty: heading("No webhook yet"),
    full: text(/hooks\.example\.com\/Client-presentation/),
  }),
  events: section("/developers/events", "events", {
    rest: (page) => page.getByRole("list", { name: "Events" }),
    empty: heading("No events yet"),
    full: (page) => page.getByRole("list", { name: "Events" }),
  }),
  snippets: {
    path: () => "/developers/snippets",
    shows: {
      rest: heading("Snippets"),
      empty: heading("Snippets"),
      full: text("Storage is full"),
      loading: shape,
      failing: problem("The account could not be loaded"),
    },
  },
  duplicates: {
    path: () => "/duplicates",
    shows: {
      rest: text("The files of a group have the same bytes"),
      empty: heading("No duplicates"),
      full: text("Storage is full"),
      loading: shape,
      failing: problem("The duplicates could not be loaded"),
    },
  },
  shares: {
    path: () => "/shares",
    shows: {
      rest: text("Share 1"),
      empty: heading("Nothing shared yet"),
      full: long,
      loading: shape,
      failing: problem("The shares could not be loaded"),
    },
  },
  settings: {
    path: () => "/settings",
    shows: {
      rest: text("size-2"),
      empty: heading("Compression"),
      full: text("size-4"),
      loading: shape,
      failing: problem("The settings could not be loaded"),
    },
  },
  account: {
    path: () => "/settings/account",
    shows: {
      rest: text(/few@example\.com · Pro/),
      empty: text(/empty@example\.com · Pro/),
      full: text(/many@example\.com · Pro/),
      loading: shape,
      failing: problem("The account could not be loaded"),
    },
  },
  welcome: {
    path: () => "/welcome",
    shows: { ...everywhere(heading("This key can't be shown again")), full: text("Storage is full") },
  },
  "not-found": {
    path: () => "/nowhere",
    shows: { ...everywhere(heading("Page not found")), full: text("Storage is full") },
  },
  health: room("", "health", {
    rest: heading("Everything works"),
    empty: heading("Everything works"),
    full: text(/^Down: .*1,204 changes are overdue/),
  }),
  accounts: room("/accounts", "accounts", {
    rest: (page) => page.getByRole("link", { name: "stranger@example.com" }),
    empty: heading("No account matches"),
    full: (page) => page.getByRole("button", { name: "Show more" }),
  }),
  "one-account": {
    path: ({ account }) => `/operator/accounts/${account}`,
    shows: {
      rest: (page) => page.getByRole("button", { name: "Suspend" }),
      empty: heading("No such account"),
      full: text(/^Suspended on .*Its files are not served/),
      loading: shape,
      failing: problem("The account could not be loaded"),
    },
    passes: ACCOUNT,
  },
  reports: room("/reports", "reports", {
    rest: (page) => page.getByRole("article", { name: "Report 1 of 2" }).getByText("stranger@example.com"),
    empty: heading("No reports wait"),
    full: (page) => page.getByRole("article", { name: "Report 1 of 50 or more" }).getByText("stranger@example.com"),
  }),
  takedowns: room("/takedowns", "takedowns", {
    rest: (page) => page.getByRole("button", { name: "Restore stranger-2.jpg" }),
    empty: heading("No file was taken down"),
    full: (page) => page.getByRole("button", { name: "Show more" }),
  }),
  queues: room("/queues", "changes", {
    rest: text("R2 is away"),
    empty: heading("No change is overdue"),
    full: (page) => page.getByRole("region", { name: "Overdue changes" }).getByRole("button", { name: "Show more" }),
  }),
  shards: room("/shards", "shards", {
    rest: (page) => page.getByRole("button", { name: "Close shard 00" }),
    empty: heading("No shards"),
    full: (page) => page.getByRole("button", { name: "Close shard 11" }),
  }),
  audit: room("/audit", "entries", {
    rest: (page) => page.getByRole("cell", { name: "Works the reports" }).first(),
    empty: heading("No actions yet"),
    full: (page) => page.getByRole("button", { name: "Show more" }),
  }),
};
