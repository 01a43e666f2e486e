import { type ReactNode, useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { useSession } from "../api/session-store.ts";

/** Sends whoever is not logged in to the log-in, which comes back here. What the page shows waits for nothing. */
export function RequireSession({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    if (session !== "none") return;
    const here = `/dashboard${path}${search === "" ? "" : `?${search}`}`;
    navigate(`/login?${new URLSearchParams({ next: here })}`, { replace: true });
  }, [session, path, search, navigate]);
  return session === "none" ? null : children;
}
