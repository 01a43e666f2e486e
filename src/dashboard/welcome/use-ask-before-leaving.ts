import { useEffect, useState } from "react";
import { BASE } from "../shell/base.ts";

/**
 * Asks before the page is left, as long as something on it would be lost: the browser asks before it is closed or reloaded, and a link to
 * another page is held back.
 * @returns where the link that was held back leads, below the router's base, and what forgets it
 */
export function useAskBeforeLeaving(isNeeded: boolean): readonly [string | undefined, () => void] {
  const [held, setHeld] = useState<string>();
  useEffect(() => {
    if (!isNeeded) return;
    const abort = new AbortController();
    addEventListener("beforeunload", (event) => event.preventDefault(), { signal: abort.signal });
    const hold = (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (link === null || link.target !== "" || link.hasAttribute("download")) return;
      if (link.origin !== location.origin || !link.pathname.startsWith(`${BASE}/`)) return;
      event.preventDefault();
      event.stopPropagation();
      setHeld(link.pathname.slice(BASE.length) + link.search);
    };
    // Before the router's own listeners, which are React's.
    document.addEventListener("click", hold, { capture: true, signal: abort.signal });
    return () => abort.abort();
  }, [isNeeded]);
  return [held, () => setHeld(undefined)];
}
