import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ENGINE_TESTS, SIMULATION_TESTS } from "../support/slow-tests.ts";

// Black-box tests of the whole stack, each file of which starts one of its own, on ports and with a state folder of its own; and beside
// them, as they wait for much, the engines.

const ALL = ["test/e2e/**/*.test.ts", SIMULATION_TESTS];
const LONG = "**/*.long.test.ts";
/** What measures the machine, or changes a source that stacks are built from. */
const ALONE = ["test/e2e/crowd.test.ts", "test/e2e/local-stack.test.ts"];
/** Every page by itself, by `npm run test:dashboard`: minutes of Chromium, whose frames need a machine of their own. */
const DASHBOARD = ["file", "grid", "library", "pages", "uploads"].map((part) => `test/e2e/dashboard-${part}.test.ts`);

/** What waits longest goes first, beside all that computes; and what computes longest next, so that nothing is left waiting for it. */
const WAITING = ["dashboard-acceptance", "idle-meter", "crash", "dashboard-shell", "simulation"];

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = WAITING.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? WAITING.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

// What a page comes to is waited for: its machine hashes passwords and compresses photos meanwhile.
const SHARED = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000, interval: 100 } } };

export default defineConfig({
  test: {
    silent: "passed-only",
    // Most of them wait: for what was killed, for a minute's end, for a browser.
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        test: {
          ...SHARED,
          name: "e2e",
          include: ALL,
          exclude: [LONG, ...ALONE, ...DASHBOARD],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...SHARED,
          name: "engines",
          include: [...ENGINE_TESTS],
          exclude: [LONG],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...SHARED, name: "e2e alone", include: ALONE, sequence: { groupOrder: 1 } } },
      {
        test: {
          ...SHARED,
          name: "dashboard walks",
          include: DASHBOARD,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      "test/dashboard/vitest.config.ts",
    ],
  },
});
