const AFTER_MS = 2500;

interface Connection {
  readonly saveData?: boolean;
}

/** Loads what the first press would have to wait for, once the page has nothing else to do. @returns what calls it off */
export function loadWhenIdle(): () => void {
  const { connection } = navigator as Navigator & { readonly connection?: Connection };
  if (connection?.saveData) return () => undefined;
  const timer = setTimeout(() => {
    // What cannot be loaded now is loaded when it is wanted, and says then that it cannot.
    const load = [
      () => import("../design/menu-popup.tsx"),
      () => import("../design/dialog-window.tsx"),
      () => import("../design/toast-list.tsx"),
      () => import("./palette.tsx"),
      () => import("./login-window.tsx"),
    ];
    for (const each of load) requestIdle(() => void each().catch(() => undefined));
  }, AFTER_MS);
  return () => clearTimeout(timer);
}

/** Safari has no `requestIdleCallback`. */
function requestIdle(run: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run);
  else setTimeout(run);
}
