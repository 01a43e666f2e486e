import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SHARE_STYLE } from "../../../src/api/share-page/share-style.ts";

const TOKENS = readFileSync("src/dashboard/design/tokens.css", "utf8");

it("The page of a share has the colours of the dashboard", () => {
  const colours = Array.from(SHARE_STYLE.matchAll(/^ {2}(--[\w-]+: light-dark\(.*\);)$/gm), ([, line]) => line);
  expect(colours.length).toBeGreaterThan(8);
  for (const line of colours) expect(TOKENS).toContain(line);
});

it("The style cannot end its element", () => {
  expect(SHARE_STYLE).not.toContain("<");
});
