import { type Geometry, rowTop } from "./geometry.ts";

/** The scroll bar's position and the top of the visible content. They differ if the content is taller than an element may be. */
export interface Scroll {
  readonly scrollTop: number;
  readonly contentTop: number;
}

export const AT_TOP: Scroll = { scrollTop: 0, contentTop: 0 };

/**
 * A scroll by fewer screens than this moves the content by the same distance. A larger scroll is a drag of the bar and moves the content in
 * proportion.
 */
const SCREENS = 2;

/** The browser has scrolled. @param scrollTop its new value */
export function scrolled(scroll: Scroll, scrollTop: number, geometry: Geometry): Scroll {
  const { lastScroll, lastContent } = ends(geometry);
  if (geometry.contentHeight === geometry.spacerHeight) return { scrollTop, contentTop: scrollTop };
  if (scrollTop <= 0) return { scrollTop, contentTop: 0 };
  if (scrollTop >= lastScroll) return { scrollTop, contentTop: lastContent };
  const delta = scrollTop - scroll.scrollTop;
  const isNear = Math.abs(delta) < SCREENS * geometry.height;
  return {
    scrollTop,
    contentTop: isNear ? clamp(scroll.contentTop + delta, lastContent) : (scrollTop / lastScroll) * lastContent,
  };
}

/** Scrolls to a part of the content and sets the bar to match. It also corrects the bar at rest. */
export function showing(contentTop: number, geometry: Geometry): Scroll {
  const { lastScroll, lastContent } = ends(geometry);
  const shown = clamp(contentTop, lastContent);
  if (geometry.contentHeight === geometry.spacerHeight) return { scrollTop: shown, contentTop: shown };
  // The bar's ends are the content's ends. Any position between them is at least a pixel away from them.
  const scrollTop = Math.round((shown / lastContent) * lastScroll);
  const inner = shown === 0 ? 0 : shown === lastContent ? lastScroll : Math.min(lastScroll - 1, Math.max(1, scrollTop));
  return { scrollTop: inner, contentTop: shown };
}

/** @returns a scroll that shows the whole row; unchanged if it is visible */
export function revealing(scroll: Scroll, row: number, geometry: Geometry): Scroll {
  const top = rowTop(geometry, row);
  const bottom = top + geometry.rowHeight;
  if (top < scroll.contentTop) return showing(row === 0 ? 0 : top - geometry.gap, geometry);
  if (bottom > scroll.contentTop + geometry.height) return showing(bottom - geometry.height, geometry);
  return scroll;
}

/** Keeps the same item at the top when the width or the tile size changes. */
export function keepingPlace(scroll: Scroll, old: Geometry, now: Geometry): Scroll {
  const row = (scroll.contentTop - old.before) / old.rowHeight;
  if (row <= 0) return showing(scroll.contentTop, now);
  return showing(now.before + ((row * old.columns) / now.columns) * now.rowHeight, now);
}

function ends({ contentHeight, spacerHeight, height }: Geometry) {
  return { lastScroll: Math.max(0, spacerHeight - height), lastContent: Math.max(0, contentHeight - height) };
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
