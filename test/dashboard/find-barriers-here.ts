import axe from "axe-core";

const GRAVE = ["serious", "critical"];

/** The serious or critical faults that axe finds in the test's page. The page has only parts, so landmarks are not required. */
export async function findBarriersHere(): Promise<string[]> {
  await untilSettled();
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  return violations
    .filter(({ impact }) => impact != null && GRAVE.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Resolves when nothing appears or moves any more, because axe would measure half transparent text. Endless animations do not count. */
async function untilSettled(): Promise<void> {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  for (await nextFrame(); listMoving().length > 0; await nextFrame())
    await Promise.allSettled(listMoving().map(({ finished }) => finished));
}

function listMoving(): Animation[] {
  return document
    .getAnimations()
    .filter(
      ({ effect, playState }) =>
        playState === "running" && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
    );
}
