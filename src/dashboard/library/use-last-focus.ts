import { useEffect, useRef } from "react";

/** What lies over the page, and gives the focus back. */
const OVER = '[role="dialog"], [role="menu"], [role="listbox"]';

/** What has the focus, or had it before a window opened: a file's tile, or anything else. */
export function useLastFocus(): () => "tile" | "other" {
  const last = useRef<"tile" | "other">("other");
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest(OVER) !== null) return;
      last.current = target.closest("[data-position]") === null ? "other" : "tile";
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  return () => last.current;
}
