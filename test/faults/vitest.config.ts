import { defineConfig } from "vitest/config";
import { apiWorker } from "../support/api/api-worker.ts";
import { divertRuntimeLog } from "../support/divert-runtime-log.ts";

// The whole API suite, unchanged, over bindings that fail at random (`test/support/faults/`).

divertRuntimeLog();

export default defineConfig({
  plugins: [apiWorker("./test/support/faults/worker.ts")],
  test: {
    name: "api-faults",
    silent: "passed-only",
    testTimeout: 120_000,
    include: ["test/api/**/*.test.ts"],
    setupFiles: ["test/support/api/apply-migrations.ts", "test/support/faults/inject.ts"],
  },
});
