const KEY = "reloaded-for-chunk";

/**
 * A deployment replaces the files that an open page would load later: the page is loaded anew, once, if the service can give it. Where it
 * is away, the page stays as it is: it may have uploads under way. The error reaches whoever wanted the file, in any case.
 */
export function reloadOnLostChunk(): void {
  addEventListener("vite:preloadError", () => {
    if (sessionStorage.getItem(KEY) === location.href) return;
    const isThere = fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    );
    void isThere.then((ok) => {
      if (!ok) return;
      sessionStorage.setItem(KEY, location.href);
      location.reload();
    });
  });
  // What loaded is not to stop the next deployment's.
  addEventListener("load", () => setTimeout(() => sessionStorage.removeItem(KEY), 10_000));
}
