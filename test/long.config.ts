import { defineConfig } from "vitest/config";
import { apiWorker } from "./support/api/api-worker.ts";
import { divertRuntimeLog } from "./support/divert-runtime-log.ts";
import { testProjects } from "./support/projects.ts";

// What takes too long for `npm test`. Not in one run with the tests of whole stacks: the secrets of these are others.

divertRuntimeLog();

export default defineConfig({
  test: {
    silent: "passed-only",
    isolate: false,
    maxWorkers: 3,
    projects: [
      ...testProjects({ long: true }),
      {
        // Bindings that fail at random; `npm run test:faults` runs the whole API suite over them.
        plugins: [apiWorker("./test/support/faults/worker.ts")],
        test: {
          name: "faults",
          include: ["test/faults/**/*.long.test.ts"],
          testTimeout: 60_000,
          setupFiles: ["test/support/api/apply-migrations.ts"],
        },
      },
    ],
  },
});
