// Runs before the first paint, as a classic script, so that a dark page is never light first. shell/theme.ts changes the theme later.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser blocks storage: the page uses the system's theme.
}
