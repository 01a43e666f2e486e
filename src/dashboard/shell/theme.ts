import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

const KEY = "theme";
const listeners = new Set<() => void>();

function readTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Applies and stores the theme. before-paint.js reads it when the next page loads. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // The browser blocks storage: the theme lasts until the page is closed.
  }
  paintBar();
  for (const listener of listeners) listener();
}

/** Gives the browser's own bar the ground of a chosen theme. index.html has the grounds of the system's themes. */
function paintBar(): void {
  document.querySelector("meta[name=theme-color]:not([media])")?.remove();
  if (readTheme() === "system") return;
  const meta = document.createElement("meta");
  meta.name = "theme-color";
  meta.content = getComputedStyle(document.documentElement).backgroundColor;
  // Browsers use the first element whose media query matches.
  document.head.prepend(meta);
}

paintBar();

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, readTheme);
}

// The theme was changed in another tab.
addEventListener("storage", ({ key, newValue }) => {
  if (key === KEY) setTheme(newValue === "light" || newValue === "dark" ? newValue : "system");
});
