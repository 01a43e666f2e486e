import { Gallery } from "./gallery.ts";
import { loadMore } from "./load-more.ts";
import { makeIcon, makeIconButton } from "./make.ts";
import { Viewer } from "./viewer.ts";
import { VIEWER_STYLE } from "./viewer-style.ts";
import { makeZipButton } from "./zip/zip-button.ts";

/**
 * The script of a share's page. The page is complete without it: the script adds a viewer, further files while one scrolls, a zip of all files
 * and a switch of the theme.
 */
function start(): void {
  const style = new CSSStyleSheet();
  style.replaceSync(VIEWER_STYLE);
  document.adoptedStyleSheets.push(style);

  const grid = document.querySelector<HTMLElement>(".grid");
  const actions = document.querySelector<HTMLElement>(".actions");
  const gallery = grid === null ? undefined : new Gallery(grid);
  const viewer = gallery && new Viewer(gallery);
  const endPage = (page: Document) => {
    viewer?.hide();
    showEnd(page);
  };
  if (gallery !== undefined && grid !== null) {
    loadMore(gallery);
    gallery.addEventListener("over", (event) => endPage((event as CustomEvent<Document>).detail));
    grid.addEventListener("click", (event) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const tile = (event.target as Element).closest("a.shot")?.closest<HTMLLIElement>(".tile");
      if (!tile) return;
      event.preventDefault();
      viewer?.open(gallery.tiles.indexOf(tile));
    });
    if (location.hash !== "") viewer?.follow();
    if (actions?.dataset.zip === "yes") actions.append(makeZipButton(gallery, endPage));
  }
  actions?.append(makeThemeSwitch());
}

/** Shows the server's page about a share that has ended or whose password was changed. */
function showEnd(page: Document): void {
  const main = page.querySelector("main");
  if (main === null) return;
  document.querySelector("header")?.remove();
  document.querySelector("main")?.replaceWith(main);
  document.title = page.title;
  history.replaceState(null, "", location.pathname);
  const heading = main.querySelector("h1") ?? main;
  heading.tabIndex = -1;
  heading.focus();
}

start();

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Switches between light and dark. The server reads the cookie, so the next page has the theme before the script runs. */
function makeThemeSwitch(): HTMLButtonElement {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const button = makeIconButton("", makeIcon("moon"), () => {
    const theme = isDark() ? "light" : "dark";
    root.dataset.theme = theme;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older browsers.
    document.cookie = `share-theme=${theme}; Path=/s/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
    show();
  });
  const show = () => {
    const label = isDark() ? "Light theme" : "Dark theme";
    button.replaceChildren(makeIcon(isDark() ? "sun" : "moon"));
    button.ariaLabel = label;
    button.title = label;
  };
  system.addEventListener("change", show);
  show();
  return button;
}
