import { QueryClientProvider } from "@tanstack/react-query";
import { Component, type ErrorInfo, type ReactNode, Suspense } from "react";
import { type AroundNavHandler, Router, useLocation } from "wouter";
import { foldersQuery } from "./api/queries/folders.ts";
import { tagsQuery } from "./api/queries/tags.ts";
import { queryClient } from "./api/query-client.ts";
import { Button } from "./design/button.tsx";
import { Empty } from "./design/empty.tsx";
import { sparePart } from "./design/lazy-part.tsx";
import { LOADING_PAGE } from "./design/loading.tsx";
import { Policy } from "./design/policy.tsx";
import { EntranceRoutes, isEntrance, isRouteLoaded, loadRoute, ShellRoutes } from "./routes.tsx";
import { BASE } from "./shell/base.ts";
import { withPatience } from "./shell/patience.ts";
import { loadShell, Shell } from "./shell/shell.tsx";
import { SidebarSection } from "./shell/sidebar-section.tsx";
import { loadUploads, UploadsRoot } from "./uploads/uploads-root.tsx";

// The heading is shown before the folders are loaded.
const LibrarySidebar = sparePart(
  () => import("./library/library-sidebar.tsx"),
  <SidebarSection title="Folders">{null}</SidebarSection>,
);

/** Loads the library's sidebar sections and their data. @throws an import's error */
function loadSidebar(): Promise<void> {
  void queryClient.prefetchQuery(foldersQuery);
  void queryClient.prefetchQuery(tagsQuery());
  return LibrarySidebar.load();
}

/**
 * Loads everything that the first view of an address needs, in parallel.
 * @param path without the base path
 */
export async function loadApp(path: string, search: string): Promise<void> {
  // The page first: it takes longest to load.
  const loads = [loadRoute(path, search)];
  if (!isEntrance(path)) loads.push(loadShell(), loadUploads(), loadSidebar());
  // The component that needs a failed part shows the error.
  await Promise.allSettled(loads);
}

/** Counts navigations; the number of the latest. */
let latest = 0;
addEventListener("popstate", () => {
  latest += 1;
});

/** Navigates once the page's code is loaded, unless the user has navigated elsewhere since. */
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
      <Suspense fallback={LOADING_PAGE}>
        <EntranceRoutes />
      </Suspense>
    );
  return (
    <Shell sidebar={<LibrarySidebar />} uploads={<UploadsRoot />}>
      <ErrorBoundary key={path.split("/")[1]}>
        <Suspense fallback={LOADING_PAGE}>
          <ShellRoutes />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}

interface State {
  readonly error?: unknown;
}

/** Shows a Reload button in place of a page that crashed or could not be loaded. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
  }

  override render(): ReactNode {
    if (!("error" in this.state)) return this.props.children;
    const isLost = /import|module|preload|CSS/i.test(String(this.state.error));
    return (
      <Empty
        title={isLost ? "This page could not be loaded" : "This page crashed"}
        action={
          <Button tone="main" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        {isLost ? "There may be a new version, or no connection." : "The error is in the browser's console."}
      </Empty>
    );
  }
}
