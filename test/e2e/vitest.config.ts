import { defineConfig } from "vitest/config";
import { faultsProject } from "../support/faults/project.ts";
import { testProjects } from "../support/projects.ts";

export default defineConfig({
  test: {
    silent: "passed-only",
    isolate: false,
    projects: [
      // The two groups run one after the other.
      ...[...testProjects({ long: true }), faultsProject()].map(({ test, ...project }) => ({
        ...project,
        test: { ...test, maxWorkers: 3, sequence: { groupOrder: 0 } },
      })),
      {
        // Black-box tests of the whole stack. Each file starts a stack of its own, so they run one after another.
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          setupFiles: ["test/support/stack/own-secrets.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
