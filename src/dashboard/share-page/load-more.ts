import type { Gallery } from "./gallery.ts";
import { make } from "./make.ts";
import { shotOf } from "./shared-file.ts";

/** Tiles are added before a visitor reaches the end. */
const MARGIN = "1200px 0px";

/** Adds the next files when a visitor scrolls near the end or presses the server's link. */
export function loadMore(gallery: Gallery): void {
  const link = document.querySelector<HTMLAnchorElement>(".pages a[rel=next]");
  const pages = link?.parentElement;
  if (!link || !pages) return;
  const said = make("p", { class: "about", role: "status" });
  pages.append(said);
  let isBusy = false;

  const load = async (isByHand: boolean) => {
    if (isBusy || !gallery.hasMore) return;
    isBusy = true;
    observer.unobserve(pages);
    link.textContent = "Loading…";
    const outcome = await gallery.more();
    isBusy = false;
    link.textContent = "More files";
    switch (outcome.kind) {
      case "added":
        if (isByHand) shotOf(outcome.tiles[0] ?? pages)?.focus();
        break;
      case "busy":
        said.textContent = `Too many visitors. The next files follow in ${outcome.retryAfterSeconds} s.`;
        setTimeout(() => void load(false), outcome.retryAfterSeconds * 1000);
        return;
      case "failed":
        said.textContent = "The next files could not be loaded.";
        link.textContent = "Try again";
        return;
      default:
        return;
    }
    // To observe it again reports whether the end is still near.
    if (gallery.hasMore) observer.observe(pages);
  };
  const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void load(false), {
    rootMargin: MARGIN,
  });
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void load(true);
  });
  gallery.addEventListener("change", () => {
    said.textContent = `${gallery.tiles.length.toLocaleString("en")} of ${gallery.total.toLocaleString("en")} files shown`;
    if (!gallery.hasMore) link.remove();
  });
  observer.observe(pages);
}
