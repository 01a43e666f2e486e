import { defineConfig } from "vitest/config";
import { divertRuntimeLog } from "./support/divert-runtime-log.ts";
import { runsProject } from "./support/projects.ts";
import { storeInMemory } from "./support/store-in-memory.ts";

// What `npm test` leaves to `npm run test:e2e`. Not in one run with the tests of whole stacks: the secrets of these are others.

divertRuntimeLog();
storeInMemory();

export default defineConfig({
  test: { silent: "passed-only", isolate: false, maxWorkers: 4, projects: [runsProject()] },
});
