import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { pointerOutsideOfPreview } from "@atlaskit/pragmatic-drag-and-drop/element/pointer-outside-of-preview";
import { setCustomNativeDragPreview } from "@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview";
import { formatCount } from "../../design/format.ts";
import styles from "./drag-count.module.css";
import { type DropTarget, findTarget } from "./drop-target.ts";
import { markTarget } from "./mark-target.ts";

interface Watcher {
  /** A drag of a tile begins. @returns the number of dragged files */
  readonly take: (tile: Element) => number;
  readonly drop: (target: DropTarget) => void;
}

/** Makes a tile draggable when the pointer reaches it. @returns a function that stops this */
export function watchDrags(scroller: HTMLElement, { take, drop }: Watcher): () => void {
  let count = 0;
  let tile: Element | undefined;
  let release: (() => void) | undefined;

  const prepare = (event: Event) => {
    const next = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-position]") : null;
    if (next === null || next === tile) return;
    release?.();
    tile = next;
    release = draggable({
      element: next,
      getInitialData: () => ({ kind: "files" }),
      onGenerateDragPreview: ({ nativeSetDragImage }) => {
        count = take(next);
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: pointerOutsideOfPreview({ x: "12px", y: "8px" }),
          render: ({ container }) => {
            const badge = document.createElement("div");
            badge.className = styles.count ?? "";
            badge.textContent = count === 1 ? "1 file" : `${formatCount(count)} files`;
            container.append(badge);
          },
        });
      },
    });
  };
  const mark = markTarget();
  scroller.addEventListener("pointerover", prepare);
  const stop = combine(
    dropTargetForElements({
      element: document.body,
      canDrop: ({ source }) => source.data.kind === "files",
      getDropEffect: () => "move",
    }),
    monitorForElements({
      canMonitor: ({ source }) => source.data.kind === "files",
      onDrag: ({ location: { current } }) => mark(findTarget(current.input.clientX, current.input.clientY)),
      onDrop: ({ location: { current } }) => {
        mark(undefined);
        const found = findTarget(current.input.clientX, current.input.clientY);
        // A cancelled drag ends without a target.
        if (found !== undefined && current.dropTargets.length > 0 && count > 0) drop(found.target);
      },
    }),
  );
  return () => {
    scroller.removeEventListener("pointerover", prepare);
    release?.();
    stop();
  };
}
