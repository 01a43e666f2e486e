import { resolve } from "node:path";
import { apiWorker } from "../api/api-worker.ts";
import { replaceWorker } from "../api/replace-worker.ts";
import type { Project } from "../project.ts";

const WORKER = resolve("test/support/shards/worker.ts");

/**
 * The whole API suite on three shards that return no row of another account. The suite over failing bindings uses the same watched shards,
 * so this project is for its own command only.
 */
export function shardsProject(): Project {
  return {
    plugins: [apiWorker(WORKER, ["02"]), replaceWorker(WORKER)],
    test: {
      name: "shards",
      include: ["test/api/**/*.test.ts"],
      // Long tests use two shards. They count the product's own calls.
      exclude: ["test/api/**/*.long.test.ts"],
      testTimeout: 40_000,
      hookTimeout: 30_000,
      setupFiles: ["test/support/api/apply-migrations.ts", "test/support/shards/expect-no-leak.ts"],
    },
  };
}
