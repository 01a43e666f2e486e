import { globSync } from "node:fs";
import { lacksSubject, matchesOf } from "./plain-english/judge-text.ts";
import { readComments, readPage, readSource, type TextKind } from "./plain-english/read-texts.ts";

/**
 * `npm run plain-english`: fails if more texts than these match a pattern that makes sentences hard to read, or if a test's title has no subject.
 * CONTRIBUTING shows how to write instead. Paths as arguments list every match in these files and folders.
 */

/** The share of texts that may match. */
const LIMITS: Readonly<Record<TextKind, number>> = { comment: 0.08, title: 0.08, group: 0.08, prose: 0.03, string: 0 };
const WORST = 10;

const SOURCES = ["src/**/*.{ts,tsx}", "container/**/*.ts", "test/**/*.{ts,tsx}"];
const OTHERS = ["*.toml", "src/**/*.{css,toml}", "migrations/**/*.sql", ".ci/*"];
const PAGES = ["*.md", "docs/**/*.md", "test/*.md"];
const EXCLUDED = ["**/node_modules/**", "**/*.d.ts", "src/tools/plain-english/patterns.ts"];

const chosen = process.argv.slice(2);
const isChosen = (path: string) => chosen.length === 0 || chosen.some((each) => path.startsWith(each));
const files = (patterns: string[]) => globSync(patterns, { exclude: EXCLUDED }).filter(isChosen).toSorted();

const texts = [
  ...files(SOURCES).flatMap((path) => readSource(path)),
  ...files(OTHERS).flatMap((path) => readComments(path)),
  ...files(PAGES).flatMap((path) => readPage(path)),
];
const judged = texts.map((text) => ({ ...text, matches: matchesOf(text) }));
const untitled = texts.filter(lacksSubject);

let fails = untitled.length > 0;
for (const [kind, limit] of Object.entries(LIMITS)) {
  const ofKind = judged.filter((text) => text.kind === kind);
  if (ofKind.length === 0) continue;
  const matching = ofKind.filter(({ matches }) => matches.length > 0).length;
  const share = matching / ofKind.length;
  fails ||= share > limit;
  console.log(`${kind}: ${matching} of ${ofKind.length} match (${(share * 100).toFixed(1)} %, limit ${limit * 100} %)`);
}

const worst = judged
  .filter(({ matches }) => matches.length > 0)
  .toSorted(
    (one, other) =>
      // No string may match.
      Number(other.kind === "string") - Number(one.kind === "string") ||
      other.matches.length - one.matches.length ||
      other.text.length - one.text.length,
  );
for (const { path, line, kind, text, matches } of chosen.length > 0 ? worst : worst.slice(0, WORST))
  console.log(`  ${path}:${line} ${kind} [${matches.join("; ")}]\n    ${text.slice(0, 200)}`);
for (const { path, line, text } of untitled)
  console.log(`  ${path}:${line} title begins without its subject\n    ${text.slice(0, 200)}`);
process.exit(fails ? 1 : 0);
