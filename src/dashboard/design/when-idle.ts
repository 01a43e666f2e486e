/** Runs a function when the page is idle; Safari has no `requestIdleCallback`. @returns the function that cancels it */
export function whenIdle(run: () => void): () => void {
  if ("requestIdleCallback" in globalThis) {
    const handle = requestIdleCallback(run);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(run);
  return () => clearTimeout(timer);
}
