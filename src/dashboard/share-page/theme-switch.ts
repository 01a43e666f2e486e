import { makeIcon, makeIconButton } from "./make.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Switches between light and dark. The server reads the cookie, so the next page has the theme before the script runs. */
export function makeThemeSwitch(): HTMLButtonElement {
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
