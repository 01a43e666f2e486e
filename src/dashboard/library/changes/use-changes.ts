import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { toast } from "../../design/toast.tsx";
import type { Item, Patch } from "./patch.ts";
import type { ChangeHandlers, ChangesOf, OnStep } from "./perform-change.ts";

/** The code that changes files is loaded after the page is shown. */
export const loadChanges = () => import("./perform-change.ts");

/**
 * Changes files: shows a change at once, sends changes in order, undoes them by a toast or Ctrl-Z, and reverts them if the service refuses.
 */
export function useChanges(of: ChangesOf) {
  const client = useQueryClient();
  const now = useRef(of);
  now.current = of;
  return useMemo(() => {
    const context = { client, now };
    const withChanges = async (act: (changes: Awaited<ReturnType<typeof loadChanges>>) => Promise<void> | void) => {
      const changes = await loadChanges().catch(() => undefined);
      if (changes === undefined) toast({ tone: "danger", title: "The files could not be changed" });
      else await act(changes);
    };
    return {
      perform: (items: readonly Item[], patch: Patch, handlers?: ChangeHandlers) =>
        withChanges(({ perform }) => perform(context, items, patch, handlers)),
      performAll: (count: number, exceptIds: readonly string[], patch: Patch, onStep: OnStep) =>
        withChanges(({ performAll }) => performAll(context, count, exceptIds, patch, onStep)),
      undoLast: () => void withChanges(({ undoLast }) => undoLast()),
    };
  }, [client]);
}
