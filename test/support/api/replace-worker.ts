import { dirname, resolve } from "node:path";

const WORKER = resolve("src/worker.ts");
/** Where the Worker's handlers are called as they are in production. */
const CALLERS = /\/test\/(?:api|support)\//;

/** Has tests that call the Worker's handlers themselves call those of another entry, as requests over the network do. */
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
