import { resolve } from "node:path";
import { apiWorker } from "../api/api-worker.ts";
import { replaceWorker } from "../api/replace-worker.ts";

const WORKER = resolve("test/support/shards/worker.ts");

/**
 * The whole API suite on three shards, none of which shows an account a row of another. The suite over failing bindings is on the same
 * shards and watched as well, so that this project is for its own command alone.
 */
export function shardsProject() {
  return {
    plugins: [apiWorker(WORKER, ["02"]), replaceWorker(WORKER)],
    test: {
      name: "shards",
      include: ["test/api/**/*.test.ts"],
      // Long tests are run on two. What is counted there are the product's own calls.
      exclude: ["test/api/**/*.long.test.ts"],
      testTimeout: 40_000,
      hookTimeout: 30_000,
      setupFiles: ["test/support/api/apply-migrations.ts", "test/support/shards/expect-no-leak.ts"],
    },
  };
}
