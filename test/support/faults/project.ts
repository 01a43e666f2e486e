import { resolve } from "node:path";
import { apiWorker } from "../api/api-worker.ts";
import { replaceWorker } from "../api/replace-worker.ts";

const FAULTY_WORKER = resolve("test/support/faults/worker.ts");
const DEFAULT_SEED = 20_261_122;

/**
 * The whole API suite, unchanged but for the tests in `excluded.ts`, over bindings that fail at random and three shards that
 * show no account another's rows, and random operations of which many more fail. `FAULT_SEED` chooses another series of faults; a
 * file that fails says its own.
 */
export function faultsProject() {
  return {
    plugins: [apiWorker(FAULTY_WORKER, ["02"]), replaceWorker(FAULTY_WORKER)],
    test: {
      name: "faults",
      include: ["test/api/**/*.test.ts", "test/faults/**/*.test.ts"],
      // The long ones count, damage stores by hand, wait for memory, or try random operations themselves; or have many uploads.
      exclude: ["test/api/**/*.long.test.ts"],
      // What fails is tried again, and each time waits a little.
      testTimeout: 60_000,
      // Now and then faults strike what a test itself looks at or prepares. What is wrong in the product is so the third time, too.
      retry: 2,
      provide: { faultSeed: Number(process.env.FAULT_SEED ?? DEFAULT_SEED) },
      setupFiles: [
        "test/support/api/apply-migrations.ts",
        "test/support/faults/inject.ts",
        "test/support/shards/expect-no-leak.ts",
      ],
    },
  };
}
