import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense } from "react";
import { Router, useLocation } from "wouter";
import { queryClient } from "./api/query-client.ts";
import { lazyPart } from "./design/lazy-part.ts";
import { Policy } from "./design/policy.tsx";
import { EntranceRoutes, ShellRoutes } from "./routes.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { Shell } from "./shell/shell.tsx";
import { SidebarSection } from "./shell/sidebar-section.tsx";
import { UploadsRoot } from "./uploads/uploads-root.tsx";

const LibrarySidebar = lazyPart(() => import("./library/library-sidebar.tsx"));

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Policy>
          <Router base="/dashboard">
            <Pages />
          </Router>
        </Policy>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

function Pages() {
  const [path] = useLocation();
  if (path === "/login" || path === "/register")
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
