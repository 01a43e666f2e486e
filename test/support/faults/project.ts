import { resolve } from "node:path";
import { apiWorker } from "../api/api-worker.ts";
import { replaceWorker } from "../api/replace-worker.ts";
import type { Project } from "../project.ts";

const FAULTY_WORKER = resolve("test/support/faults/worker.ts");
const DEFAULT_SEED = 20_261_122;

/**
 * The whole API suite, without the tests in `excluded.ts`, over bindings that fail at random and three shards that show no account
 * another's rows. Random operations fail much more often. `FAULT_SEED` chooses another series of faults; a failing file prints its own.
 */
export function faultsProject(): Project {
  return {
    plugins: [apiWorker(FAULTY_WORKER, ["02"]), replaceWorker(FAULTY_WORKER)],
    test: {
      name: "faults",
      include: ["test/api/**/*.test.ts", "test/faults/**/*.test.ts"],
      // The long tests count, damage stores by hand, wait for memory, try random operations themselves, or have many uploads.
      exclude: ["test/api/**/*.long.test.ts"],
      // Failed calls are tried again, each after a short wait.
      testTimeout: 60_000,
      // Faults sometimes affect the test's own reads or preparations. A fault of the product also fails the third time.
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
