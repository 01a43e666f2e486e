/** Runs something once the page has nothing else to do; Safari has no `requestIdleCallback`. @returns what calls it off */
export function whenIdle(run: () => void): () => void {
  if ("requestIdleCallback" in globalThis) {
    const handle = requestIdleCallback(run);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(run);
  return () => clearTimeout(timer);
}
