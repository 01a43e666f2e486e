import { readFileSync, writeFileSync } from "node:fs";
import { withPicture } from "./arrows/draw-picture.ts";
import { findCircles, findViolations } from "./arrows/find-violations.ts";
import { readImports } from "./arrows/read-imports.ts";

/**
 * `npm run arrows`: fails if an import is not allowed by the table of `arrows/table.ts`, or if files import each other in a circle. With
 * `--picture` it draws the table into the page of the architecture.
 */

const PAGE = "docs/internals/architecture.md";
if (process.argv.includes("--picture")) writeFileSync(PAGE, withPicture(readFileSync(PAGE, "utf8")));

const imports = readImports();
const faults = [
  ...findViolations(imports),
  ...findCircles(imports).map((files) => `These files import each other: ${files.join(" -> ")}`),
];
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
