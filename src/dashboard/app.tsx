import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense } from "react";
import { type AroundNavHandler, Router, useLocation } from "wouter";
import { foldersQuery } from "./api/queries/folders.ts";
import { tagsQuery } from "./api/queries/tags.ts";
import { queryClient } from "./api/query-client.ts";
import { lazyPart } from "./design/lazy-part.tsx";
import { Policy } from "./design/policy.tsx";
import { EntranceRoutes, isEntrance, isRouteLoaded, loadRoute, ShellRoutes } from "./routes.tsx";
import { BASE } from "./shell/base.ts";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { withPatience } from "./shell/patience.ts";
import { loadShell, Shell } from "./shell/shell.tsx";
import { SidebarSection } from "./shell/sidebar-section.tsx";
import { loadUploads, UploadsRoot } from "./uploads/uploads-root.tsx";

const LibrarySidebar = lazyPart(() => import("./library/library-sidebar.tsx"));

/** Loads the library's sections of the sidebar, and asks for what they show. @throws what an import throws */
function loadSidebar(): Promise<void> {
  void queryClient.prefetchQuery(foldersQuery);
  void queryClient.prefetchQuery(tagsQuery());
  return LibrarySidebar.load();
}

/**
 * Loads what the first look at an address is built of, all at once.
 * @param path without the dashboard's own part
 */
export async function loadApp(path: string, search: string): Promise<void> {
  // The page comes first: it is waited for longest.
  const loads = [loadRoute(path, search)];
  if (!isEntrance(path)) loads.push(loadShell(), loadUploads(), loadSidebar());
  // That something could not be loaded is said by what shows it.
  await Promise.allSettled(loads);
}

/** The number of the last time that somebody went anywhere. */
let latest = 0;
addEventListener("popstate", () => {
  latest += 1;
});

/** Goes to a page that is not loaded yet when it is; whoever goes elsewhere meanwhile is not called back. */
const goWhenLoaded: AroundNavHandler = (navigate, to, options) => {
  latest += 1;
  const own = latest;
  const { pathname, search } = new URL(to, location.origin);
  const path = pathname.slice(BASE.length);
  if (isRouteLoaded(path)) return navigate(to, options);
  void withPatience(loadApp(path, search)).then(() => {
    if (own === latest) navigate(to, options);
  });
};

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Policy>
          <Router base={BASE} aroundNav={goWhenLoaded}>
            <Pages />
          </Router>
        </Policy>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

function Pages() {
  const [path] = useLocation();
  if (isEntrance(path))
    return (
      <Suspense fallback={null}>
        <EntranceRoutes />
      </Suspense>
    );
  // The heading is there before the folders, as it is while these are asked for.
  const sidebar = (
    <Suspense fallback={<SidebarSection title="Folders">{null}</SidebarSection>}>
      <LibrarySidebar />
    </Suspense>
  );
  return (
    <Shell sidebar={sidebar} uploads={<UploadsRoot />}>
      <ErrorBoundary key={path.split("/")[1]}>
        <Suspense fallback={null}>
          <ShellRoutes />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
