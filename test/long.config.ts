import { defineConfig } from "vitest/config";
import { deployProject } from "./support/deploy/project.ts";
import { divertRuntimeLog } from "./support/divert-runtime-log.ts";
import { faultsProject } from "./support/faults/project.ts";
import { testProjects } from "./support/projects.ts";
import { shardsProject } from "./support/shards/project.ts";

// What takes too long for `npm test`. Not in one run with the tests of whole stacks: the secrets of these are others.

divertRuntimeLog();

export default defineConfig({
  test: {
    silent: "passed-only",
    isolate: false,
    maxWorkers: 3,
    projects: [...testProjects({ long: true }), faultsProject(), shardsProject(), deployProject()],
  },
});
