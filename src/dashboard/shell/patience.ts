/** A new page appears after this time at the latest, complete or not. */
const PATIENCE_MS = 150;

/** Waits until the page is loaded, for 150 ms at most. */
export async function withPatience(loading: Promise<unknown>): Promise<void> {
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
