import axe from "axe-core";

const GRAVE = ["serious", "critical"];

/** What axe finds serious or critical in the page that the test shows. Parts have no page around them: its landmarks are not asked for. */
export async function findBarriersHere(): Promise<string[]> {
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  return violations
    .filter(({ impact }) => impact != null && GRAVE.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
