import { type Browser, chromium } from "playwright-core";

/** Of two switches the last counts: Playwright's own list comes first, and then what each window would load for its address bar. */
const DISABLED_FEATURES = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-sync",
  `--disable-features=${DISABLED_FEATURES}`,
];

/** How every test's Chromium is started. */
export const CHROMIUM = { executablePath: "/usr/bin/chromium", args: ARGS };

export function openBrowser(): Promise<Browser> {
  return chromium.launch(CHROMIUM);
}
