const KEY = "reloaded-for-chunk";

/**
 * A deployment replaces the files that an open page would load later: the page is loaded anew, once. Where that does not help, the error
 * reaches the page's error boundary, which offers it.
 */
export function reloadOnLostChunk(): void {
  addEventListener("vite:preloadError", (event) => {
    if (!navigator.onLine || sessionStorage.getItem(KEY) === location.href) return;
    sessionStorage.setItem(KEY, location.href);
    event.preventDefault();
    location.reload();
  });
  // What loaded is not to stop the next deployment's.
  addEventListener("load", () => setTimeout(() => sessionStorage.removeItem(KEY), 10_000));
}
