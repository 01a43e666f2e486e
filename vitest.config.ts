import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { divertRuntimeLog } from "./test/support/divert-runtime-log.ts";
import { testProjects } from "./test/support/projects.ts";
import { storeInMemory } from "./test/support/store-in-memory.ts";

divertRuntimeLog();
storeInMemory();

export default defineConfig({
  test: {
    // Many tests make stores and codecs fail; what is logged of that is read where one of them fails.
    silent: "passed-only",
    // Files share their worker: starting one each takes longer than most files do. Some wait for the clock for long: on two cores four
    // at a time leave a sixth of them idle. A sixth worker takes longer to load than it saves.
    isolate: false,
    maxWorkers: 5,
    projects: [
      ...testProjects({ long: false }),
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./src/cdn/wrangler.toml" },
            // No journal sends while a test looks at it, unless it is the full hour. (`npm start` leaves another one in .dev.vars.)
            miniflare: { bindings: { VIEW_FLUSH_SECONDS: "3600" } },
          }),
        ],
        // As the API's: a machine may be busy.
        test: { name: "cdn", include: ["test/cdn/**/*.test.ts"], testTimeout: 20_000 },
      },
    ],
  },
});
