import axe from "axe-core";
import { AXE_OPTIONS, AXE_SETTINGS } from "../support/dashboard/axe-rules.ts";
import { SETTLED } from "../support/dashboard/settled.ts";

/** Rules for whole pages. The test's page has only parts. */
const OF_PAGES = { region: { enabled: false }, "page-has-heading-one": { enabled: false } };

/** The faults of any impact that axe finds in the test's page at rest. */
export async function findBarriersHere(): Promise<string[]> {
  await new Function(`return ${SETTLED}`)();
  axe.configure(AXE_SETTINGS);
  const { violations } = await axe.run(document.body, { ...AXE_OPTIONS, rules: { ...AXE_OPTIONS.rules, ...OF_PAGES } });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
