import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { noteOwnChange } from "./change-queue.ts";
import { refreshAll } from "./count-changes.ts";

const tabs = new BroadcastChannel("library");

/** Other tabs ask anew for what they show of the library. */
export function tellOtherTabs(): void {
  tabs.postMessage("changed");
}

/** What another tab has changed is asked for anew: at once where this one is seen, else when it is. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const abort = new AbortController();
    let isStale = false;
    const refresh = () => {
      if (!isStale || document.hidden) return;
      isStale = false;
      // It is the same person: the view follows wherever it is scrolled to.
      noteOwnChange();
      void refreshAll(client);
    };
    const note = () => {
      isStale = true;
      refresh();
    };
    tabs.addEventListener("message", note, { signal: abort.signal });
    document.addEventListener("visibilitychange", refresh, { signal: abort.signal });
    return () => abort.abort();
  }, [client]);
}
