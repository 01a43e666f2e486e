import { Route, Switch } from "wouter";
import { queryClient } from "./api/query-client.ts";
import { lazyPart } from "./design/lazy-part.tsx";
import { LIBRARY_PATH } from "./library/library-path.ts";
import { loadView } from "./library/load-view.ts";

const NotFoundPage = lazyPart(() => import("./shell/not-found-page.tsx"));

const ENTRANCES = [
  { path: "/login", Page: lazyPart(() => import("./login/login-page.tsx")) },
  { path: "/register", Page: lazyPart(() => import("./login/register-page.tsx")) },
];

const PAGES = [
  // A file's page is the library's, which stays as it is under it.
  { path: LIBRARY_PATH, Page: lazyPart(() => import("./library/library-page.tsx")) },
  { path: "/usage", Page: lazyPart(() => import("./usage/usage-page.tsx")) },
  { path: "/usage/log", Page: lazyPart(() => import("./usage/log-page.tsx")) },
  { path: "/keys", Page: lazyPart(() => import("./keys/keys-page.tsx")) },
  { path: /^\/keys\/(?<id>[^/]+)$/, Page: lazyPart(() => import("./keys/key-page.tsx")) },
  { path: "/settings", Page: lazyPart(() => import("./settings/settings-page.tsx")) },
  { path: "/settings/account", Page: lazyPart(() => import("./settings/account-page.tsx")) },
  { path: "/welcome", Page: lazyPart(() => import("./welcome/welcome-page.tsx")) },
];

/** Whether a path is that of a page without the shell. */
export function isEntrance(path: string): boolean {
  return ENTRANCES.some((entrance) => entrance.path === path);
}

/**
 * Loads the page of an address, and asks for what it shows first.
 * @param path without the dashboard's own part
 * @throws what the import throws
 */
export async function loadRoute(path: string, search: string): Promise<void> {
  loadView(queryClient, path, search);
  await pageOf(path).load();
}

/** @param path without the dashboard's own part @returns whether its page is built at once */
export function isRouteLoaded(path: string): boolean {
  return pageOf(path).isLoaded();
}

function pageOf(path: string) {
  const route = [...ENTRANCES, ...PAGES].find((each) =>
    typeof each.path === "string" ? each.path === path : each.path.test(path),
  );
  return route?.Page ?? NotFoundPage;
}

/** The pages without the shell: for those who are not logged in. */
export function EntranceRoutes() {
  return (
    <Switch>
      {ENTRANCES.map(({ path, Page }) => (
        <Route key={path} path={path} component={Page} />
      ))}
    </Switch>
  );
}

/** The pages in the shell. */
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
