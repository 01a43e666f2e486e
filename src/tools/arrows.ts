import { readFileSync, writeFileSync } from "node:fs";
import { withPicture } from "./arrows/draw-picture.ts";
import { findUnused } from "./arrows/find-unused.ts";
import { findCircles, findViolations } from "./arrows/find-violations.ts";
import { ENGINES, readModules, SOURCES, TESTS } from "./arrows/read-modules.ts";

/**
 * `npm run arrows`: fails if an import is not allowed by the table of `arrows/table.ts`, if files import each other in a circle, or if no file
 * imports an exported value. With `--picture` it draws the table into the page of the architecture.
 */

const PAGE = "docs/internals/architecture.md";
if (process.argv.includes("--picture")) writeFileSync(PAGE, withPicture(readFileSync(PAGE, "utf8")));

const [sources, tests, engines] = [readModules(SOURCES), readModules(TESTS), readModules(ENGINES, [])];
const faults = [
  ...findViolations(sources.flatMap((module) => module.imports)),
  ...findCircles([...sources, ...tests, ...engines]).map(
    (files) => `These files import each other: ${files.join(" -> ")}`,
  ),
  ...findUnused(sources, tests),
];
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
