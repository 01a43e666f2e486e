import { defineConfig } from "vitest/config";

// Black-box tests of the whole stack. Each file starts a stack of its own, so they run one after another.
export default defineConfig({
  test: {
    name: "e2e",
    silent: "passed-only",
    include: ["test/e2e/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
