/** A script that resolves when nothing appears or moves any more, because axe would measure half transparent text. Endless animations do not count. */
export const SETTLED = `(async () => {
  const moving = () => document.getAnimations().filter(({ effect, playState, timeline }) => timeline === document.timeline && playState === "running" && effect.getComputedTiming().endTime !== Infinity);
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  for (await nextFrame(); moving().length > 0; await nextFrame()) await Promise.allSettled(moving().map(({ finished }) => finished));
})()`;
