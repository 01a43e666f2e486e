import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { toast } from "../design/toast.tsx";
import type { Item, Patch } from "./change.ts";
import type { Filters } from "./filters.ts";

export interface ChangesOf {
  readonly filters: Filters;
  readonly folderName: (folderId: string | null) => string;
  /** Files have left the view. */
  readonly onRemoved: (positions: readonly number[]) => void;
}

export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly stop: () => void;
}

type OnStep = (progress: Progress | undefined) => void;

/** What changes files is loaded beside the page, which is shown before. */
export const loadChanges = () => import("./changes.ts");

/** Changing files: shown at once, sent in order, undone by a toast or Ctrl-Z, taken back where the service refuses. */
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
      perform: (items: readonly Item[], patch: Patch, onStep?: OnStep) =>
        withChanges(({ perform }) => perform(context, items, patch, onStep)),
      /** The same for all files of the view but some, more than can be undone; the service finds them. */
      performAll: (count: number, exceptIds: readonly string[], patch: Patch, onStep: OnStep) =>
        withChanges(({ performAll }) => performAll(context, count, exceptIds, patch, onStep)),
      /** Ctrl-Z: the last step that was not undone yet. */
      undoLast: () => void withChanges(({ undoLast }) => undoLast()),
    };
  }, [client]);
}
