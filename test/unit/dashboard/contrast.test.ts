import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { contrast, readTokens } from "../../support/dashboard/tokens.ts";

// Design of the dashboard, 9: every pair that is read against each other (WCAG 2.2, 1.4.3 and 1.4.11).

const tokens = readTokens(await readFile("src/dashboard/design/tokens.css", "utf8"));

const TEXT = 4.5;
const SHAPE = 3;

const PAIRS: readonly (readonly [ink: string, ground: string, least: number])[] = [
  ...["ground", "surface", "sunken", "raised", "accent-soft"].map((ground) => ["ink", ground, 7] as const),
  ...["ground", "surface", "sunken", "raised"].flatMap((ground) => [
    ["ink-soft", ground, TEXT] as const,
    ["ink-faint", ground, TEXT] as const,
  ]),
  ...["ok", "warn", "danger"].flatMap((ink) => [[ink, "surface", TEXT] as const, [ink, "raised", TEXT] as const]),
  ["accent", "ground", TEXT],
  ["accent", "surface", TEXT],
  ["on-accent", "accent", TEXT],
  ["ground", "ink", 7],
  ["line-strong", "ground", SHAPE],
  ["line-strong", "surface", SHAPE],
];

describe.each(["light", "dark"] as const)("the %s colours", (scheme) => {
  it.each(PAIRS)("show %s on %s with a contrast of at least %s", (ink, ground, least) => {
    expect(contrast(tokens[scheme].get(ink), tokens[scheme].get(ground))).toBeGreaterThanOrEqual(least);
  });
});
