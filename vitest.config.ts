import { existsSync, globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { SECRETS } from "./test/support/api/api-worker.ts";
import { divertRuntimeLog } from "./test/support/divert-runtime-log.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { PROJECTS } from "./test/support/projects.ts";
import { storeInMemory } from "./test/support/store-in-memory.ts";

/** These run files of other projects over other bindings, so only `--project` starts them. */
const ON_REQUEST = ["faults", "shards"];
/** These start whole stacks, which have secrets of their own and keep their state on the disk. */
const STACKS = ["e2e", "pages", "e2e-alone", "short-walks", "walks", "dashboard", "deploy", "node-long"];

/** A file that `npm run build` makes. */
const CODEC = "src/media/jpeg/engine/jpeg-engine.wasm";

const args = process.argv.slice(2);
const asked = args.flatMap((arg, at) =>
  arg === "--project" ? [args[at + 1] ?? ""] : (/^--project=(.*)/.exec(arg)?.[1] ?? []),
);
const paths = args.filter((arg) => /(^|\/)test\//.test(arg)).map((path) => path.replace(/^.*?(?=test\/)/, ""));

const chosen = PROJECTS.filter(({ test: { name, include, exclude = [] } }) => {
  if (asked.length > 0) return asked.includes(name);
  if (ON_REQUEST.includes(name) && !paths.some((path) => path.startsWith(`test/${name}/`))) return false;
  return (
    paths.length === 0 || globSync(include, { exclude }).some((file) => paths.some((path) => file.startsWith(path)))
  );
});

if (chosen.length === 0) throw new Error(`No test file or project matches ${[...asked, ...paths].join(" ")}`);

if (chosen.some(({ plugins }) => plugins !== undefined) && !existsSync(CODEC))
  throw new Error("Run `npm run build` first: it compiles the codecs that tests in workerd load");

divertRuntimeLog();
if (!chosen.some(({ test }) => STACKS.includes(test.name))) {
  storeInMemory();
  Object.assign(process.env, SECRETS);
}

export default defineConfig({
  test: {
    // Many tests make stores and codecs fail. The log of a test is shown if the test fails.
    silent: "passed-only",
    sequence: { sequencer: LongestFirst },
    // Vitest would start every project before it looks for the files that are asked for.
    projects: chosen,
  },
});
