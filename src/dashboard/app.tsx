import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense } from "react";
import { Router, useLocation } from "wouter";
import { queryClient } from "./api/query-client.ts";
import { lazyPart } from "./design/lazy-part.tsx";
import { Policy } from "./design/policy.tsx";
import { EntranceRoutes, isEntrance, loadRoute, ShellRoutes } from "./routes.tsx";
import { BASE } from "./shell/base.ts";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { loadShell, Shell } from "./shell/shell.tsx";
import { SidebarSection } from "./shell/sidebar-section.tsx";
import { loadUploads, UploadsRoot } from "./uploads/uploads-root.tsx";

const LibrarySidebar = lazyPart(() => import("./library/library-sidebar.tsx"));

/**
 * Loads what the first look at an address is built of, all at once.
 * @param path without the dashboard's own part
 */
export async function loadApp(path: string, search: string): Promise<void> {
  const parts = isEntrance(path) ? [] : [LibrarySidebar.load(), loadShell(), loadUploads()];
  // What could not be loaded is loaded again by what shows it, which says so.
  await Promise.allSettled([loadRoute(path, search), ...parts]);
}

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Policy>
          <Router base={BASE}>
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
