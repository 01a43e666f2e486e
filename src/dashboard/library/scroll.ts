import { type Geometry, rowTop } from "./geometry.ts";

/** Where the browser's bar stands and which part of the content is shown. They differ where the content is higher than an element may be. */
export interface Scroll {
  readonly scrollTop: number;
  readonly contentTop: number;
}

export const AT_TOP: Scroll = { scrollTop: 0, contentTop: 0 };

/** A scroll of less than so many screens moves the content by as much; a larger one was the bar's, and moves it in proportion. */
const SCREENS = 2;

/** The browser has scrolled. @param scrollTop where its bar stands now */
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

/** Shows a part of the content, and sets the bar to where that is. The bar at rest is set by this, too. */
export function showing(contentTop: number, geometry: Geometry): Scroll {
  const { lastScroll, lastContent } = ends(geometry);
  const shown = clamp(contentTop, lastContent);
  if (geometry.contentHeight === geometry.spacerHeight) return { scrollTop: shown, contentTop: shown };
  // An end of the bar is the same end of the content, so anything between has at least a pixel to go.
  const scrollTop = Math.round((shown / lastContent) * lastScroll);
  const inner = shown === 0 ? 0 : shown === lastContent ? lastScroll : Math.min(lastScroll - 1, Math.max(1, scrollTop));
  return { scrollTop: inner, contentTop: shown };
}

/** @returns what to show so that a row is seen whole; as it is where it is seen already */
export function revealing(scroll: Scroll, row: number, geometry: Geometry): Scroll {
  const top = rowTop(geometry, row);
  const bottom = top + geometry.rowHeight;
  if (top < scroll.contentTop) return showing(row === 0 ? 0 : top - geometry.gap, geometry);
  if (bottom > scroll.contentTop + geometry.height) return showing(bottom - geometry.height, geometry);
  return scroll;
}

/** The same item stays at the top when the width or the size of tiles changes. */
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
