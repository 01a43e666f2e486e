import type { Module } from "./read-modules.ts";

/** The platform, or the users of a package, import the exports of these files. */
const ENTRIES = [
  "src/worker.ts",
  "src/cdn/worker.ts",
  "src/codecs/worker.ts",
  "src/element/index.ts",
  "src/tools/local/drained-api.ts",
];

/** One sentence for each exported value that no other file imports. Types may be exported for the declarations of a package. */
export function findUnused(modules: readonly Module[], tests: readonly Module[]): string[] {
  const used = new Set([...modules, ...tests].flatMap(({ uses }) => uses));
  return modules
    .filter(({ path }) => !ENTRIES.includes(path) && !used.has(`${path}#*`))
    .flatMap(({ path, exports }) =>
      exports
        .filter((name) => !used.has(`${path}#${name}`))
        .map((name) => `${path} exports ${name}, which no other file imports`),
    );
}
