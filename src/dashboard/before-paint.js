// Runs before the first paint, as a classic script.
// A dark page is never light first. shell/theme.ts changes the theme later.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser blocks storage: the page uses the system's theme.
}
// The entrance pages (ENTRANCES in routes.tsx) have no sidebar, so they hide the frame of index.html.
if (/^\/dashboard\/(login|register|forgot|reset|verify|confirm-email)$/.test(location.pathname)) {
  document.documentElement.dataset.entrance = "";
}
