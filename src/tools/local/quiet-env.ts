/** Wrangler must not ask, report or look for updates. */
export const QUIET_ENV = {
  ...process.env,
  CI: "true",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_UPDATE_NOTIFIER: "1",
  // `request.cf` is not used, and loading it needs the internet.
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  // A trace of every request would grow the state folder by tens of megabytes a minute under load.
  X_LOCAL_OBSERVABILITY: "false",
};
