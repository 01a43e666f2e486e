import { playwright } from "@vitest/browser-playwright";
import { defineConfig, mergeConfig } from "vitest/config";
import pages from "../../src/dashboard/vite.config.ts";
import { CHROMIUM } from "../support/browser/chromium.ts";

// Parts of the dashboard in a real browser, as Vite builds them for the pages.

export default mergeConfig(
  pages,
  defineConfig({
    root: process.cwd(),
    base: "/",
    test: {
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: CHROMIUM }),
        instances: [{ browser: "chromium" }],
      },
    },
    // Vite would else prepare a test's imports and reload the page in the middle of the first test.
    optimizeDeps: {
      // Unbundled modules: few of its five thousand icons are imported, each by its own path.
      exclude: ["lucide-react"],
      include: [
        "@base-ui/react/csp-provider",
        "@base-ui/react/dialog",
        "@base-ui/react/menu",
        "@base-ui/react/popover",
        "@base-ui/react/toast",
        "@tanstack/react-query",
        "axe-core",
        "react",
        "react-dom",
        "react-dom/client",
        "tinykeys",
        "vitest-browser-react",
        "wouter",
      ],
    },
  }),
);
