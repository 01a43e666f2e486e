import axe from "axe-core";
import { SETTLED } from "../support/dashboard/settled.ts";

const GRAVE = ["serious", "critical"];

/** The serious or critical faults that axe finds in the test's page at rest. The page has only parts, so landmarks are not required. */
export async function findBarriersHere(): Promise<string[]> {
  await new Function(`return ${SETTLED}`)();
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  return violations
    .filter(({ impact }) => impact != null && GRAVE.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
