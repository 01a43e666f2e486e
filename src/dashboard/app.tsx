import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense } from "react";
import { Router, useLocation } from "wouter";
import { queryClient } from "./api/query-client.ts";
import { Policy } from "./design/policy.tsx";
import { LibrarySidebar } from "./library/library-sidebar.tsx";
import { EntranceRoutes, ShellRoutes } from "./routes.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { Shell } from "./shell/shell.tsx";
import { UploadsRoot } from "./uploads/uploads-root.tsx";

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
  return (
    <Shell sidebar={<LibrarySidebar />} uploads={<UploadsRoot />}>
      <ErrorBoundary key={path.split("/")[1]}>
        <Suspense fallback={null}>
          <ShellRoutes />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
