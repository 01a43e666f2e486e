import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { findTarget } from "./drop-target.ts";
import { markTarget } from "./mark-target.ts";

interface FolderWatcher {
  /** Null is Root. */
  readonly canMove: (id: string, parentId: string | null) => boolean;
  readonly move: (id: string, parentId: string | null) => void;
}

/** Lets rows and tiles of folders be dragged onto each other. @returns a function that stops this */
export function watchFolderDrags({ canMove, move }: FolderWatcher): () => void {
  let row: HTMLElement | undefined;
  let release: (() => void) | undefined;
  const prepare = (event: Event) => {
    const next = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-drag-folder]") : null;
    if (next === null || next === row) return;
    release?.();
    row = next;
    release = draggable({ element: next, getInitialData: () => ({ kind: "folder", id: next.dataset.dragFolder }) });
  };
  const into = (id: string, x: number, y: number) => {
    const found = findTarget(x, y);
    return found?.target.kind === "folder" && canMove(id, found.target.folderId)
      ? { found, parentId: found.target.folderId }
      : undefined;
  };
  const mark = markTarget();
  document.addEventListener("pointerover", prepare);
  const stop = combine(
    dropTargetForElements({
      element: document.documentElement,
      canDrop: ({ source }) => source.data.kind === "folder",
      getDropEffect: () => "move",
    }),
    monitorForElements({
      canMonitor: ({ source }) => source.data.kind === "folder",
      onDrag: ({ source, location: { current } }) =>
        mark(into(String(source.data.id), current.input.clientX, current.input.clientY)?.found),
      onDrop: ({ source, location: { current } }) => {
        mark(undefined);
        const id = String(source.data.id);
        const target = into(id, current.input.clientX, current.input.clientY);
        if (target !== undefined && current.dropTargets.length > 0) move(id, target.parentId);
      },
    }),
  );
  return () => {
    document.removeEventListener("pointerover", prepare);
    release?.();
    stop();
  };
}
