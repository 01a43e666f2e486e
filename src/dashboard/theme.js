// Runs before the first paint, as a classic script: a page that is to be dark is never light first (shell/theme.ts sets it later).
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing for us follows the system.
}
