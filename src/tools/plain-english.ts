import { globSync } from "node:fs";
import { PATTERNS } from "./plain-english/patterns.ts";
import { readPage, readSource, type Text, type TextKind } from "./plain-english/read-texts.ts";

/**
 * `npm run plain-english`: fails if more texts than these match a pattern that makes sentences hard to read. CONTRIBUTING shows how to write
 * instead. Paths as arguments list every match in these files and folders.
 */

/** The share of texts that may match. */
const LIMITS: Readonly<Record<TextKind, number>> = { comment: 0.08, title: 0.08, prose: 0.03, string: 0 };
const WORST = 10;

const SOURCES = ["src/**/*.{ts,tsx}", "container/**/*.ts", "test/**/*.{ts,tsx}"];
const PAGES = ["*.md", "docs/**/*.md", "test/*.md"];
const EXCLUDED = ["**/node_modules/**", "**/*.d.ts", "src/tools/plain-english/patterns.ts"];

const chosen = process.argv.slice(2);
const isChosen = (path: string) => chosen.length === 0 || chosen.some((each) => path.startsWith(each));
const files = (patterns: string[]) => globSync(patterns, { exclude: EXCLUDED }).filter(isChosen).toSorted();

const texts = [
  ...files(SOURCES).flatMap((path) => readSource(path)),
  ...files(PAGES).flatMap((path) => readPage(path)),
];
const judged = texts.map((text) => ({ ...text, matches: matchesOf(text) }));

let fails = false;
for (const [kind, limit] of Object.entries(LIMITS)) {
  const ofKind = judged.filter((text) => text.kind === kind);
  const matching = ofKind.filter(({ matches }) => matches.length > 0);
  if (ofKind.length === 0) continue;
  const share = matching.length / ofKind.length;
  const isOver = share > limit;
  fails ||= isOver;
  console.log(
    `${kind}: ${matching.length} of ${ofKind.length} match (${(share * 100).toFixed(1)} %, limit ${limit * 100} %)`,
  );
  if (!isOver && chosen.length === 0) continue;
  const worst = matching.toSorted((one, other) => other.matches.length - one.matches.length);
  for (const { path, line, text, matches } of chosen.length > 0 ? worst : worst.slice(0, WORST))
    console.log(`  ${path}:${line} [${matches.join("; ")}]\n    ${text.slice(0, 200)}`);
}
process.exit(fails ? 1 : 0);

function matchesOf({ kind, text }: Text): string[] {
  const isSentence = kind === "comment" || kind === "prose";
  return PATTERNS.filter(
    ({ expression, isForSentences }) => (isSentence || !isForSentences) && expression.test(text),
  ).map(({ name }) => name);
}
