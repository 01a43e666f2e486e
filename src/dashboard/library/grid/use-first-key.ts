import { useLayoutEffect, useRef } from "react";
import { isTaken } from "../../shell/key-rules.ts";
import type { Library } from "../use-library.ts";
import { positionsIn } from "./geometry.ts";
import { isMove } from "./moves.ts";

/** Elements that handle the arrow keys themselves. */
const MOVED_IN = "input, video, [role='tree'], [role='slider'], [role='tablist']";

/** The last key that a file received. The page's other parts run its command if it was pressed before they had loaded (library-extras.tsx). */
export const lastKey: { event?: KeyboardEvent } = {};

/** No file has the focus after a page load. The first arrow key focuses a visible file, as soon as files are shown. */
export function useFirstKey(library: Library): void {
  const now = useRef(library);
  now.current = library;
  useLayoutEffect(() => {
    const enter = (event: KeyboardEvent) => {
      lastKey.event = event;
      const { key, target, shiftKey } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !isMove(key)) return;
      if (!(target instanceof Element) || isTaken(target, key) || target.closest(MOVED_IN) !== null) return;
      const { geometry, grid, focus, goTo } = now.current;
      const { start, end } = positionsIn(geometry, grid.scroll.contentTop);
      const first = focus >= start && focus < end ? focus : start;
      const tile = document.querySelector<HTMLElement>(`[data-position="${first}"]`);
      if (tile === null) return;
      event.preventDefault();
      tile.focus({ preventScroll: true });
      if (key.startsWith("Arrow") && !shiftKey) goTo(first);
      // The tile then handles the key as if it had received the event.
      else tile.dispatchEvent(new KeyboardEvent(event.type, event));
    };
    addEventListener("keydown", enter);
    return () => removeEventListener("keydown", enter);
  }, []);
}
