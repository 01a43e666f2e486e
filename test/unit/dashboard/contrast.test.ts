import { glob, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { contrast, cover, mix, readTokens } from "../../support/dashboard/tokens.ts";

// Every pair of a text colour and a background (WCAG 2.2, 1.4.3 and 1.4.11).

const tokens = readTokens(await readFile("src/dashboard/design/tokens.css", "utf8"));

const TEXT = 4.5;
const SHAPE = 3;

const PAIRS: readonly (readonly [ink: string, ground: string, least: number])[] = [
  ...["ground", "surface", "sunken", "raised", "accent-soft"].map((ground) => ["ink", ground, 7] as const),
  ...["ground", "surface", "sunken", "raised"].flatMap((ground) => [
    ["ink-soft", ground, TEXT] as const,
    ["ink-faint", ground, TEXT] as const,
  ]),
  ...["ok", "warn", "danger"].flatMap((ink) =>
    ["ground", "surface", "raised"].map((ground) => [ink, ground, TEXT] as const),
  ),
  ["ink-soft", "accent-soft", TEXT],
  ["accent", "ground", TEXT],
  ["accent", "surface", TEXT],
  ["on-accent", "accent", TEXT],
  ["ground", "ink", 7],
  ["line-strong", "ground", SHAPE],
  ["line-strong", "surface", SHAPE],
];

/** Backgrounds that style sheets mix, with the text on them. `over`: the background is partly visible through the shade. */
const MIXED: readonly {
  readonly file: string;
  readonly shade: readonly [color: string, percent: number];
  readonly over?: readonly string[];
  readonly into?: string;
  readonly texts: readonly string[];
}[] = [
  { file: "design/button", shade: ["ink", 88], into: "ground", texts: ["ground"] },
  { file: "design/button", shade: ["danger", 9], into: "surface", texts: ["danger"] },
  { file: "design/button", shade: ["ink", 7], over: ["ground", "surface", "raised"], texts: ["ink"] },
  { file: "design/menu", shade: ["ink", 8], over: ["raised"], texts: ["ink", "ink-soft", "ink-faint", "danger"] },
  { file: "design/table", shade: ["ink", 3], over: ["surface"], texts: ["ink", "ink-soft", "accent", "danger"] },
  { file: "design/segmented", shade: ["ink", 8], over: ["ground", "surface", "raised"], texts: ["ink", "ink-soft"] },
  { file: "design/chip", shade: ["ink", 6], over: ["surface", "accent-soft"], texts: ["ink"] },
  { file: "design/chip", shade: ["ink", 10], over: ["surface", "accent-soft"], texts: ["ink"] },
  { file: "design/icon-button", shade: ["ink", 8], over: ["ground", "surface", "raised"], texts: ["ink"] },
  { file: "design/problem", shade: ["danger", 6], into: "surface", texts: ["ink", "ink-soft", "danger"] },
  {
    file: "developers/events/events",
    shade: ["ink", 3],
    over: ["surface"],
    texts: ["ink", "ink-soft", "ok", "danger"],
  },
  { file: "library/folders/folder-row", shade: ["ink", 5], over: ["ground", "surface"], texts: ["ink", "ink-soft"] },
  { file: "library/folders/folder-row", shade: ["ink", 9], over: ["ground", "surface"], texts: ["ink", "ink-soft"] },
  {
    file: "library/searches/saved-searches",
    shade: ["ink", 5],
    over: ["ground", "surface"],
    texts: ["ink", "ink-soft"],
  },
  {
    file: "library/searches/saved-searches",
    shade: ["ink", 9],
    over: ["ground", "surface"],
    texts: ["ink", "ink-soft"],
  },
  { file: "library/grid/table-row", shade: ["sunken", 50], over: ["ground", "surface"], texts: ["ink", "ink-soft"] },
  {
    file: "library/selection/selection-bar",
    shade: ["ink", 8],
    over: ["raised"],
    texts: ["ink", "ink-soft", "danger"],
  },
  { file: "operator/operator", shade: ["ink", 3], over: ["surface"], texts: ["ink", "ink-soft"] },
  { file: "usage/free-space-section", shade: ["ink", 5], over: ["surface"], texts: ["ink", "ink-soft"] },
  { file: "usage/tier-section", shade: ["accent", 6], over: ["surface"], texts: ["ink", "ink-soft"] },
  { file: "shell/account-menu", shade: ["ink", 6], over: ["ground", "surface"], texts: ["ink", "ink-soft"] },
  { file: "shell/sidebar", shade: ["ink", 5], over: ["ground", "surface"], texts: ["ink", "ink-soft"] },
  { file: "shell/sidebar", shade: ["ink", 9], over: ["ground", "surface"], texts: ["ink", "ink-soft"] },
  { file: "shell/login-form", shade: ["danger", 8], into: "surface", texts: ["danger"] },
  { file: "login/register-page", shade: ["danger", 8], into: "surface", texts: ["danger"] },
  { file: "uploads/tray-row", shade: ["ink", 4], over: ["raised"], texts: ["ink", "ink-soft", "warn", "danger", "ok"] },
  { file: "uploads/tray-pause", shade: ["warn", 12], into: "raised", texts: ["ink", "accent"] },
];
const BANNER_TONES = ["accent", "warn", "danger"];
/** Backgrounds without text. */
const BARE = [
  "design/meter",
  "design/skeleton",
  "design/day-chart",
  "design/password-field",
  "library/grid/grid",
  "library/grid/ruler",
  "shell/storage-meter",
  "uploads/drop-overlay",
];

it("Every background that a style sheet mixes is in the list, or has no text", async () => {
  const found: string[] = [];
  for await (const path of glob("src/dashboard/**/*.module.css")) {
    const file = path.slice("src/dashboard/".length, -".module.css".length);
    const mixes = (await readFile(path, "utf8")).matchAll(/background: color-mix\(in \w+, var\(--([\w-]+)\) (\d+)%/g);
    for (const [, color, percent] of mixes) if (!BARE.includes(file)) found.push(`${file} ${color} ${percent}`);
  }
  const listed = MIXED.map(({ file, shade }) => `${file} ${shade.join(" ")}`);
  expect(found.toSorted()).toEqual([...listed, "shell/banner tone 9"].toSorted());
});

describe.each(["light", "dark"] as const)("The %s colours", (scheme) => {
  it.each(PAIRS)("The colour %s on %s has a contrast of at least %s", (ink, ground, least) => {
    expect(contrast(tokens[scheme].get(ink), tokens[scheme].get(ground))).toBeGreaterThanOrEqual(least);
  });

  const color = (name: string) => tokens[scheme].get(name) ?? [Number.NaN, 0, 0];

  it.each(MIXED)("Text is readable on $shade of $file", ({ shade: [name, percent], over, into, texts }) => {
    const share = percent / 100;
    const grounds =
      into === undefined
        ? (over ?? []).map((ground) => cover(color(name), share, color(ground)))
        : [mix(color(name), share, color(into))];
    const ratios = texts.flatMap((text) => grounds.map((ground) => contrast(color(text), ground)));
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(TEXT);
  });

  it.each(BANNER_TONES)("Text is readable on a banner of the tone %s", (tone) => {
    expect(contrast(color("ink"), mix(color(tone), 0.09, color("surface")))).toBeGreaterThanOrEqual(7);
  });
});
