import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { whenIdle } from "../../design/when-idle.ts";
import type { Geometry } from "./geometry.ts";
import { GridWindow } from "./grid-window.ts";

/** Scroll positions by address, for "back". */
const kept = new Map<string, number>();
const MOST_KEPT = 50;
/** Pictures beyond the visible ones load after this time. */
const AHEAD_AFTER_MS = 500;

/**
 * Tracks the part of the content to build while an element scrolls.
 * @param view the view's address: another view begins at its top, or at its last position
 */
export function useGridWindow(scroller: RefObject<HTMLElement | null>, geometry: Geometry, view: string) {
  const isMeasured = geometry.height > 0;
  // A new window is made for the first geometry, so that its rows are right. `resize` reports later geometries.
  const grid = useMemo(
    () =>
      new GridWindow(geometry, (scrollTop) => {
        if (scroller.current !== null) scroller.current.scrollTop = scrollTop;
      }),
    [scroller, isMeasured],
  );
  /** The view whose scroll position is restored. Another view is restored when its length is known. */
  const found = useRef<string>(undefined);

  useLayoutEffect(() => {
    // The spacer has its new height now, so the bar can be set.
    const isSame = found.current === view;
    grid.resize(geometry, isSame);
    if (isSame || geometry.total === 0 || geometry.height === 0) return;
    found.current = view;
    const place = kept.get(view) ?? 0;
    if (place !== grid.scroll.contentTop) grid.showAt(place);
  }, [grid, geometry, view]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const follow = (event: Event) => {
      grid.scrolled(element.scrollTop, event.timeStamp);
      if (found.current === view) remember(view, grid.scroll.contentTop);
    };
    element.addEventListener("scroll", follow, { passive: true });
    return () => element.removeEventListener("scroll", follow);
  }, [scroller, grid, view]);
  useEffect(() => {
    if (!isMeasured) return;
    let stop = () => {};
    const timer = setTimeout(() => {
      stop = whenIdle(() => grid.buildAhead());
    }, AHEAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [grid, isMeasured]);
  useEffect(() => () => grid.dispose(), [grid]);

  return { grid, shown: useSyncExternalStore(grid.subscribe, grid.get) };
}

function remember(view: string, contentTop: number): void {
  kept.delete(view);
  kept.set(view, contentTop);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
}
