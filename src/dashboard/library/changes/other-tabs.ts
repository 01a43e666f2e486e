import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { libraryTabs } from "../../api/library-tabs.ts";
import { noteOwnChange } from "./change-queue.ts";
import { refreshAll } from "./count-changes.ts";

/** Refetches after a change in another tab: at once if this tab is visible, else when it becomes visible. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const abort = new AbortController();
    let isStale = false;
    const refresh = () => {
      if (!isStale || document.hidden) return;
      isStale = false;
      // The same person made the change, so the view is updated at any scroll position.
      noteOwnChange();
      void refreshAll(client);
    };
    const note = () => {
      isStale = true;
      refresh();
    };
    libraryTabs.addEventListener("message", note, { signal: abort.signal });
    document.addEventListener("visibilitychange", refresh, { signal: abort.signal });
    return () => abort.abort();
  }, [client]);
}
