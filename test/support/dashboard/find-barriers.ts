import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { SETTLED } from "./settled.ts";

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const GRAVE = ["serious", "critical"];

/** The serious or critical faults that axe finds in the current page at rest. It bypasses the page's policy, which allows no foreign script. */
export async function findBarriers(page: Page): Promise<string[]> {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(axe);
  await page.evaluate(SETTLED);
  const violations = await page.evaluate<readonly Violation[]>(
    "axe.run(document).then(({ violations }) => violations)",
  );
  return violations
    .filter(({ impact }) => impact !== null && GRAVE.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
