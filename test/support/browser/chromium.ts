import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/**
 * The last of two equal switches counts: Playwright's own list comes first, then the features that each window would load for its address
 * bar.
 */
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

/** The same engine without windows needs a fifth less CPU. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

/** Every test's Chromium is started with these options. */
export const CHROMIUM = {
  executablePath: existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : "/usr/bin/chromium",
  args: ARGS,
};

export function openBrowser(): Promise<Browser> {
  return chromium.launch(CHROMIUM);
}
