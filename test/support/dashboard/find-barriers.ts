import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { AXE_OPTIONS, AXE_SETTINGS } from "./axe-rules.ts";
import { SETTLED } from "./settled.ts";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The faults of any impact that axe finds in the current page at rest. It bypasses the page's policy, which allows no foreign script. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    await page.evaluate(`axe.configure(${JSON.stringify(AXE_SETTINGS)})`);
  }
  await page.evaluate(SETTLED);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${JSON.stringify(AXE_OPTIONS)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
