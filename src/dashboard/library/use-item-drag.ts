import { useEffect, useRef } from "react";
import { whenIdle } from "../design/when-idle.ts";
import { isSelected } from "./selection.ts";
import type { Actions } from "./use-actions.ts";
import { positionOf } from "./use-grid-pointer.ts";
import type { Library } from "./use-library.ts";

/** Files are dragged onto folders, the way up, the trash, favourites and tags. What does it is loaded when the page is idle. */
export function useItemDrag(library: Library, actions: Actions): void {
  const now = useRef({ library, actions });
  now.current = { library, actions };
  const { scroller } = library;
  useEffect(() => {
    if (!matchMedia("(hover: hover)").matches) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    const load = async () => {
      const { watchDrags } = await import("./drag/watch-drags.ts");
      if (isOver || scroller.current === null) return;
      stop = watchDrags(scroller.current, {
        /** All that are selected, where the dragged one is among them. */
        take: (tile) => {
          const position = positionOf(tile);
          if (position === undefined) return 0;
          const { library: current, actions: acts } = now.current;
          if (!isSelected(current.selection, position)) {
            current.setFocus(position);
            if (current.selection.intervals.length > 0) acts.clear();
            return 1;
          }
          return acts.selected();
        },
        drop: (target) => now.current.actions.dropOn(target),
      });
    };
    const cancel = whenIdle(() => void load());
    return () => {
      isOver = true;
      cancel();
      stop?.();
    };
  }, [scroller]);
}
