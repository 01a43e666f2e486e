import { dirname, resolve } from "node:path";

const WORKER = resolve("src/worker.ts");
/** These files call the Worker's handlers as production does. */
const CALLERS = /\/test\/(?:api|support)\//;

/** Replaces the Worker's handlers by another entry's, for tests that call them directly, as requests over the network do. */
export function replaceWorker(entry: string) {
  return {
    name: "replace-worker",
    enforce: "pre" as const,
    resolveId(source: string, importer = "") {
      const isMeant = CALLERS.test(importer) && importer !== entry;
      return isMeant && resolve(dirname(importer), source) === WORKER ? entry : undefined;
    },
  };
}
