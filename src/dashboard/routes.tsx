import type { QueryClient } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { imagesPage, timelineQuery } from "./api/queries/images.ts";
import { queryClient } from "./api/query-client.ts";
import { lazyPart } from "./design/lazy-part.tsx";
import { isNarrowed, parseFilters, toImageQuery } from "./library/view/filters.ts";
import { LIBRARY_PATH, parseLibraryPath } from "./library/view/library-path.ts";
import { readSorting, withSorting } from "./library/view/sorting.ts";

const NotFoundPage = lazyPart(() => import("./shell/not-found-page.tsx"));

const ENTRANCES = [
  { path: "/login", Page: lazyPart(() => import("./login/login-page.tsx")) },
  { path: "/register", Page: lazyPart(() => import("./login/register-page.tsx")) },
  { path: /^\/(forgot|reset|verify|confirm-email)$/, Page: lazyPart(() => import("./login/mail-page.tsx")) },
];

const PAGES = [
  // The page of a file opens over the library, which stays mounted.
  { path: LIBRARY_PATH, Page: lazyPart(() => import("./library/library-page.tsx")) },
  { path: /^\/duplicates(\/[^/]+)?$/, Page: lazyPart(() => import("./library/duplicates/duplicates-page.tsx")) },
  { path: "/usage", Page: lazyPart(() => import("./usage/usage-page.tsx")) },
  { path: "/usage/log", Page: lazyPart(() => import("./usage/log-page.tsx")) },
  // Earlier versions had the keys at `/keys`.
  {
    path: /^\/(developers(\/(upload-tokens|webhooks|events|snippets|keys\/[^/]+))?|keys(\/[^/]+)?)$/,
    Page: lazyPart(() => import("./developers/developers-page.tsx")),
  },
  { path: "/shares", Page: lazyPart(() => import("./shares/shares-page.tsx")) },
  { path: "/settings", Page: lazyPart(() => import("./settings/settings-page.tsx")) },
  { path: "/settings/account", Page: lazyPart(() => import("./settings/account-page.tsx")) },
  {
    path: /^\/operator(\/[a-z]+(\/[0-9a-z]{26})?)?$/,
    Page: lazyPart(() => import("./operator/operator-page.tsx")),
  },
  { path: "/welcome", Page: lazyPart(() => import("./welcome/welcome-page.tsx")) },
];

/** Whether the page at a path is shown without the shell. */
export function isEntrance(path: string): boolean {
  return ENTRANCES.includes(routeOf(path) as never);
}

/**
 * Loads the page of an address and, for the library, its data.
 * @param path without the base path
 * @throws the import's error
 */
export async function loadRoute(path: string, search: string): Promise<void> {
  loadView(queryClient, path, search);
  await pageOf(path).load();
}

/** @param path without the base path @returns whether its page is loaded */
export function isRouteLoaded(path: string): boolean {
  return pageOf(path).isLoaded();
}

function pageOf(path: string) {
  return routeOf(path)?.Page ?? NotFoundPage;
}

function routeOf(path: string) {
  return [...ENTRANCES, ...PAGES].find((each) =>
    typeof each.path === "string" ? each.path === path : each.path.test(path),
  );
}

/** The pages without the shell, for users who are not logged in. */
export function EntranceRoutes() {
  return (
    <Switch>
      {ENTRANCES.map(({ path, Page }) => (
        <Route key={`${path}`} path={path} component={Page} />
      ))}
    </Switch>
  );
}

/** The pages within the shell. */
export function ShellRoutes() {
  return (
    <Switch>
      {PAGES.map(({ path, Page }) => (
        <Route key={`${path}`} path={path} component={Page} />
      ))}
      <Route component={NotFoundPage} />
    </Switch>
  );
}

/**
 * Fetches the first files of the library at an address before the page is built.
 * @param path without the dashboard's base; another page's path fetches nothing
 */
function loadView(client: QueryClient, path: string, search: string): void {
  const shown = parseLibraryPath(path);
  if (shown === undefined) return;
  const filters = parseFilters(search, shown.status);
  // The component that shows the result retries a failed request and reports the error.
  void client.prefetchQuery(imagesPage(withSorting(toImageQuery(filters), readSorting(filters)), 0));
  if (!isNarrowed(filters)) void client.prefetchQuery(timelineQuery(filters.status, filters.folder));
}
