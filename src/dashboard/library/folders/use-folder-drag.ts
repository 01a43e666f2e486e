import { type RefObject, useEffect, useRef } from "react";
import type { Folder } from "../../../client/index.ts";
import { whyNotInto } from "./folder-nodes.ts";

/** Folders are dragged into each other; never into themselves. What does it is loaded when the page is idle. */
export function useFolderDrag(
  tree: RefObject<HTMLElement | null>,
  folders: readonly Folder[],
  move: (id: string, parentId: string | null) => void,
): void {
  const now = useRef({ folders, move });
  now.current = { folders, move };
  useEffect(() => {
    if (!matchMedia("(hover: hover)").matches) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    const timer = setTimeout(async () => {
      const { watchFolderDrags } = await import("../drag/watch-folder-drags.ts");
      if (isOver || tree.current === null) return;
      stop = watchFolderDrags(tree.current, {
        canMove: (id, parentId) => whyNotInto(now.current.folders, id, parentId) === undefined,
        move: (id, parentId) => now.current.move(id, parentId),
      });
    }, 1000);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [tree]);
}
