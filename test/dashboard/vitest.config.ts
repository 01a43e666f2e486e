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
      name: "dashboard",
      include: ["test/dashboard/**/*.test.tsx"],
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: CHROMIUM }),
        instances: [{ browser: "chromium" }],
      },
    },
    // What a test imports would else be prepared, and the page loaded anew, in the middle of the first one.
    optimizeDeps: {
      // Modules as they are: of its five thousand icons few are imported, each by itself.
      exclude: ["lucide-react"],
      include: [
        "@base-ui/react/csp-provider",
        "@base-ui/react/dialog",
        "@base-ui/react/menu",
        "@base-ui/react/popover",
        "@base-ui/react/toast",
        "axe-core",
        "react",
        "react-dom",
        "react-dom/client",
        "vitest-browser-react",
      ],
    },
  }),
);
