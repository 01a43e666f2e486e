import { type RefObject, useLayoutEffect, useRef } from "react";

/** Moves the focus into the drawer when it opens, and back to what opened it when it closes. */
export function useDrawerFocus(drawer: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const opener = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isOpen) {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      drawer.current?.querySelector<HTMLElement>("a[aria-current], a")?.focus();
    } else {
      // Where a link of it was followed, the page has the focus.
      if (drawer.current?.contains(document.activeElement)) opener.current?.focus();
      opener.current = null;
    }
  }, [drawer, isOpen]);
}
